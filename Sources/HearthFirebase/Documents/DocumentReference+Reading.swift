import Hearth

extension DocumentReference {
  /// Reads the document as it is now. The snapshot tells whether the document exists.
  public func getDocument(
    source: FirestoreSource = .default,
    completion: @escaping (DocumentSnapshot?, (any Error)?) -> Void
  ) {
    firestore.read(read, completion: completion)
  }

  /// Does the same asynchronously; no handler is called.
  @discardableResult
  public func getDocument(
    source: FirestoreSource = .default
  ) async throws -> DocumentSnapshot {
    try await firestore.read(read)
  }

  private func read() throws -> DocumentSnapshot {
    DocumentSnapshot(try target.get().getDocument(), in: firestore)
  }
}
