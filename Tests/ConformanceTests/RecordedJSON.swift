import HearthDocumentModel
import HearthFirestoreJSON

// Access to the recorded rows: JSON trees that keep the order of members.
extension JSONValue {
  var integer: Int64? {
    if case .integer(let integer) = self { integer } else { nil }
  }

  var strings: [String] { elements.compactMap(\.string) }

  /// Returns a value of Firestore from its typed form.
  func value() throws -> Value { try TypedJSON.value(from: text) }

  /// Returns fields from their typed form, by name.
  func fields() throws -> MapValue { try TypedJSON.fields(from: text) }

  /// Returns the tree with every object and string replaced by the result of `replace`, innermost
  /// first. An element for which `replace` returns `nil` stays.
  func replacing(_ replace: (JSONValue) throws -> JSONValue?) rethrows -> JSONValue {
    let inner: JSONValue =
      switch self {
      case .array(let elements): .array(try elements.map { try $0.replacing(replace) })
      case .object(let members):
        .object(try members.map { ($0.0, try $0.1.replacing(replace)) })
      default: self
      }
    return try replace(inner) ?? inner
  }
}
