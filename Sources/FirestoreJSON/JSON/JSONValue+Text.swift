extension JSONValue {
  /// The one value that makes up all of `bytes`, strictly by RFC 8259.
  package init(parsing bytes: [UInt8]) throws {
    var reader = JSONReader(bytes.span)
    self = try reader.readWhole(as: JSONValue.self)
  }

  /// The value as JSON, on one line.
  package var text: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  private func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append("null")
    case .boolean(let value): bytes.append(value ? "true" : "false")
    case .integer(let value): bytes.append(value.description)
    case .double(let value): bytes.appendJSON(value)
    case .string(let value): bytes.appendJSON(value)
    case .array(let elements):
      bytes.append("[")
      bytes.appendList(elements) { $1.append(to: &$0) }
      bytes.append("]")
    case .object(let members):
      bytes.append("{")
      bytes.appendList(members) { bytes, member in
        bytes.appendJSON(member.0)
        bytes.append(":")
        member.1.append(to: &bytes)
      }
      bytes.append("}")
    }
  }
}
