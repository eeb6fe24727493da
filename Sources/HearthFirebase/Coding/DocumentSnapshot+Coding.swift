import Hearth

extension DocumentSnapshot {
  /// Returns the document as a value of `type`.
  ///
  /// - Throws: `DecodingError` if the document doesn't fit, or if there was none and `type` isn't
  ///   optional.
  public func data<T: Decodable>(
    as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none,
    decoder: Firestore.Decoder = Firestore.Decoder()
  ) throws -> T {
    do {
      return try stored.data(as: type, decoder: decoder.stored)
    } catch  where error.code == .notFound {
      throw DecodingError.valueNotFound(
        type, DecodingError.Context(codingPath: [], debugDescription: error.message))
    } catch {
      throw reference.firestore.firebaseError(error)
    }
  }
}

extension DocumentReference {
  /// Reads the document as a value of `type`.
  ///
  /// A failure is a `DecodingError` if the document doesn't fit, or if there is none and `type`
  /// isn't optional.
  public func getDocument<T: Decodable>(
    as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none,
    decoder: Firestore.Decoder = Firestore.Decoder(), source: FirestoreSource = .default,
    completion: @escaping (Result<T, any Error>) -> Void
  ) {
    getDocument(source: source) { snapshot, error in
      completion(
        Result {
          if let error { throw error }
          guard let snapshot else {
            throw DatabaseError(.internal, "A document came without its snapshot.")
          }
          return try snapshot.data(as: type, decoder: decoder)
        })
    }
  }

  /// Does the same asynchronously; no handler is called.
  public nonisolated(nonsending) func getDocument<T: Decodable>(
    as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none,
    decoder: Firestore.Decoder = Firestore.Decoder(), source: FirestoreSource = .default
  ) async throws -> T {
    try await getDocument(source: source).data(as: type, decoder: decoder)
  }
}
