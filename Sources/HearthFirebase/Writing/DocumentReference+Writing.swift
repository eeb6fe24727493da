import Hearth

extension DocumentReference {
  // MARK: Set

  /// Creates the document or replaces it.
  public func setData(
    _ documentData: [String: Any], completion: (((any Error)?) -> Void)? = nil
  ) {
    commit(completion) { try .set(documentData, merge: false) }
  }

  /// Creates the document or replaces it. With `merge`, the data is merged into the document
  /// (§7.1).
  public func setData(
    _ documentData: [String: Any], merge: Bool, completion: (((any Error)?) -> Void)? = nil
  ) {
    commit(completion) { try .set(documentData, merge: merge) }
  }

  /// Creates the document or merges some of the data's fields into it. The fields are named by
  /// texts with dots or by ``FieldPath``s.
  public func setData(
    _ documentData: [String: Any], mergeFields: [Any],
    completion: (((any Error)?) -> Void)? = nil
  ) {
    commit(completion) { try .set(documentData, mergeFields: mergeFields) }
  }

  /// Does the same asynchronously; no handler is called.
  public nonisolated(nonsending) func setData(_ documentData: [String: Any]) async throws {
    try await commit { try .set(documentData, merge: false) }
  }

  /// Does the same asynchronously; no handler is called.
  public nonisolated(nonsending) func setData(
    _ documentData: [String: Any], merge: Bool
  ) async throws {
    try await commit { try .set(documentData, merge: merge) }
  }

  /// Does the same asynchronously; no handler is called.
  public nonisolated(nonsending) func setData(
    _ documentData: [String: Any], mergeFields: [Any]
  ) async throws {
    try await commit { try .set(documentData, mergeFields: mergeFields) }
  }

  // MARK: Update

  /// Changes single fields of an existing document. The keys are ``FieldPath``s, or texts whose
  /// dots separate the names of nested maps.
  public func updateData(
    _ fields: [AnyHashable: Any], completion: (((any Error)?) -> Void)? = nil
  ) {
    commit(completion) { try .update(fields) }
  }

  /// Does the same asynchronously; no handler is called.
  public nonisolated(nonsending) func updateData(_ fields: [AnyHashable: Any]) async throws {
    try await commit { try .update(fields) }
  }

  // MARK: Delete

  /// Deletes the document, if there is one. Documents below it stay (§1.1).
  public func delete(completion: (((any Error)?) -> Void)? = nil) {
    commit(completion) { .delete }
  }

  /// Does the same asynchronously; no handler is called.
  public nonisolated(nonsending) func delete() async throws {
    try await commit { .delete }
  }
}

extension DocumentReference {
  /// Commits a write. The write is made before the call returns, so the data may change after that.
  func commit(
    _ completion: (((any Error)?) -> Void)?, _ write: () throws -> DocumentWrite
  ) {
    let (batch, requests) = (batch(write), firestore.requests)
    firestore.write({ try requests.commit(batch.get()) }, completion: completion)
  }

  private nonisolated(nonsending) func commit(_ write: () throws -> DocumentWrite) async throws {
    let (batch, requests) = (batch(write), firestore.requests)
    try await firestore.write { try requests.commit(batch.get()) }
  }

  private func batch(
    _ write: () throws -> DocumentWrite
  ) -> Result<Hearth.WriteBatch, any Error> {
    Result {
      let document = try target.get()
      var batch = document.database.batch()
      batch.append(try write(), for: document)
      return batch
    }
  }
}

extension CollectionReference {
  /// Creates a document with a new id.
  @discardableResult
  public func addDocument(
    data: [String: Any], completion: (((any Error)?) -> Void)? = nil
  ) -> DocumentReference {
    let document = document()
    document.setData(data, completion: completion)
    return document
  }

  /// Does the same asynchronously; no handler is called.
  @discardableResult
  public nonisolated(nonsending) func addDocument(
    data: [String: Any]
  ) async throws -> DocumentReference {
    let document = document()
    try await document.setData(data)
    return document
  }
}
