extension JSONValue {
  /// Reads the single value that makes up all of `bytes`, strictly by RFC 8259.
  ///
  /// - Parameter takesTrailingCommas: whether a comma may follow the last member or element.
  package init(parsing bytes: [UInt8], takesTrailingCommas: Bool = false) throws(JSONError) {
    var reader = JSONReader(bytes.span)
    reader.takesTrailingCommas = takesTrailingCommas
    self = try reader.readWhole(as: JSONValue.self)
  }

  /// The value as JSON, on one line.
  package var text: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// Appends the value as JSON, on one line.
  package func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append("null")
    case .boolean(let value): bytes.append(value ? "true" : "false")
    case .integer(let value): bytes.append(value.description)
    case .double(let value): bytes.appendJSON(value)
    case .string(let value): bytes.appendJSON(value)
    case .array(let elements): bytes.appendArray(elements) { $1.append(to: &$0) }
    case .object(let members):
      bytes.appendMembers { object in
        for (name, value) in members { object.member(name) { value.append(to: &$0) } }
      }
    }
  }
}
