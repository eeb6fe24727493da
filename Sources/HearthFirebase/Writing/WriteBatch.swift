import Hearth
import Synchronization

/// Writes that are applied in order, all of them or none (§7.4).
///
/// Each call returns the batch, so that calls can be chained. The commit fails with the first error
/// of a call.
public final class WriteBatch: Sendable {
  private struct State {
    var batch: Result<Hearth.WriteBatch, any Error>
    var isCommitted = false
  }

  private let firestore: Firestore
  private let state: Mutex<State>

  init(_ firestore: Firestore) {
    self.firestore = firestore
    state = Mutex(State(batch: Result { try firestore.database().batch() }))
  }

  /// Creates a document or replaces it.
  @discardableResult
  public func setData(
    _ data: [String: Any], forDocument document: DocumentReference
  ) -> WriteBatch {
    append(for: document) { try .set(data, merge: false) }
  }

  /// Creates a document or replaces it. With `merge`, the data is merged into the document (§7.1).
  @discardableResult
  public func setData(
    _ data: [String: Any], forDocument document: DocumentReference, merge: Bool
  ) -> WriteBatch {
    append(for: document) { try .set(data, merge: merge) }
  }

  /// Creates a document or merges some of the data's fields into it.
  @discardableResult
  public func setData(
    _ data: [String: Any], forDocument document: DocumentReference, mergeFields: [Any]
  ) -> WriteBatch {
    append(for: document) { try .set(data, mergeFields: mergeFields) }
  }

  /// Changes single fields of an existing document.
  @discardableResult
  public func updateData(
    _ fields: [AnyHashable: Any], forDocument document: DocumentReference
  ) -> WriteBatch {
    append(for: document) { try .update(fields) }
  }

  /// Deletes a document, if there is one.
  @discardableResult
  public func deleteDocument(_ document: DocumentReference) -> WriteBatch {
    append(for: document) { .delete }
  }

  @discardableResult
  func append(
    for document: DocumentReference, _ write: () throws -> DocumentWrite
  ) -> WriteBatch {
    let write = Result { (try write(), try document.target.get()) }
    let isLate = state.withLock { state in
      state.batch = Result {
        var batch = try state.batch.get()
        let (write, document) = try write.get()
        batch.append(write, for: document)
        return batch
      }
      return state.isCommitted
    }
    // The commit, which could fail with the error, has already been made.
    if isLate { firestore.report(WriteBatch.committedAlready) }
    return self
  }

  // MARK: Committing

  /// Applies the writes in order, all of them or none.
  public func commit(completion: (((any Error)?) -> Void)? = nil) {
    let (batch, requests) = (taken(), firestore.requests)
    firestore.write({ try requests.commit(batch.get()) }, completion: completion)
  }

  /// Does the same asynchronously; no handler is called.
  public nonisolated(nonsending) func commit() async throws {
    let (batch, requests) = (taken(), firestore.requests)
    try await firestore.write { try requests.commit(batch.get()) }
  }

  private func taken() -> Result<Hearth.WriteBatch, any Error> {
    state.withLock { state in
      defer { state.isCommitted = true }
      return state.isCommitted ? .failure(WriteBatch.committedAlready) : state.batch
    }
  }

  private static let committedAlready = DatabaseError(
    .failedPrecondition, "A write batch can no longer be used after commit has been called.")
}

extension Firestore {
  /// Returns an empty batch, whose writes are committed together.
  public func batch() -> WriteBatch { WriteBatch(self) }
}
