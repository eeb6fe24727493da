package import DocumentModel
import OrderedStore

/// One attempt at a transaction: a moment to read from, what was read of it, the writes, and a
/// commit that holds only if all that was read still stands (§7.4).
///
/// It takes no locks. Other commits go on, and are kept by the log to be compared with what was
/// read, until the transaction ends. It may be used from any thread.
package final class TransactionScope: Sendable {
  /// State of a transaction for as long as it runs.
  fileprivate struct Attempt {
    /// Takes down what is read through it.
    let view: ReadView
    /// Keeps later commits to compare with; `nil` for a transaction that only reads.
    var follower: CommitLog.Follower?
    var writes: [Write] = []
    /// Documents that were read and not there, and that the transaction hasn't written since.
    var missing: Set<ResourcePath> = []
  }

  private let engine: Engine
  private let recorder: ReadRecorder
  private let position: UInt64
  /// The attempt that holds others up for it.
  private let lone: LoneAttempt?
  /// `nil` once the transaction has ended.
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

  /// The moment that the transaction reads. It takes down the documents and queries that are read
  /// through it; listings are no part of transactions.
  ///
  /// - Throws: `invalidArgument` behind a write, `failedPrecondition` once the transaction has
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

  /// The document at `path`, or `nil`.
  ///
  /// - Complexity: two point reads.
  /// - Throws: as `readView()`; `dataLoss`, or what the store reports.
  package func document(at path: ResourcePath) throws(DatabaseError) -> FetchedDocument? {
    let document = try readView().document(at: path)
    if document == nil { attempt.withLock { _ = $0?.missing.insert(path) } }
    return document
  }

  /// The documents at `paths`, as `ReadView.documents(at:)`.
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
  /// - Throws: `invalidArgument` for an update of a document that was read and not there, or in a
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
  /// written since: then it is as if it had run at this moment alone. Without writes it stands at
  /// the moment of its view, and there is nothing to do.
  ///
  /// It blocks, as every commit.
  ///
  /// - Complexity: as `Engine.commit`, and the keys written since the view was taken, each the
  ///   logarithm of what was read.
  /// - Throws: `aborted` if something that was read has changed, or too much was written to tell;
  ///   what `Engine.commit` throws; `failedPrecondition` once the transaction has ended.
  package func commit() throws(DatabaseError) -> CommitResult {
    try engine.process.check()
    guard let attempt = end() else { throw .transactionEnded }
    defer { if let lone { engine.committer.end(lone) } }
    guard !attempt.writes.isEmpty else {
      return CommitResult(writeResults: [], commitTime: attempt.view.readTime)
    }
    // The follower keeps the commits to compare with up to the answer.
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

  /// Ends the transaction without a trace. Idempotent; in a forked process it does nothing.
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
  /// - Parameter lone: makes it run alone, as ``LoneAttempt`` says: it then waits for its turn, and
  ///   is to be committed or rolled back.
  /// - Throws: what the store reports; `failedPrecondition` for one that is to run alone, from
  ///   inside of the closure of such a one.
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
    // Follows before the view is taken, so that what the view lacks is in the log.
    let follower = commitLog.follow()
    let view = try readView()
    let position = view.commitNumber
    follower.move(to: position)
    let recorder = ReadRecorder()
    return TransactionScope(
      self, .init(view: view.recording(to: recorder), follower: follower), recorder,
      position: position, alone: lone)
  }

  /// Begins a transaction that only reads, from the current moment or that of an earlier time.
  ///
  /// - Throws: as `readView(at:)`.
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
