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

  private let engine: Engine
  private let recorder: ReadRecorder
  private let position: UInt64
  /// The attempt for which other commits wait; `nil` for none.
  private let lone: LoneAttempt?
  /// The state; `nil` once the transaction has ended.
  private let attempt: Lock<Attempt?>

  fileprivate init(
    _ engine: Engine, _ attempt: sending Attempt, _ recorder: ReadRecorder, position: UInt64,
    alone lone: LoneAttempt? = nil
  ) {
    self.engine = engine
    self.recorder = recorder
    self.position = position
    self.lone = lone
    self.attempt = Lock(attempt)
  }

  // MARK: Reading

  /// Returns the view of the transaction. It records the documents and queries that are read
  /// through it. Listings are no part of transactions.
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
  /// - Complexity: the same as `Engine.commit`; for each key written since the view was taken, the
  ///   logarithm of the number of ranges read.
  /// - Throws: `aborted` if something that was read has changed, or if too much was written to
  ///   check it; the errors of `Engine.commit`; `failedPrecondition` once the transaction has
  ///   ended.
  package func commit() throws(DatabaseError) -> CommitResult {
    try engine.process.check()
    guard let attempt = end() else { throw .transactionEnded }
    defer { if let lone { engine.committer.end(lone) } }
    guard !attempt.writes.isEmpty else {
      return CommitResult(writeResults: [], commitTime: attempt.view.readTime)
    }
    // The follower keeps the commits to compare with until the commit returns.
    do throws(DatabaseError) {
      return try withExtendedLifetime(attempt) { () throws(DatabaseError) in
        try engine.commit(
          attempt.writes,
          validating: ReadValidation(
            reads: recorder.merged(), position: position, log: engine.commitLog),
          by: lone)
      }
    } catch {
      if error.code == .aborted { engine.observer?.observe(.transactionConflicted(error)) }
      throw error
    }
  }

  /// Ends the transaction without a trace. It may be called more than once. In a forked process it
  /// does nothing.
  package func rollback() {
    guard !engine.process.isInherited, end() != nil, let lone else { return }
    engine.committer.end(lone)
  }

  private func end() -> Attempt? {
    attempt.withLock { attempt in
      defer { attempt = nil }
      return attempt
    }
  }
}

extension Engine {
  /// Begins a transaction at the current moment.
  ///
  /// - Parameter lone: makes the transaction run alone, as ``LoneAttempt`` says. It then waits for
  ///   its turn, and must be committed or rolled back.
  /// - Throws: errors of the store; `failedPrecondition` for a transaction that is to run alone,
  ///   from inside the closure of another one.
  package func beginTransaction(
    alone lone: LoneAttempt? = nil
  ) throws(DatabaseError) -> TransactionScope {
    try process.check()
    guard let lone else { return try makeTransaction(alone: nil) }
    try committer.begin(lone)
    do throws(DatabaseError) {
      return try makeTransaction(alone: lone)
    } catch {
      committer.end(lone)
      throw error
    }
  }

  private func makeTransaction(
    alone lone: LoneAttempt?
  ) throws(DatabaseError) -> TransactionScope {
    // Follows before the view is taken, so that the log has all commits that the view lacks.
    let follower = commitLog.follow()
    let view = try readView()
    let position = view.commitNumber
    follower.move(to: position)
    let recorder = ReadRecorder()
    return TransactionScope(
      self, .init(view: view.recording(to: recorder), follower: follower), recorder,
      position: position, alone: lone)
  }

  /// Begins a transaction that only reads, from the current moment or from an earlier time.
  ///
  /// - Throws: the same as `readView(at:)`.
  package func beginReadOnlyTransaction(
    at time: Timestamp? = nil
  ) throws(DatabaseError) -> TransactionScope {
    let view = if let time { try readView(at: time) } else { try readView() }
    return TransactionScope(self, .init(view: view), ReadRecorder(), position: 0)
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
