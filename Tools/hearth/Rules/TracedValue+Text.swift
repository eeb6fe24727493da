import Hearth
import HearthFirestoreJSON
import HearthSecurityRules

extension TracedValue: JSONMember {
  /// The value on one line. Only strings have quotation marks.
  var text: String {
    switch self {
    case .timestamp, .path, .other: return plainText
    default:
      var bytes: [UInt8] = []
      appendJSON(to: &bytes)
      return String(decoding: bytes, as: UTF8.self).printable
    }
  }

  /// The text of a value that JSON has no form for.
  private var plainText: String {
    switch self {
    case .timestamp(let seconds, let nanoseconds):
      let time = Int32(exactly: nanoseconds).flatMap {
        try? Timestamp(seconds: seconds, nanoseconds: $0)
      }
      return time?.rfc3339 ?? "\(seconds) s"
    case .path(let segments): return segments.map { "/\($0)" }.joined()
    case .other(let type): return "<\(type)>"
    default: return ""
    }
  }

  /// Appends the value. A path is a text, and so are values that JSON has no form for: `<bytes>`.
  func appendJSON(to bytes: inout [UInt8]) {
    switch self {
    case .null: Value.null.appendJSON(to: &bytes)
    case .bool(let value): value.appendJSON(to: &bytes)
    case .int(let value): Value.integer(value).appendJSON(to: &bytes)
    case .float(let value): value.appendJSON(to: &bytes)
    case .string(let value): value.appendJSON(to: &bytes)
    case .timestamp, .path, .other: plainText.appendJSON(to: &bytes)
    case .list(let elements): elements.appendJSON(to: &bytes)
    case .map(let entries):
      var object = JSONLine()
      for (key, value) in entries.sorted(by: { $0.key < $1.key }) { object.append(key, value) }
      object.appendJSON(to: &bytes)
    }
  }
}
