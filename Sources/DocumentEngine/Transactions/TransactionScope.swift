package import HearthDocumentModel
import HearthOrderedStore

/// One attempt at a transaction: a view to read from, the keys read, the writes, and a commit that
/// succeeds only if all reads are still valid (§7.4).
///
/// It takes no locks. Other commits go on. The log keeps them until the transaction ends, to
/// compare them with the reads. It may be used from any thread.
package final class TransactionScope: Sendable {
  /// The state of a transaction while it runs.
  fileprivate struct Attempt {
    /// The view, which records the reads through it.
    let view: ReadView
    /// Keeps later commits to compare with; `nil` for a transaction that only reads.
    var follower: CommitLog.Follower?
    var writes: [Write] = []
    /// Documents that were read and missing, and that the transaction hasn't written since.
    var missing: Set<ResourcePath> = []
  }

  private let writer: CommitWriter
  private let recorder = ReadRecorder()
  private let position: UInt64
  /// The attempt for which other commits wait; `nil` for none.
  private let lone: LoneAttempt?
  /// The state; `nil` once the transaction has ended.
  private let attempt: Lock<Attempt?>

  /// Begins a transaction at the current moment, which waits for its turn if it is to run alone.
  init(_ writer: CommitWriter, alone lone: LoneAttempt?) throws(DatabaseError) {
    try writer.publication.process.check()
    // An attempt that runs alone would hold this up.
    _ = try writer.publication.readView()
    if let lone { try writer.committer.begin(lone) }
    self.writer = writer
    self.lone = lone
    // Follows before the view is taken, so that the log has all commits that the view lacks.
    let follower = writer.log.follow()
    do throws(DatabaseError) {
      let view = try writer.publication.readView()
      position = view.commitNumber
      follower.move(to: position)
      attempt = Lock(Attempt(view: view.recording(to: recorder), follower: follower))
    } catch {
      if let lone { writer.committer.end(lone) }
      throw error
    }
  }

  /// Begins a transaction that only reads.
  init(_ writer: CommitWriter, reading view: ReadView) {
    self.writer = writer
    lone = nil
    position = 0
    attempt = Lock(Attempt(view: view))
  }

  // MARK: Reading

  /// Returns the view of the transaction. It records the documents, queries and listings that are
  /// read through it.
  ///
  /// - Throws: `invalidArgument` after a write; `failedPrecondition` once the transaction has
  ///   ended.
  package func readView() throws(DatabaseError) -> ReadView {
    try attempt.withLock { attempt throws(DatabaseError) in
      guard let attempt else { throw .transactionEnded }
      guard attempt.writes.isEmpty else {
        throw .invalidArgument(
          "Firestore transactions require all reads to be executed before all writes.")
      }
      return attempt.view
    }
  }

  /// Returns the document at `path`; `nil` if there is none.
  ///
  /// - Complexity: two point reads.
  /// - Throws: the same as `readView()`; `dataLoss`; errors of the store.
  package func document(at path: ResourcePath) throws(DatabaseError) -> FetchedDocument? {
    let document = try readView().document(at: path)
    if document == nil { attempt.withLock { _ = $0?.missing.insert(path) } }
    return document
  }

  /// Returns the documents at `paths`, like `ReadView.documents(at:)`.
  package func documents(
    at paths: [ResourcePath]
  ) throws(DatabaseError) -> [(path: ResourcePath, record: FetchedDocument?)] {
    let documents = try readView().documents(at: paths)
    attempt.withLock { attempt in
      for document in documents where document.record == nil {
        attempt?.missing.insert(document.path)
      }
    }
    return documents
  }

  /// The memory that the record of its reads takes.
  package var readByteCount: Int { recorder.byteCount }

  // MARK: Writing

  /// Adds a write for the commit to apply.
  ///
  /// - Throws: `invalidArgument` for an update of a document that was read and missing, or in a
  ///   transaction that only reads; `failedPrecondition` once the transaction has ended.
  package func append(_ write: Write) throws(DatabaseError) {
    try attempt.withLock { attempt throws(DatabaseError) in
      guard attempt != nil else { throw .transactionEnded }
      guard attempt?.follower != nil else {
        throw .invalidArgument("Firestore read-only transactions cannot execute writes.")
      }
      if write.isUpdate, attempt?.missing.contains(write.path) == true {
        throw .invalidArgument("Can't update a document that doesn't exist.")
      }
      attempt?.missing.remove(write.path)
      attempt?.writes.append(write)
    }
  }

  /// Ends the transaction and applies its writes as one commit, if nothing that it read has been
  /// written since. Then it is as if it had run at this moment alone. A transaction without writes
  /// stands at the moment of its view, and there is nothing to do.
  ///
  /// It blocks like every commit.
  ///
  /// - Parameters:
  ///   - writes: further writes, which may update any document.
  ///   - judgement: the judgement of all writes; `nil` for none.
  /// - Complexity: the same as `Engine.commit`; for each key written since the view was taken, the
  ///   logarithm of the number of ranges read.
  /// - Throws: `aborted` if something that was read has changed, or if too much was written to
  ///   check it; the errors of `Engine.commit`; `failedPrecondition` once the transaction has
  ///   ended.
  package func commit(
    _ writes: [Write] = [], judging judgement: CommitJudgement? = nil
  ) throws(DatabaseError) -> CommitResult {
    try writer.publication.process.check()
    guard let attempt = end() else { throw .transactionEnded }
    defer { if let lone { writer.committer.end(lone) } }
    let writes = attempt.writes + writes
    guard !writes.isEmpty else {
      return CommitResult(writeResults: [], commitTime: attempt.view.readTime)
    }
    // The follower keeps the commits to compare with until the commit returns.
    do throws(DatabaseError) {
      return try withExtendedLifetime(attempt) { () throws(DatabaseError) in
        try writer.commit(
          writes, judging: judgement,
          validating: ReadValidation(
            reads: recorder.merged(), position: position, log: writer.log),
          by: lone)
      }
    } catch {
      if error.code == .aborted {
        writer.publication.observer?.observe(.transactionConflicted(error))
      }
      throw error
    }
  }

  /// Ends the transaction without a trace. It may be called more than once. In a forked process it
  /// does nothing.
  package func rollback() {
    guard !writer.publication.process.isInherited, end() != nil, let lone else { return }
    writer.committer.end(lone)
  }

  private func end() -> Attempt? {
    attempt.withLock { attempt in
      defer { attempt = nil }
      return attempt
    }
  }
}

extension Write {
  /// Whether it changes a document that must exist.
  fileprivate var isUpdate: Bool {
    if case .update = operation { precondition == .exists(true) } else { false }
  }
}

extension DatabaseError {
  fileprivate static var transactionEnded: DatabaseError {
    DatabaseError(
      .failedPrecondition,
      "A transaction object cannot be used after its update callback has been invoked.")
  }
}
