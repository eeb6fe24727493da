import Hearth

/// A property that receives the document's id or its reference when the document is decoded, and
/// that is never stored.
///
/// ```swift
/// struct Task: Codable {
///   @DocumentID var id: String?
///   var title: String
/// }
/// ```
///
/// Encoding leaves the property out. If the document has a field of the property's name, it is
/// ignored.
@propertyWrapper
public struct DocumentID<Value: DocumentIDWrappable> {
  /// The id or the reference; `nil` for a value that wasn't read from a document.
  public var wrappedValue: Value?

  /// Creates a property with a value, which writes ignore.
  public init(wrappedValue: Value?) {
    self.wrappedValue = wrappedValue
  }
}

/// A type that a ``DocumentID`` can hold: `String`, ``DocumentReference``, and types of your own.
public protocol DocumentIDWrappable {
  /// Returns the value that identifies the document of a reference.
  static func wrap(_ documentReference: DocumentReference) throws -> Self
}

extension String: DocumentIDWrappable {
  /// Returns the document's id.
  public static func wrap(_ documentReference: DocumentReference) throws -> String {
    documentReference.documentID
  }
}

extension DocumentReference: DocumentIDWrappable {
  /// Returns the reference itself.
  public static func wrap(_ documentReference: DocumentReference) throws -> DocumentReference {
    documentReference
  }
}

extension DocumentID: Sendable where Value: Sendable {}
extension DocumentID: Equatable where Value: Equatable {}
extension DocumentID: Hashable where Value: Hashable {}

extension DocumentID: DecodableFromPath {
  package init(_ place: DocumentPlace) throws {
    // An id needs no whole path.
    if Value.self == String.self, let id = place.documentID as? Value {
      self.init(wrappedValue: id)
    } else {
      try self.init(place.reference)
    }
  }

  private init(_ reference: Hearth.DocumentReference) throws {
    let firestore = Firestore.over(reference.database)
    wrappedValue = try Value.wrap(DocumentReference(reference, in: firestore))
  }
}

extension DocumentID: Codable {
  /// Takes the reference of the document that is decoded.
  ///
  /// - Throws: ``FirestoreDecodingError`` for other decoders than that of documents; the errors of
  ///   the value's own `wrap`.
  public init(from decoder: any Decoder) throws {
    try decoder.requireDocument(for: "DocumentID")
    let stored = try Hearth.DocumentID<Hearth.DocumentReference>(from: decoder)
    if let reference = stored.wrappedValue {
      try self.init(reference)
    } else {
      self.init(wrappedValue: nil)
    }
  }

  /// Leaves the property out.
  ///
  /// - Throws: ``FirestoreEncodingError`` for other encoders than that of documents.
  public func encode(to encoder: any Encoder) throws {
    try encoder.requireDocument(for: "DocumentID")
    try Hearth.DocumentID<Hearth.DocumentReference>(wrappedValue: nil).encode(to: encoder)
  }
}
