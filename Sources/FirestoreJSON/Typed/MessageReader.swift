import DocumentModel

/// Reads protocol buffers' JSON, with production's words where it refuses (§6.1).
///
/// What it throws ends the whole reading: `path` is then left where it stood.
struct MessageReader {
  var path: MessagePath

  init(at root: String = "") {
    path = MessagePath(root)
  }

  /// The members of a message in the order of the text, without those that are null, which count as
  /// not given.
  func members(
    _ json: JSONValue, of type: String, _ fields: [MessageField]
  ) throws(DatabaseError) -> [(field: MessageField, value: JSONValue)] {
    guard case .object(let members) = json else { throw invalid(type, json) }
    var known: [(field: MessageField, value: JSONValue)] = []
    known.reserveCapacity(members.count)
    for (name, value) in members {
      guard let field = fields.first(where: { $0.isWritten(name) }) else {
        throw .invalidArgument(
          "Invalid JSON payload received. Unknown name \"\(name)\"\(path.location): "
            + "Cannot find field.")
      }
      if case .null = value, !field.canBeNull { continue }
      known.append((field, value))
    }
    return known
  }

  /// Reads at a field of the message, so that errors name it.
  mutating func reading<T>(
    _ field: MessageField, _ read: (inout MessageReader) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    path.enter(field: field.snakeName)
    let value = try read(&self)
    path.leave()
    return value
  }

  /// Reads at an item of a list, so that errors name it.
  mutating func reading<T>(
    item index: Int, _ read: (inout MessageReader) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    path.enter(item: index)
    let value = try read(&self)
    path.leave()
    return value
  }

  func invalid(_ type: String, _ json: JSONValue, because reason: String? = nil) -> DatabaseError {
    .invalidArgument("Invalid value\(path.location) (\(type)), \(reason ?? json.shownInError)")
  }

  func invalid(oneof group: String, second name: String) -> DatabaseError {
    .invalidArgument(
      "Invalid value\(path.location) (oneof), oneof field '\(group)' is already set. "
        + "Cannot set '\(name)'")
  }
}

extension MessageReader {
  func boolean(_ json: JSONValue) throws(DatabaseError) -> Bool {
    guard case .boolean(let value) = json else { throw invalid("TYPE_BOOL", json) }
    return value
  }

  func string(_ json: JSONValue) throws(DatabaseError) -> String {
    guard case .string(let value) = json else { throw invalid("TYPE_STRING", json) }
    return value
  }

  /// A number without fraction, also as a string.
  func integer(_ json: JSONValue) throws(DatabaseError) -> Int64 {
    switch numberWritten(in: json) {
    case .integer(let value): return value
    case .double(let value):
      // A string must spell an integer out.
      if case .double = json, let integer = Int64(exactly: value) { return integer }
      throw invalid("TYPE_INT64", json)
    default: throw invalid("TYPE_INT64", json)
    }
  }

  /// A number, also as a string, or one of the names of what is no finite number.
  func double(_ json: JSONValue) throws(DatabaseError) -> Double {
    if case .string(let text) = json {
      for value in [Double.nan, .infinity, -.infinity] {
        if let name = value.nonFiniteName, text.utf8Equal(name) { return value }
      }
    }
    switch numberWritten(in: json) {
    case .integer(let value): return Double(value)
    case .double(let value): return value
    default: throw invalid("TYPE_DOUBLE", json)
    }
  }

  private func numberWritten(in json: JSONValue) -> JSONValue {
    guard case .string(let text) = json else { return json }
    let bytes = Array(text.utf8)
    // White space around a number is JSON's, and no part of a number.
    guard let first = bytes.first, let last = bytes.last, first > 0x20, last > 0x20 else {
      return json
    }
    var reader = JSONReader(bytes.span)
    return (try? reader.readWhole(as: JSONValue.self)) ?? json
  }

  func bytes(_ json: JSONValue) throws(DatabaseError) -> [UInt8] {
    let text = try string(json, type: "TYPE_BYTES")
    guard let bytes = Base64.bytes(text) else {
      throw invalid("TYPE_BYTES", json, because: "Base64 decoding failed for \"\(text)\"")
    }
    return bytes
  }

  func timestamp(_ json: JSONValue, field: String) throws(DatabaseError) -> Timestamp {
    let type = "type.googleapis.com/google.protobuf.Timestamp"
    let text = try string(json, type: type)
    do {
      return try Timestamp(rfc3339: text)
    } catch {
      throw invalid(type, json, because: "Field '\(field)', \(error.message)")
    }
  }

  private func string(_ json: JSONValue, type: String) throws(DatabaseError) -> String {
    guard case .string(let value) = json else { throw invalid(type, json) }
    return value
  }
}

extension JSONValue {
  /// The value as the errors of §6.1 repeat it.
  fileprivate var shownInError: String {
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
