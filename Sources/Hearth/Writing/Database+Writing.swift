package import HearthDocumentEngine
public import HearthDocumentModel
import HearthEngineUpkeep

extension Database {
  /// Applies `writes` in order, all of them or none, in one durable commit.
  ///
  /// - Complexity: two point reads per document that exists.
  /// - Returns: one result per write.
  /// - Throws: `invalidArgument` for a broken limit or rule (§1.2); `alreadyExists`, `notFound` or
  ///   `failedPrecondition` for a precondition (§7.2); or the store's error.
  @discardableResult
  public func commit(_ writes: [Write]) throws(DatabaseError) -> [WriteResult] {
    try observed(.commit) { () throws(DatabaseError) in try engine.commit(writes).writeResults }
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func commit(_ writes: [Write]) async throws(DatabaseError) -> [WriteResult] {
    try await Blocking.run(.change) { () throws(DatabaseError) in try self.commit(writes) }
  }

  /// Applies `writes` as `commit` does, and returns the time of the commit with the results.
  ///
  /// - Parameter judgement: the judgement of the writes, within the commit; `nil` for none.
  package func commitRequest(
    _ writes: [Write], judging judgement: CommitJudgement? = nil
  ) throws(DatabaseError) -> CommitResult {
    try observed(.commit) { () throws(DatabaseError) in
      try engine.commit(writes, judging: judgement)
    }
  }

  /// Begins a load of many documents: see ``DocumentLoad``.
  package func makeLoad() -> DocumentLoad { engine.makeLoad() }

  /// Applies a single write.
  func commit(_ write: Write) throws(DatabaseError) -> WriteResult {
    try observed(.commit) { () throws(DatabaseError) in try engine.commit([write]).writeResults[0] }
  }

  func commit(_ write: Write) async throws(DatabaseError) -> WriteResult {
    try await Blocking.run(.change) { () throws(DatabaseError) in try self.commit(write) }
  }

  /// Applies each of `writes` or refuses it, independently of the others (§7.1). It is for large
  /// numbers of unrelated writes.
  ///
  /// - Complexity: the same as `commit`.
  /// - Returns: one result per write, in their order.
  /// - Throws: `invalidArgument` if two writes are of one document, or all of them together are too
  ///   large; or the store's error. On an error, no write was applied.
  public func batchWrite(
    _ writes: [Write]
  ) throws(DatabaseError) -> [Result<WriteResult, DatabaseError>] {
    try observed(.batchWrite) { () throws(DatabaseError) in try engine.batchWrite(writes) }
  }

  /// Does the same without blocking the calling thread.
  public func batchWrite(
    _ writes: [Write]
  ) async throws(DatabaseError) -> [Result<WriteResult, DatabaseError>] {
    try await Blocking.run(.change) { () throws(DatabaseError) in try self.batchWrite(writes) }
  }

  /// Returns an empty batch, whose writes are committed together.
  public func batch() -> WriteBatch { WriteBatch(in: self) }

  /// Deletes the document or collection at `path` with everything below it, in many commits.
  ///
  /// A reader may see a part of the deletion. Documents written during the call may stay.
  ///
  /// - Complexity: reads every document that it deletes.
  /// - Returns: the number of documents deleted.
  /// - Throws: `invalidArgument` for a path that breaks the rules of §1.1, or the store's error.
  @discardableResult
  public func recursiveDelete(_ path: String) throws(DatabaseError) -> Int {
    try recursiveDelete(path) { _ in }
  }

  /// Does the same, and tells how many documents are deleted after each commit.
  package func recursiveDelete(
    _ path: String, progress: (Int) -> Void
  ) throws(DatabaseError) -> Int {
    try observed(.recursiveDelete) { () throws(DatabaseError) in
      try engine.recursiveDelete(ResourcePath(path), progress: progress)
    }
  }

  /// Returns the number of documents at `path` and below it.
  func countBelow(_ path: ResourcePath, progress: (Int) -> Void) throws(DatabaseError) -> Int {
    try engine.countBelow(path, progress: progress)
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func recursiveDelete(_ path: String) async throws(DatabaseError) -> Int {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.recursiveDelete(path)
    }
  }

  /// Number of commits that wait for the last attempt of a transaction. Tests use it to know that
  /// they wait.
  package var heldCommitCount: Int { engine.heldCommitCount }
}
