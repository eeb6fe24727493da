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
/// Encoding leaves the property out, so that a value read from one document can be written to
/// another. It works in nested types too. If the document has a field of the property's name, it is
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

/// A type that ``DocumentID`` can hold: `String` or ``DocumentReference``.
public protocol DocumentIDWrappable {
  /// Returns the value that identifies the document of a reference.
  static func wrap(_ reference: DocumentReference) throws -> Self
}

extension String: DocumentIDWrappable {
  public static func wrap(_ reference: DocumentReference) throws -> String { reference.id }
}

extension DocumentReference: DocumentIDWrappable {
  public static func wrap(_ reference: DocumentReference) throws -> DocumentReference { reference }
}

extension DocumentID: Sendable where Value: Sendable {}
extension DocumentID: Equatable where Value: Equatable {}
extension DocumentID: Hashable where Value: Hashable {}

extension DocumentID: DecodableFromPath {
  package init(_ place: DocumentPlace) throws {
    // An id needs no whole path.
    let id = Value.self == String.self ? place.documentID as? Value : nil
    wrappedValue = try id ?? Value.wrap(place.reference)
  }
}

extension DocumentID: Decodable {
  /// Takes the document's reference, even if the document has a field of the property's name.
  ///
  /// - Throws: an error in every decoder that doesn't read a document.
  public init(from decoder: any Decoder) throws {
    guard let place = (decoder as? RecordDecoder)?.run.documentPlace else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "Only a document gives a DocumentID."))
    }
    try self.init(place)
  }
}

extension DocumentID: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try encoder.ofDocument(self, orThrow: "Only a document has a DocumentID.").leaveOut()
  }
}
