package import HearthDocumentModel
package import HearthOrderedStore
package import HearthStorageFormat

/// A document database over an ordered store.
///
/// Reads go through a ``ReadView``, which shows one moment of the database. Writes go through
/// ``commit(_:)``, which blocks until they are durable. The engine is synchronous and may be used
/// from any thread.
package final class Engine: Sendable {
  package let clock: SteadyClock
  private let publication: Publication
  fileprivate let writer: CommitWriter
  private let caches: EngineCaches
  fileprivate let listeners = ListenerCount()
  /// The mark of the process that the engine works in.
  package let process = ForkMark()
  /// The mark of the process in which the first engine was made.
  private static let firstProcess = ForkMark()

  /// Opens the database in `store`, or founds it there if the store is empty.
  ///
  /// - Parameter databaseID: the identity of a new database. For an existing one it must be `nil`
  ///   or the identity that the database has.
  /// - Parameter history: the limits of the past that is kept for reads; `nil` to keep none.
  /// - Parameter settings: the limits of the caches, and other settings.
  /// - Parameter observer: the observer of the engine's events; `nil` costs nothing.
  /// - Throws: `failedPrecondition` for another identity, or in a process that was forked from one
  ///   that has, or had, an engine; `dataLoss`; errors of the store.
  package init(
    over store: any OrderedStore, databaseID: DatabaseID? = nil, history: HistoryLimits? = nil,
    settings: EngineSettings = EngineSettings(), clock: any EngineClock = SystemClock(),
    observer: (any EngineObserver)? = nil
  ) throws(DatabaseError) {
    try Engine.checkProcess()
    let steadyClock = SteadyClock(clock) { observer?.observe(.clockSetAhead($0)) }
    self.clock = steadyClock
    publication = try reportingErrors {
      try Publication(
        over: store, databaseID: databaseID, history: history, settings: settings,
        clock: steadyClock, observer: observer)
    }
    writer = CommitWriter(publication)
    caches = publication.caches
  }

  /// Throws in a process that was forked after the first engine was made, since it lacks the
  /// threads that serve engines.
  ///
  /// - Throws: `failedPrecondition`.
  package static func checkProcess() throws(DatabaseError) { try firstProcess.check() }

  package var store: any OrderedStore { publication.store }
  package var observer: (any EngineObserver)? { publication.observer }
  /// The settings that the engine was opened with.
  package var settings: EngineSettings { caches.settings }
  /// The counters of the use of indexes.
  package var usage: IndexUsage { publication.usage }
  /// The latest commits, for the readers that follow them.
  package var commitLog: CommitLog { writer.log }
  /// The gauge of latencies. While it measures, readers record their reads in it, and the engine
  /// records commits.
  package var latencies: LatencyGauge { writer.latencies }

  // MARK: Reading

  /// The state and the catalogue after the last commit. Takes no snapshot of the store.
  package var latest: (state: StateRecord, catalog: Catalog) { publication.latest }

  /// Whether there are entries that are to be summed and aren't yet.
  package var lacksSums: Bool { publication.lacksSums }

  /// Returns a view of the database as it is now.
  ///
  /// All callers between two commits get a view of the same moment, and those of one stripe of
  /// threads the same view.
  ///
  /// - Throws: errors of the store.
  package func readView() throws(DatabaseError) -> ReadView { try publication.readView() }

  /// Returns the database as of `time`, with every commit up to then and none after it (§7.5).
  ///
  /// No later commit gets a time at or before `time`, so the result never changes. The view has the
  /// catalogue of that time: an index that wasn't ready then isn't used.
  ///
  /// - Throws: `invalidArgument` for a time in the future, or before a database that was created
  ///   since it was opened; `failedPrecondition` for a time that is no longer kept, or for which no
  ///   history is kept; errors of the store.
  package func readView(at time: Timestamp) throws(DatabaseError) -> ReadView {
    try publication.readView(at: time)
  }

  /// Returns the present time. All commits up to it are visible, and all later ones get a later
  /// time. It may wait for a commit that is on its way.
  ///
  /// - Throws: `invalidArgument` if the clock is set back meanwhile.
  package func presentTime() throws(DatabaseError) -> Timestamp { try publication.presentTime() }

  /// Returns the current document at `path`; `nil` if there is none.
  ///
  /// - Complexity: two point reads; none if the document is cached.
  /// - Throws: `dataLoss`; errors of the store.
  package func document(at path: ResourcePath) throws(DatabaseError) -> FetchedDocument? {
    try process.check()
    // A cached document was changed by no commit whose caller has an answer yet.
    if let documents = caches.documents, let number = caches.names?.number(of: path),
      let record = documents.latestRecord(number), record.isDocument(at: path)
    {
      return FetchedDocument(record)
    }
    // Documents are found without index entries.
    return try publication.presentView().document(at: path)
  }

  /// The statistics of the document cache; `nil` if there is none.
  package var documentCacheStatistics: DocumentCacheStatistics? {
    caches.documents?.statistics
  }

  /// The contents of the scan cache; all zeros if there is none.
  package var scanCacheStatistics: ScanCacheStatistics {
    var statistics = caches.scans?.statistics ?? ScanCacheStatistics()
    if let results = caches.results?.statistics {
      (statistics.resultCount, statistics.resultByteCount) = results
    }
    return statistics
  }

  /// The number and the approximate bytes of the superseded moments that are kept; `nil` if none
  /// are kept.
  package var historyExtent: (momentCount: Int, byteCount: Int)? { publication.history?.extent }

  /// Releases the moments of the kept history that are too old to be read.
  package func trimHistory() { publication.history?.trim(now: clock.now()) }

  /// Releases the snapshots that are kept for the next reader. They would keep everything that was
  /// deleted since.
  package func releaseSnapshots() {
    caches.scans?.releaseCursors()
    publication.unshareView()
  }

  // MARK: Writing

  /// Applies `writes` in order, all or none, and returns once they are durable.
  ///
  /// It blocks for at least a synced write of the store, so never call it on a cooperative thread.
  ///
  /// - Parameter judgement: the judgement of the writes; `nil` for none.
  /// - Complexity: two point reads per document that exists.
  /// - Throws: `invalidArgument` for a broken limit or rule; the error of `judgement`;
  ///   `alreadyExists`, `notFound` or `failedPrecondition` for a precondition (§7.2); errors of the
  ///   store.
  package func commit(
    _ writes: [Write], judging judgement: CommitJudgement? = nil
  ) throws(DatabaseError) -> CommitResult {
    try writer.commit(writes, judging: judgement)
  }

  /// Begins a load of many documents.
  package func makeLoad() -> DocumentLoad { DocumentLoad(writer) }

  /// Applies each of `writes` or refuses it, independently of the others (§7.1). Returns when the
  /// applied ones are durable. They share one commit.
  ///
  /// - Complexity: the same as `commit(_:)`.
  /// - Returns: the results of the writes, in their order.
  /// - Throws: `invalidArgument` if two writes are of one document, or if all of them are too large
  ///   together; errors of the store. Then none was applied.
  package func batchWrite(
    _ writes: [Write]
  ) throws(DatabaseError) -> [Result<WriteResult, DatabaseError>] {
    try writer.batchWrite(writes)
  }

  /// Commits work of the database's own beside the commits of others. Its time isn't measured,
  /// since builds needn't slow down for it.
  ///
  /// - Parameters:
  ///   - writes: the writes that `stage` may apply. No other request of the group writes their
  ///     documents.
  ///   - stage: applies the changes.
  /// - Throws: the error of `stage`; errors of the store.
  package func commitInBackground(
    _ writes: [Write], _ stage: @escaping @Sendable (inout CommitDraft) throws -> Void
  ) throws(DatabaseError) {
    try writer.commitInBackground(writes, stage)
  }

  /// Runs `change` on a draft of its own, between the commits of all other callers.
  package func commitExclusively<Outcome: Sendable>(
    _ change: @escaping @Sendable (inout CommitDraft) throws -> Outcome
  ) throws(DatabaseError) -> Outcome {
    try writer.commitExclusively(change)
  }

  /// Throws if every change will be refused, even one that would change nothing.
  ///
  /// - Throws: `failedPrecondition` for a database that was opened for reading only.
  package func checkWritable() throws(DatabaseError) { try writer.checkWritable() }

  /// Throws if a commit of the caller would wait for the caller itself.
  ///
  /// - Throws: `failedPrecondition` in the closure of the last attempt of a transaction.
  package func checkMayCommit() throws(DatabaseError) { try writer.committer.checkIsNotInside() }

  /// The number of commits that wait for the last attempt of a transaction. For tests, which must
  /// know that commits wait.
  package var heldCommitCount: Int { writer.committer.queue.withLock { $0.held.count } }

  /// The time by which the last commit is ahead of the clock; `nil` for a minute or less, which
  /// many commits at once can cause. A longer lead means that the clock was wrong once, or is wrong
  /// now.
  package var commitTimeLead: Duration? { publication.commitTimeLead }

  // MARK: Transactions

  /// Begins a transaction at the current moment.
  ///
  /// - Parameter lone: makes the transaction run alone, as ``LoneAttempt`` says. It then waits for
  ///   its turn, and must be committed or rolled back.
  /// - Throws: errors of the store; `failedPrecondition` for a transaction that is to run alone,
  ///   from inside the closure of another one.
  package func beginTransaction(
    alone lone: LoneAttempt? = nil
  ) throws(DatabaseError) -> TransactionScope {
    try TransactionScope(writer, alone: lone)
  }

  /// Begins a transaction that only reads, from the current moment or from an earlier time.
  ///
  /// - Throws: the same as `readView(at:)`.
  package func beginReadOnlyTransaction(
    at time: Timestamp? = nil
  ) throws(DatabaseError) -> TransactionScope {
    let view = if let time { try readView(at: time) } else { try readView() }
    return TransactionScope(writer, reading: view)
  }

  /// Begins a transaction that locks what it reads, and so meets no conflict when it commits.
  /// Writers wait for it. It must be committed or rolled back, or ends with its last reference.
  ///
  /// - Parameter seniority: the rank by age of an earlier attempt, which the new one takes over, so
  ///   that it doesn't lose again.
  /// - Throws: `resourceExhausted` if too many are open; `failedPrecondition` once the database is
  ///   closed.
  package func beginLockingTransaction(
    seniority: UInt64? = nil
  ) throws(DatabaseError) -> LockingScope {
    try LockingScope(writer, seniority: seniority)
  }

  /// Ends all transactions that hold locks, and keeps others from beginning. Writes that wait for
  /// them go on.
  package func endLockingTransactions() {
    guard !process.isInherited else { return }
    writer.committer.locks.close()
  }

  /// The number of commits and reads that wait for locks. For tests, which must know that they
  /// wait.
  package var lockWaitCount: Int { writer.committer.locks.waiterCount }

  /// Ends all waits for locks as if their time were over. For tests, which can't wait for it.
  package func endLockWaits() { writer.committer.locks.endWaits() }

  // MARK: Following

  /// Returns the follower of a type. If there is none, `make` makes it from what the last commit
  /// left, and it is told of every commit from then on.
  package func follower<Follower: CommitFollower>(
    _ make: (StateRecord, Catalog) -> Follower
  ) -> Follower {
    publication.follower(make)
  }

  /// The number of listeners of all feeds.
  package var listenerCount: Int { listeners.value }

  /// Waits for running calls, and then releases the store. Idempotent. In a forked process it does
  /// nothing, since everything open there belongs to the parent.
  package func close() throws(DatabaseError) {
    guard !process.isInherited else { return }
    endLockingTransactions()
    publication.close()
    caches.close()
    try reportingErrors { try publication.store.close() }
  }
}

extension ChangeFeed {
  /// - Parameter wake: asks for a `step()`, soon and on another thread. It must not wait.
  package convenience init(_ engine: Engine, wake: @escaping @Sendable (ChangeFeed) -> Void) {
    self.init(engine.writer, engine.listeners, wake: wake)
  }
}
