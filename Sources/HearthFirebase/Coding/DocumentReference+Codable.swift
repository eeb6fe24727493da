import Hearth

extension DocumentReference: Codable {
  /// Decodes a stored reference.
  ///
  /// - Throws: ``FirestoreDecodingError`` for other decoders than that of documents.
  public convenience init(from decoder: any Decoder) throws {
    try decoder.requireDocument(for: "DocumentReference")
    let stored = try Hearth.DocumentReference(from: decoder)
    self.init(stored, in: Firestore.over(stored.database))
  }

  /// Encodes the reference as a stored reference.
  ///
  /// - Throws: `EncodingError` for a reference with an invalid path or without a database;
  ///   ``FirestoreEncodingError`` for other encoders than that of documents.
  public func encode(to encoder: any Encoder) throws {
    try encoder.requireDocument(for: "DocumentReference")
    try encoder.encode(self) { () throws(DatabaseError) in try name() }
  }
}

extension Encoder {
  /// Encodes a value in the form in which Hearth stores it.
  ///
  /// - Throws: `EncodingError` if `stored` throws.
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
