import HearthDocumentModel
import HearthFirestoreJSON

// Scalars in the forms that protocol buffers' JSON allows.
extension JSONMessageReader {
  func boolean(_ json: JSONValue) throws(DatabaseError) -> Bool {
    switch json {
    case .boolean(let value): return value
    case .string("true"): return true
    case .string("false"): return false
    default: throw invalid("TYPE_BOOL", json)
    }
  }

  func string(_ json: JSONValue) throws(DatabaseError) -> String {
    guard case .string(let value) = json else { throw invalid("TYPE_STRING", json) }
    return value
  }

  func integer(_ json: JSONValue, _ type: String) throws(DatabaseError) -> Int64 {
    switch json.number {
    case .integer(let value): return value
    case .double(let value):
      // A text has all its digits, including those that a double can't hold.
      let whole =
        if case .string(let text) = json { Int64(wholeDecimal: text) } else {
          Int64(exactly: value)
        }
      guard let whole else { throw invalid(type, json) }
      return whole
    default: throw invalid(type, json)
    }
  }

  func integer32(
    _ json: JSONValue, _ type: String = "TYPE_INT32"
  ) throws(DatabaseError) -> Int32 {
    guard let value = Int32(exactly: try integer(json, type)) else { throw invalid(type, json) }
    return value
  }

  func double(_ json: JSONValue) throws(DatabaseError) -> Double {
    switch json {
    case .string("NaN"): return .nan
    case .string("Infinity"): return .infinity
    case .string("-Infinity"): return -.infinity
    default: break
    }
    switch json.number {
    case .integer(let value): return Double(value)
    case .double(let value): return value
    default: throw invalid("TYPE_DOUBLE", json)
    }
  }

  /// Reads an enumeration's value: its name in letters of any case, or its number.
  func enumeration(_ json: JSONValue, _ type: String) throws(DatabaseError) -> UInt64 {
    let name = "type.googleapis.com/\(type)"
    switch json {
    case .null where type == "google.protobuf.NullValue": return 0
    case .string(let text):
      let value = schema.values(ofEnumeration: type).first {
        $0.name.utf8.elementsEqual(text.uppercased().utf8)
      }
      guard let value else { throw invalid(name, json) }
      return UInt64(bitPattern: Int64(value.number))
    default: return UInt64(bitPattern: Int64(try integer32(json, name)))
    }
  }

  /// Reads base64 in either alphabet, with or without padding.
  func bytes(_ json: JSONValue) throws(DatabaseError) -> [UInt8] {
    guard case .string(let text) = json else { throw invalid("TYPE_BYTES", json) }
    guard let bytes = Base64.bytes(text) else {
      throw invalid("TYPE_BYTES", json, because: "Base64 decoding failed for \"\(text)\"")
    }
    return bytes
  }
}

extension JSONValue {
  /// The number that a text is; any other value is itself.
  fileprivate var number: JSONValue {
    guard case .string(let text) = self, let first = text.utf8.first, let last = text.utf8.last,
      first > 0x20, last > 0x20, let value = try? JSONValue(parsing: Array(text.utf8))
    else { return self }
    return value
  }

  var shownInFaults: String {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): value.description
    case .double(let value): value.description
    case .string(let value): "\"\(value)\""
    case .array: "a list"
    case .object: "an object"
    }
  }
}
