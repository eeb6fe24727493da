/// A type with a value for a missing field.
package protocol DecodableFromNothing {
  static var nothing: Self { get }
}

extension Optional: DecodableFromNothing {
  package static var nothing: Wrapped? { nil }
}

/// A type that decodes from the document's reference, without a field.
package protocol DecodableFromPath {
  init(_ reference: DocumentReference) throws
}
