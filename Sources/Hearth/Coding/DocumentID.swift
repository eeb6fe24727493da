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
/// Encoding leaves the property out, so that a value that was read from one document may be written
/// to another. It works in nested types too. A field of the property's name that a document has is
/// passed over.
@propertyWrapper
public struct DocumentID<Value: DocumentIDWrappable> {
  /// The id or the reference; `nil` for a value that wasn't read.
  public var wrappedValue: Value?

  /// A value that is ignored when it is written.
  public init(wrappedValue: Value?) {
    self.wrappedValue = wrappedValue
  }
}

/// What ``DocumentID`` can hold: `String` and ``DocumentReference``.
public protocol DocumentIDWrappable {
  /// What tells of the document with that reference.
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

/// What a type decodes as where there is no field for it, from the place of the document.
package protocol DecodableFromPath {
  init(_ reference: DocumentReference) throws
}

extension DocumentID: DecodableFromPath {
  package init(_ reference: DocumentReference) throws {
    wrappedValue = try Value.wrap(reference)
  }
}

extension DocumentID: Decodable {
  /// The document's place, where there is a field of the property's name too.
  ///
  /// - Throws: in every decoder that reads no document.
  public init(from decoder: any Decoder) throws {
    guard let reference = (decoder as? RecordDecoder)?.run.reference else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "Only a document gives a DocumentID."))
    }
    try self.init(reference)
  }
}

extension DocumentID: Encodable {
  public func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? FieldEncoder else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath, debugDescription: "Only a document has a DocumentID."))
    }
    encoder.leaveOut()
  }
}
