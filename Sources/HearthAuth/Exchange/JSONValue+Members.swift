import Foundation
import HearthFirestoreJSON

extension JSONValue {
  /// The number, also one that is written as a text; `nil` for another value.
  var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    case .string(let text): Double(text)
    default: nil
    }
  }

  /// The value as Foundation's types have it.
  var any: Any {
    switch self {
    case .null: NSNull()
    case .boolean(let flag): flag
    case .integer(let number): number
    case .double(let number): number
    case .string(let text): text
    case .array(let elements): elements.map(\.any)
    case .object(let members):
      Dictionary(members.map { ($0.0, $0.1.any) }, uniquingKeysWith: { $1 })
    }
  }
}
