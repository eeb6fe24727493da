import Hearth

extension DocumentReference {
  /// Reads the document as it is now. The snapshot tells whether the document exists.
  public func getDocument(
    source: FirestoreSource = .default,
    completion: @escaping (DocumentSnapshot?, (any Error)?) -> Void
  ) {
    firestore.read(reading(), completion: completion)
  }

  /// Does the same asynchronously; no handler is called.
  @discardableResult
  public func getDocument(
    source: FirestoreSource = .default
  ) async throws -> DocumentSnapshot {
    try await firestore.read(reading())
  }

  private func reading() -> @Sendable () throws -> DocumentSnapshot {
    let requests = firestore.requests
    return { DocumentSnapshot(try requests.getDocument(self.target.get()), in: self.firestore) }
  }
}
