public import DocumentModel

/// Makes documents from values of `Encodable` types.
///
/// The calls that encode, such as `setData(from:merge:encoder:)`, take one
/// where its defaults don't fit. Property by property it builds the value that is written; there is
/// no dictionary in between.
///
/// A property that is `nil` leaves no field, unless ``nilEncodingStrategy`` or ``ExplicitNull``
/// says otherwise.
public struct DocumentEncoder: Sendable {
  /// What properties are called as fields.
  public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys
  /// What a property that is `nil` becomes.
  public var nilEncodingStrategy = NilEncodingStrategy.omit
  /// What the type's own `encode(to:)` finds in its encoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// An encoder that takes names as they are and leaves out what is `nil`.
  public init() {}

  /// The fields of a document that holds `value`.
  ///
  /// - Throws: `invalidArgument` with ``DatabaseError/codingFailure`` for what no document can
  ///   hold, and for what only a write can, such as a ``ServerTimestamp`` that is `nil`; or what
  ///   the type's own `encode(to:)` throws.
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

  /// The data of a write that makes `value` of a document: its fields, and changes such as a server
  /// timestamp where it has them.
  ///
  /// - Throws: `invalidArgument` with ``DatabaseError/codingFailure`` for what no document can
  ///   hold, or what the type's own `encode(to:)` throws.
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
