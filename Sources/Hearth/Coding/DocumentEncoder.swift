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
  public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys
  public var nilEncodingStrategy = NilEncodingStrategy.omit
  /// What the type's own `encode(to:)` finds in its encoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  public init() {}

  /// The fields of a document that holds `value`.
  ///
  /// - Throws: `invalidArgument` with ``DatabaseError/codingFailure`` for what no document can
  ///   hold, or what the type's own `encode(to:)` throws.
  public func encode<T: Encodable>(_ value: T) throws(DatabaseError) -> MapValue {
    try encode(value, for: nil)
  }

  func encode<T: Encodable>(
    _ value: T, for document: DocumentReference?
  ) throws(DatabaseError) -> MapValue {
    do {
      guard case .map(let fields) = try FieldEncoder.encode(value, self) else {
        throw EncodingError.invalidValue(
          value,
          EncodingError.Context(
            codingPath: [],
            debugDescription: "A document holds fields, and a \(T.self) has none."))
      }
      return fields
    } catch {
      let place = document.map { " for \"\($0.path)\"" } ?? ""
      throw DatabaseError(
        coding: error, subject: "\(T.self) doesn't encode\(place).",
        document: document?.path.description)
    }
  }
}
