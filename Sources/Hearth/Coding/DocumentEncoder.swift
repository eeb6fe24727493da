public import HearthDocumentModel

/// An encoder that makes documents from values of `Encodable` types.
///
/// Calls that encode, such as `setData(from:merge:encoder:)`, take an encoder if its defaults don't
/// fit. It builds the value to write property by property, without a dictionary in between.
///
/// A property that is `nil` leaves no field, unless ``nilEncodingStrategy`` or ``ExplicitNull``
/// says otherwise.
public struct DocumentEncoder: Sendable {
  /// Strategy for converting coding keys to the names of fields.
  public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys
  /// Strategy for properties that are `nil`.
  public var nilEncodingStrategy = NilEncodingStrategy.omit
  /// User info that the type's own `encode(to:)` finds in its encoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates an encoder that keeps names as they are and leaves out properties that are `nil`.
  public init() {}

  /// Returns the fields of a document that holds `value`.
  ///
  /// - Throws: `invalidArgument` with ``DatabaseError/codingFailure`` for a value that no document
  ///   can hold, or that only a write can, such as a ``ServerTimestamp`` that is `nil`; or the
  ///   errors of the type's own `encode(to:)`.
  public func encode<T: Encodable>(_ value: T) throws(DatabaseError) -> MapValue {
    let document = try encode(value, for: nil)
    guard let change = document.changes.first else { return document.fields }
    let field = FieldPath(unchecked: change.path)
    throw DatabaseError(
      .invalidArgument,
      "\(T.self) doesn't encode. Field \"\(field)\": Only a write can hold this; use fieldData.",
      details: CodingFailure(
        document: nil, field: field.description, found: nil, wanted: nil))
  }

  /// Returns the data of a write that stores `value` in a document: its fields, and changes such as
  /// server timestamps.
  ///
  /// - Throws: `invalidArgument` with ``DatabaseError/codingFailure`` for a value that no document
  ///   can hold; or the errors of the type's own `encode(to:)`.
  public func fieldData<T: Encodable>(from value: T) throws(DatabaseError) -> FieldData {
    try encode(value, for: nil).data
  }

  func encode<T: Encodable>(
    _ value: T, for document: DocumentReference?
  ) throws(DatabaseError) -> EncodedDocument {
    do {
      let encoded = try FieldEncoder.encodeWithChanges(value, self)
      guard case .map(let fields)? = encoded.value else {
        throw EncodingError.invalidValue(
          value,
          EncodingError.Context(
            codingPath: [],
            debugDescription: "A document holds fields, and a \(T.self) has none."))
      }
      return EncodedDocument(fields: fields, changes: encoded.changes)
    } catch {
      let place = document.map { " for \"\($0.path)\"" } ?? ""
      throw DatabaseError(
        coding: error, subject: "\(T.self) doesn't encode\(place).",
        document: document?.path.description)
    }
  }
}
