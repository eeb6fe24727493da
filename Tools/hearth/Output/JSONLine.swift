import HearthFirestoreJSON
import Hearth

/// One JSON object on one line, with its members in the order in which they are appended.
struct JSONLine {
  private var members: [UInt8] = []

  /// Creates an object without members.
  init() {}

  /// Appends a member as plain JSON.
  mutating func append(_ name: String, _ value: Value, relativeTo database: DatabaseID = .default) {
    append(name) { PlainJSON.append(value, to: &$0, relativeTo: database) }
  }

  mutating func append(_ name: String, _ object: JSONLine) {
    append(name) { object.append(to: &$0) }
  }

  mutating func append(_ name: String, _ objects: [JSONLine]) {
    append(name) { bytes in
      bytes.append(UInt8(ascii: "["))
      for (index, object) in objects.enumerated() {
        if index > 0 { bytes.append(.comma) }
        object.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  /// Appends a member whose JSON `writeValue` appends.
  mutating func append(_ name: String, _ writeValue: (inout [UInt8]) -> Void) {
    if !members.isEmpty { members.append(.comma) }
    PlainJSON.append(.string(name), to: &members)
    members.append(UInt8(ascii: ":"))
    writeValue(&members)
  }

  /// Appends the object, without a line end.
  func append(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    bytes.append(contentsOf: members)
    bytes.append(UInt8(ascii: "}"))
  }

  var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
