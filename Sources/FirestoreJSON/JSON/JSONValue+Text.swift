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

  /// The value as JSON over several lines, indented by two spaces, as Firebase's tools write it.
  var prettyText: String {
    var bytes: [UInt8] = []
    appendPretty(to: &bytes, lineStart: "\n")
    return String(decoding: bytes, as: UTF8.self)
  }

  private func appendPretty(to bytes: inout [UInt8], lineStart: String) {
    let inner = lineStart + "  "
    switch self {
    case .array(let elements) where !elements.isEmpty:
      bytes.append("[")
      bytes.appendList(elements) { bytes, element in
        bytes.append(inner)
        element.appendPretty(to: &bytes, lineStart: inner)
      }
      bytes.append(lineStart + "]")
    case .object(let members) where !members.isEmpty:
      bytes.append("{")
      bytes.appendList(members) { bytes, member in
        bytes.append(inner)
        bytes.appendJSON(member.0)
        bytes.append(": ")
        member.1.appendPretty(to: &bytes, lineStart: inner)
      }
      bytes.append(lineStart + "}")
    default: append(to: &bytes)
    }
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
