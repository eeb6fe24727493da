import HearthFirestoreJSON
import Hearth

/// One JSON object on one line, with its members in the order in which they are given. A member
/// whose value is `nil` is left out.
struct JSONLine {
  private var members: [UInt8] = []

  /// Appends a member as plain JSON.
  mutating func append(_ name: String, _ fields: MapValue, relativeTo database: DatabaseID) {
    append(name) { PlainJSON.append(fields, to: &$0, relativeTo: database) }
  }

  mutating func append(_ name: String, _ member: (any JSONMember)?) {
    if let member { append(name) { member.appendJSON(to: &$0) } }
  }

  /// Appends a member whose JSON `writeValue` appends.
  mutating func append(_ name: String, _ writeValue: (inout [UInt8]) -> Void) {
    if !members.isEmpty { members.append(.comma) }
    PlainJSON.append(.string(name), to: &members)
    members.append(UInt8(ascii: ":"))
    writeValue(&members)
  }

  /// Returns an object with the members of both.
  static func + (left: JSONLine, right: JSONLine) -> JSONLine {
    var sum = left
    if !left.members.isEmpty, !right.members.isEmpty { sum.members.append(.comma) }
    sum.members += right.members
    return sum
  }

  var text: String {
    var bytes: [UInt8] = []
    appendJSON(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONLine: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral members: (String, (any JSONMember)?)...) {
    for (name, member) in members { append(name, member) }
  }
}

/// A type whose values can be members of a ``JSONLine``.
protocol JSONMember {
  /// Appends the value, without a line end.
  func appendJSON(to bytes: inout [UInt8])
}

extension JSONLine: JSONMember {
  func appendJSON(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    bytes.append(contentsOf: members)
    bytes.append(UInt8(ascii: "}"))
  }
}

extension Value: JSONMember {
  func appendJSON(to bytes: inout [UInt8]) {
    PlainJSON.append(self, to: &bytes, relativeTo: .default)
  }
}

extension String: JSONMember {
  func appendJSON(to bytes: inout [UInt8]) { Value.string(self).appendJSON(to: &bytes) }
}

extension Int: JSONMember {
  func appendJSON(to bytes: inout [UInt8]) { Value.integer(Int64(self)).appendJSON(to: &bytes) }
}

extension Double: JSONMember {
  func appendJSON(to bytes: inout [UInt8]) { Value.double(self).appendJSON(to: &bytes) }
}

extension Bool: JSONMember {
  func appendJSON(to bytes: inout [UInt8]) { Value.boolean(self).appendJSON(to: &bytes) }
}

extension Timestamp: JSONMember {
  func appendJSON(to bytes: inout [UInt8]) { Value.timestamp(self).appendJSON(to: &bytes) }
}

extension Array: JSONMember where Element: JSONMember {
  func appendJSON(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (index, element) in enumerated() {
      if index > 0 { bytes.append(.comma) }
      element.appendJSON(to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}
