import Hearth

extension DocumentReference {
  /// The document as it is now; its snapshot says whether there is one.
  public func getDocument(
    source: FirestoreSource = .default,
    completion: @escaping (DocumentSnapshot?, (any Error)?) -> Void
  ) {
    firestore.read(read, completion: split(completion))
  }

  /// The same, awaited: no handler is called.
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

/// A handler of a snapshot or an error, as one of the outcome.
func split<Snapshot>(
  _ completion: @escaping (Snapshot?, (any Error)?) -> Void
) -> (Result<Snapshot, any Error>) -> Void {
  { result in
    switch result {
    case .success(let snapshot): completion(snapshot, nil)
    case .failure(let error): completion(nil, error)
    }
  }
}
