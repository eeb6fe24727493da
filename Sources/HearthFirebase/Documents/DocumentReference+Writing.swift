import Hearth

extension DocumentReference {
  // MARK: Set

  /// Creates the document or replaces it.
  public func setData(
    _ documentData: [String: Any], completion: (((any Error)?) -> Void)? = nil
  ) {
    commit(completion) { try .set(documentData, merge: false) }
  }

  /// Creates the document or replaces it; with `merge`, the data is merged into it (§7.1).
  public func setData(
    _ documentData: [String: Any], merge: Bool, completion: (((any Error)?) -> Void)? = nil
  ) {
    commit(completion) { try .set(documentData, merge: merge) }
  }

  /// Creates the document or merges some of the data's fields into it: texts with dots or
  /// ``FieldPath``s name them.
  public func setData(
    _ documentData: [String: Any], mergeFields: [Any],
    completion: (((any Error)?) -> Void)? = nil
  ) {
    commit(completion) { try .set(documentData, mergeFields: mergeFields) }
  }

  /// The same, awaited: no handler is called.
  public nonisolated(nonsending) func setData(_ documentData: [String: Any]) async throws {
    try await commit { try .set(documentData, merge: false) }
  }

  /// The same, awaited: no handler is called.
  public nonisolated(nonsending) func setData(
    _ documentData: [String: Any], merge: Bool
  ) async throws {
    try await commit { try .set(documentData, merge: merge) }
  }

  /// The same, awaited: no handler is called.
  public nonisolated(nonsending) func setData(
    _ documentData: [String: Any], mergeFields: [Any]
  ) async throws {
    try await commit { try .set(documentData, mergeFields: mergeFields) }
  }

  // MARK: Update

  /// Changes single fields of a document that exists. The keys are texts, whose dots lead into
  /// maps, or ``FieldPath``s.
  public func updateData(
    _ fields: [AnyHashable: Any], completion: (((any Error)?) -> Void)? = nil
  ) {
    commit(completion) { try .update(fields) }
  }

  /// The same, awaited: no handler is called.
  public nonisolated(nonsending) func updateData(_ fields: [AnyHashable: Any]) async throws {
    try await commit { try .update(fields) }
  }

  // MARK: Delete

  /// Deletes the document, if there is one. What lies below it stays (§1.1).
  public func delete(completion: (((any Error)?) -> Void)? = nil) {
    commit(completion) { .delete }
  }

  /// The same, awaited: no handler is called.
  public nonisolated(nonsending) func delete() async throws {
    try await commit { .delete }
  }
}

extension DocumentReference {
  /// Commits a write, which is made at once: the data may change when the call has returned.
  func commit(
    _ completion: (((any Error)?) -> Void)?, _ write: () throws -> DocumentWrite
  ) {
    let batch = batch(write)
    firestore.write({ try batch.get().commit() }, completion: completion)
  }

  private nonisolated(nonsending) func commit(_ write: () throws -> DocumentWrite) async throws {
    let batch = batch(write)
    try await firestore.write { try batch.get().commit() }
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
