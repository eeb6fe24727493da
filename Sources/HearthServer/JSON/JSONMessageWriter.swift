import HearthDocumentModel
package import HearthFirestoreJSON

/// Writes messages as the JSON of protocol buffers, by their definitions.
package struct JSONMessageWriter {
  private let schema: MessageSchema

  package init(_ schema: MessageSchema = .shared) {
    self.schema = schema
  }

  /// Returns a message as JSON. Fields that the definition doesn't have are left out.
  package func json(of bytes: [UInt8], as type: String) -> JSONValue { message(bytes[...], type) }

  private func message(_ bytes: ArraySlice<UInt8>, _ type: String) -> JSONValue {
    if let json = wellKnown(bytes, type) { return json }
    let contents = contents(of: bytes)
    var members: [(String, JSONValue)] = []
    for field in schema.message(type)?.fields ?? [] {
      guard let found = contents[field.number], let last = found.last else { continue }
      members.append((field.jsonName, json(of: field, found, last)))
    }
    return .object(members)
  }

  private func json(
    of field: MessageSchema.Field, _ contents: [WireContent], _ last: WireContent
  ) -> JSONValue {
    guard field.isRepeated else { return value(last, field.kind) }
    if case .message(let type) = field.kind, let entry = schema.message(type), entry.isEntry {
      return .object(contents.map { member(of: $0, entry) })
    }
    return .array(contents.flatMap { elements(of: $0, field.kind) })
  }

  private func member(
    of content: WireContent, _ entry: MessageSchema.MessageType
  ) -> (String, JSONValue) {
    guard case .bytes(let bytes) = content, entry.fields.count == 2 else { return ("", .null) }
    let parts = contents(of: bytes)
    let empty = WireContent.bytes([])
    guard case .string(let name) = value(parts[1]?.last ?? empty, .string) else {
      return ("", .null)
    }
    return (name, value(parts[2]?.last ?? empty, entry.fields[1].kind))
  }

  /// Returns the elements in one part of a repeated field. Scalars may be packed.
  private func elements(of content: WireContent, _ kind: MessageSchema.Field.Kind) -> [JSONValue] {
    guard case .bytes(let packed) = content, kind.isVarint else { return [value(content, kind)] }
    var reader = WireReader(packed)
    var elements: [JSONValue] = []
    while let next = reader.varint() { elements.append(value(.varint(next), kind)) }
    return elements
  }

  private func contents(of bytes: ArraySlice<UInt8>) -> [Int: [WireContent]] {
    var reader = WireReader(bytes)
    var contents: [Int: [WireContent]] = [:]
    while let field = reader.next() { contents[field.number, default: []].append(field.content) }
    return contents
  }

  private func value(_ content: WireContent, _ kind: MessageSchema.Field.Kind) -> JSONValue {
    switch (kind, content) {
    case (.message(let type), .bytes(let bytes)): message(bytes, type)
    case (.string, .bytes(let bytes)): .string(String(decoding: bytes, as: UTF8.self))
    case (.bytes, .bytes(let bytes)): .string(Base64.text(of: Array(bytes), .standard))
    case (.bool, .varint(let value)): .boolean(value != 0)
    case (.int64, .varint(let value)): .string(Int64(bitPattern: value).description)
    case (.uint64, .varint(let value)): .string(value.description)
    case (.int32, .varint(let value)), (.uint32, .varint(let value)):
      .integer(Int64(bitPattern: value))
    case (.enumeration(let type), .varint(let number)): enumeration(Int64(bitPattern: number), type)
    case (.double, .fixed64(let bits)): double(Double(bitPattern: bits))
    case (.float, .fixed32(let bits)): double(Double(Float(bitPattern: bits)))
    default: .null
    }
  }

  private func enumeration(_ number: Int64, _ type: String) -> JSONValue {
    guard type != "google.protobuf.NullValue" else { return .null }
    let value = schema.values(ofEnumeration: type).first { $0.number == number }
    return value.map { .string($0.name) } ?? .integer(number)
  }

  private func double(_ value: Double) -> JSONValue {
    if value.isNaN { return .string("NaN") }
    if value.isInfinite { return .string(value > 0 ? "Infinity" : "-Infinity") }
    return .double(value)
  }
}

// MARK: - Messages with a form of their own

extension JSONMessageWriter {
  private func wellKnown(_ bytes: ArraySlice<UInt8>, _ type: String) -> JSONValue? {
    switch type {
    case "google.protobuf.Timestamp": timestamp(bytes)
    case "google.protobuf.Duration": duration(bytes)
    case "google.protobuf.Int32Value": value(wrapped(bytes) ?? .varint(0), .int32)
    case "google.protobuf.Int64Value": value(wrapped(bytes) ?? .varint(0), .int64)
    case "google.protobuf.DoubleValue": value(wrapped(bytes) ?? .fixed64(0), .double)
    case "google.protobuf.Empty": .object([])
    case "google.protobuf.Any": anyMessage(bytes)
    case "google.protobuf.Struct": .object(structMembers(bytes))
    case "google.protobuf.Value": structValue(bytes)
    default: nil
    }
  }

  private func wrapped(_ bytes: ArraySlice<UInt8>) -> WireContent? { contents(of: bytes)[1]?.last }

  private func integer(_ number: Int, in bytes: ArraySlice<UInt8>) -> Int64 {
    guard case .varint(let value)? = contents(of: bytes)[number]?.last else { return 0 }
    return Int64(bitPattern: value)
  }

  private func timestamp(_ bytes: ArraySlice<UInt8>) -> JSONValue {
    let nanoseconds = Int32(truncatingIfNeeded: integer(2, in: bytes))
    let time = try? Timestamp(seconds: integer(1, in: bytes), nanoseconds: nanoseconds)
    return time.map { .string($0.rfc3339) } ?? .null
  }

  private func duration(_ bytes: ArraySlice<UInt8>) -> JSONValue {
    let nanoseconds = integer(2, in: bytes)
    var text = "\(integer(1, in: bytes))"
    if nanoseconds != 0 {
      let digits = String(nanoseconds)
      text += "." + String(repeating: "0", count: max(0, 9 - digits.utf8.count)) + digits
      while text.hasSuffix("000") { text.removeLast(3) }
    }
    return .string(text + "s")
  }

  private func anyMessage(_ bytes: ArraySlice<UInt8>) -> JSONValue {
    let parts = contents(of: bytes)
    guard case .string(let address) = value(parts[1]?.last ?? .bytes([]), .string) else {
      return .null
    }
    let type = String(address.split(separator: "/").last ?? "")
    guard case .object(let members) = value(parts[2]?.last ?? .bytes([]), .message(type)) else {
      return .null
    }
    return .object([("@type", .string(address))] + members)
  }

  private func structMembers(_ bytes: ArraySlice<UInt8>) -> [(String, JSONValue)] {
    (contents(of: bytes)[1] ?? []).map { entry in
      guard case .bytes(let bytes) = entry else { return ("", .null) }
      let parts = contents(of: bytes)
      guard case .bytes(let name)? = parts[1]?.last, case .bytes(let value)? = parts[2]?.last else {
        return ("", .null)
      }
      return (String(decoding: name, as: UTF8.self), structValue(value))
    }
  }

  private func structValue(_ bytes: ArraySlice<UInt8>) -> JSONValue {
    var reader = WireReader(bytes)
    switch reader.next() {
    case (2, let content)?: return value(content, .double)
    case (3, let content)?: return value(content, .string)
    case (4, let content)?: return value(content, .bool)
    case (5, .bytes(let bytes))?: return .object(structMembers(bytes))
    default: return .null
    }
  }
}

extension MessageSchema.Field.Kind {
  fileprivate var isVarint: Bool {
    switch self {
    case .int32, .int64, .uint32, .uint64, .bool, .enumeration: true
    default: false
    }
  }
}
