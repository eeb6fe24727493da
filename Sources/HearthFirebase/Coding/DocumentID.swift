import Hearth

/// A property that holds the document's id, or its reference, when the document is decoded, and
/// that no document stores.
///
/// ```swift
/// struct Task: Codable {
///   @DocumentID var id: String?
///   var title: String
/// }
/// ```
///
/// Encoding leaves the property out. A field of the property's name that a document has is passed
/// over.
@propertyWrapper
public struct DocumentID<Value: DocumentIDWrappable> {
  /// The id or the reference; `nil` for a value that wasn't read.
  public var wrappedValue: Value?

  /// A value that is ignored when it is written.
  public init(wrappedValue: Value?) {
    self.wrappedValue = wrappedValue
  }
}

/// Type that a ``DocumentID`` can hold: `String`, ``DocumentReference``, and types of your own.
public protocol DocumentIDWrappable {
  /// Value that tells of the document with that reference.
  static func wrap(_ documentReference: DocumentReference) throws -> Self
}

extension String: DocumentIDWrappable {
  /// The document's id.
  public static func wrap(_ documentReference: DocumentReference) throws -> String {
    documentReference.documentID
  }
}

extension DocumentReference: DocumentIDWrappable {
  /// The reference itself.
  public static func wrap(_ documentReference: DocumentReference) throws -> DocumentReference {
    documentReference
  }
}

extension DocumentID: Sendable where Value: Sendable {}
extension DocumentID: Equatable where Value: Equatable {}
extension DocumentID: Hashable where Value: Hashable {}

extension DocumentID: DecodableFromPath {
  package init(_ reference: Hearth.DocumentReference) throws {
    let firestore = Firestore.over(reference.database)
    wrappedValue = try Value.wrap(DocumentReference(reference, in: firestore))
  }
}

extension DocumentID: Codable {
  /// - Throws: ``FirestoreDecodingError`` for other decoders than that of documents; what the
  ///   value's own `wrap` throws.
  public init(from decoder: any Decoder) throws {
    try decoder.requireDocument(for: "DocumentID")
    let stored = try Hearth.DocumentID<Hearth.DocumentReference>(from: decoder)
    if let reference = stored.wrappedValue {
      try self.init(reference)
    } else {
      self.init(wrappedValue: nil)
    }
  }

  /// - Throws: ``FirestoreEncodingError`` for other encoders than that of documents.
  public func encode(to encoder: any Encoder) throws {
    try encoder.requireDocument(for: "DocumentID")
    try Hearth.DocumentID<Hearth.DocumentReference>(wrappedValue: nil).encode(to: encoder)
  }
}
