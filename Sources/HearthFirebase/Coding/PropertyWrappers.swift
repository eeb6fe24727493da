import Hearth

extension DocumentReference: Codable {
  public convenience init(from decoder: any Decoder) throws {
    let stored = try Hearth.DocumentReference(from: decoder)
    self.init(stored, in: Firestore.over(stored.database))
  }

  /// - Throws: `EncodingError` for a reference that leads nowhere.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(self) { () throws(DatabaseError) in try name() }
  }
}

extension DocumentReference: DocumentIDWrappable {
  public static func wrap(_ reference: Hearth.DocumentReference) -> DocumentReference {
    DocumentReference(reference, in: Firestore.over(reference.database))
  }
}

extension Timestamp: ServerTimestampWrappable {
  public static func wrap(_ timestamp: Hearth.Timestamp) -> Timestamp { Timestamp(timestamp) }

  public static func unwrap(_ value: Timestamp) throws -> Hearth.Timestamp { try value.stored() }
}

extension Encoder {
  /// Encodes what Hearth stores of a value.
  ///
  /// - Throws: `EncodingError` where `stored` throws.
  func encode<Stored: Encodable>(
    _ value: Any, _ stored: () throws(DatabaseError) -> Stored
  ) throws {
    let encodable: Stored
    do throws(DatabaseError) {
      encodable = try stored()
    } catch {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: codingPath, debugDescription: error.message, underlyingError: error))
    }
    try encodable.encode(to: self)
  }
}
