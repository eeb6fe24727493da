package import HearthDocumentModel
package import HearthOrderedStore
import HearthQueryPlanning
package import HearthStorageFormat
import Synchronization

/// A document database over an ordered store.
///
/// Reads go through a ``ReadView``, which shows one moment of the database. Writes go through
/// ``commit(_:)``, which blocks until they are durable. The engine is synchronous and may be used
/// from any thread.
package final class Engine: Sendable {
  /// The result of the last commit, from which readers and the next commit start.
  private struct Published {
    var state: StateRecord
    var catalog: Catalog
    var sums: SumTable
    /// Whether a batch with a new catalogue is on its way to the store. A snapshot taken meanwhile
    /// might hold either catalogue.
    var isCatalogChanging = false
    /// Whether a batch is on its way to the store. A snapshot taken meanwhile might have it or not.
    var isWriting = false
    /// The view of the last commit; `nil` until a reader asks for it.
    var view: ReadView?
    var isClosed = false
    var followers: [any CommitFollower] = []
    /// The time of the commit that is on its way to the store.
    var pendingCommitTime: Timestamp?
    /// The latest time at which a reader has read. All later commits get a later time.
    var latestReadTime = Timestamp.minimum
    /// The time of the last commit that changed nothing. Such a commit leaves `state` as it was.
    var lastIdleCommitTime = Timestamp.minimum

    /// The time of the last commit, including commits that changed nothing.
    var lastCommitTime: Timestamp { max(state.lastCommitTime, lastIdleCommitTime) }

    /// Returns the time for the next commit, which is later than the last commit and all reads.
    mutating func takeCommitTime(now: Timestamp) throws(DatabaseError) -> Timestamp {
      let earliest = max(lastCommitTime, latestReadTime).microseconds + 1
      let time = try Timestamp(microseconds: max(now.microseconds, earliest))
      pendingCommitTime = time
      return time
    }
  }

  /// The turns of the callers that wait to change indexes, in the order in which they came.
  private struct Turns {
    var last = 0
    var current = 1
  }

  package let store: any OrderedStore
  package let clock: SteadyClock
  /// Whether the observer was told that commit times run ahead of the clock.
  private let hasToldLead = Atomic(false)
  private let published: Lock<Published>
  let committer: Committer
  private let turns = Lock(Turns())
  /// The gauge of latencies. While it measures, readers record their reads in it, and the engine
  /// records commits.
  package let latencies = LatencyGauge()
  let caches: EngineCaches
  /// The superseded moments of the database; `nil` if they aren't kept.
  let history: SnapshotHistory?
  /// The latest commits, for the readers that follow them.
  package let commitLog: CommitLog
  package let observer: (any EngineObserver)?
  private let listeners = Atomic(0)
  /// The counters of the use of indexes.
  package let usage: IndexUsage
  /// The time at which this engine founded the database; `nil` if the database already existed.
  private let creationTime: Timestamp?
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
    settings: Settings = Settings(), clock: any EngineClock = SystemClock(),
    observer: (any EngineObserver)? = nil
  ) throws(DatabaseError) {
    try Engine.checkProcess()
    self.store = store
    let clock = SteadyClock(clock) { observer?.observe(.clockSetAhead($0)) }
    self.clock = clock
    self.observer = observer
    committer = Committer(holdingNanoseconds: settings.holdingNanoseconds)
    self.history = history.map(SnapshotHistory.init)
    let (state, catalog, isNew) = try reportingErrors {
      try StoredCatalog.open(store, databaseID: databaseID)
    }
    usage = try reportingErrors {
      try IndexUsage(store.makeSnapshot(), catalog, clock: clock)
    }
    caches = EngineCaches(settings, after: state.commitNumber)
    commitLog = CommitLog(after: state.commitNumber)
    creationTime = isNew ? clock.now() : nil
    let sums = try reportingErrors { try SumTable.read(store.makeSnapshot()) }
    published = Lock(Published(state: state, catalog: catalog, sums: sums))
    // A lead that exists at the open is reported by the caller.
    if commitTimeLead != nil { hasToldLead.store(true, ordering: .relaxed) }
  }

  /// Throws in a process that was forked after the first engine was made, since it lacks the
  /// threads that serve engines.
  ///
  /// - Throws: `failedPrecondition`.
  package static func checkProcess() throws(DatabaseError) { try firstProcess.check() }

  // MARK: Reading

  /// The state and the catalogue after the last commit. Takes no snapshot of the store.
  package var latest: (state: StateRecord, catalog: Catalog) {
    published.withLock { ($0.state, $0.catalog) }
  }

  /// The catalogue and the sums after the last commit.
  package var latestSums: (catalog: Catalog, sums: SumTable) {
    published.withLock { ($0.catalog, $0.sums) }
  }

  /// Whether there are entries that are to be summed and aren't yet.
  package var lacksSums: Bool {
    let (catalog, sums) = latestSums
    return !sums.incompleteSpaces(of: catalog).isEmpty
  }

  /// Returns a view of the database as it is now.
  ///
  /// All callers between two commits get the same view.
  ///
  /// - Throws: errors of the store.
  package func readView() throws(DatabaseError) -> ReadView {
    try process.check()
    if let view = published.withLock({ $0.view }) { return view }
    return try reportingErrors { try makeView() }
  }

  private func makeView() throws -> ReadView {
    while true {
      let before = published.withLock(when: { !$0.isCatalogChanging }) { $0 }
      let snapshot = try store.makeSnapshot()
      let after = published.withLock { $0 }
      guard !after.isCatalogChanging, after.state.catalogVersion == before.state.catalogVersion
      else { continue }
      let isSettled =
        !before.isWriting && !after.isWriting
        && before.state.commitNumber == after.state.commitNumber
      let view = ReadView(
        snapshot, isSettled ? before.state : try Engine.state(in: snapshot),
        catalog: before.catalog, caches: caches,
        usage: usage)
      if isSettled { share(view) }
      return view
    }
  }

  private static func state(in snapshot: any StoreSnapshot) throws -> StateRecord {
    guard let bytes = try snapshot.value(of: StorageKey.state) else {
      throw DatabaseError.damaged("The state record is missing.")
    }
    return try StateRecord(bytes.span.bytes)
  }

  /// Keeps `view` for all readers until the next commit.
  private func share(_ view: ReadView) {
    published.withLock { published in
      guard published.view == nil, !published.isWriting, !published.isClosed,
        published.state.commitNumber == view.commitNumber
      else { return }
      published.view = view
      if caches.settings.reusesCursors { view.keepCursors() }
    }
  }

  /// Gives up the shared view, because there is a newer state or because the view's hold on the
  /// store is in the way.
  private func unshareView() {
    let view = published.withLock { published in
      defer { published.view = nil }
      return published.view
    }
    view?.retire()
  }

  /// Ensures that no later commit gets a time at or before `time`, and waits for a pending one that
  /// has such a time.
  ///
  /// - Returns: the time now.
  /// - Throws: `invalidArgument` for a time in the future, or before the database was founded.
  func reserve(_ time: Timestamp) throws(DatabaseError) -> Timestamp {
    try process.check()
    if let creationTime, time < creationTime {
      throw .invalidArgument(
        "The requested 'read_time' cannot be before database creation time.")
    }
    let clockTime = clock.now()
    // Commits may run ahead of the clock.
    let now = published.withLock {
      max(clockTime, $0.pendingCommitTime ?? $0.lastCommitTime)
    }
    guard time <= now else {
      throw .invalidArgument("The requested 'read_time' cannot be in the future.")
    }
    published.withLock(when: { $0.pendingCommitTime.map { $0 > time } ?? true }) {
      $0.latestReadTime = max($0.latestReadTime, time)
    }
    return now
  }

  // MARK: Writing

  /// Applies `writes` in order, all or none, and returns once they are durable.
  ///
  /// It blocks for at least a synced write of the store, so never call it on a cooperative thread.
  ///
  /// - Complexity: two point reads per document that exists.
  /// - Throws: `invalidArgument` for a broken limit or rule; `alreadyExists`, `notFound` or
  ///   `failedPrecondition` for a precondition (§7.2); errors of the store.
  package func commit(_ writes: [Write]) throws(DatabaseError) -> CommitResult {
    try commit(writes, validating: nil)
  }

  /// Does the same as `commit(_:)`, provided that the reads that the writes depend on are still
  /// valid.
  ///
  /// - Parameter attempt: the attempt that runs alone, if the writes belong to one.
  func commit(
    _ writes: [Write], validating validation: ReadValidation?, by attempt: LoneAttempt? = nil
  ) throws(DatabaseError) -> CommitResult {
    for write in writes { try write.validate() }
    try Write.validateTransformCounts(writes)
    return try submit(
      CommitRequest(
        writes: writes, validating: validation, by: attempt, submittedAt: submissionTime()))
  }

  /// The number of commits that wait for the last attempt of a transaction. For tests, which must
  /// know that commits wait.
  package var heldCommitCount: Int { committer.queue.withLock { $0.held.count } }

  /// Returns the time now if there is an observer, which is told how long requests wait; otherwise
  /// `nil`.
  func submissionTime() -> ContinuousClock.Instant? { observer.map { _ in .now } }

  /// Blocks until `request` is durable or refused.
  ///
  /// - Parameter isBackground: whether the request is the database's own. Its time isn't measured,
  ///   since builds needn't slow down for it.
  func submit(
    _ request: CommitRequest, isBackground: Bool = false
  ) throws(DatabaseError) -> CommitResult {
    try process.check()
    guard request.byteCount <= Limits.requestByteCount else {
      throw .invalidArgument("Transaction too big. Decrease transaction size.")
    }
    guard !isBackground, latencies.isMeasuring else { return try perform(request) }
    let start = clock.monotonicNanoseconds()
    defer { latencies.record(nanoseconds: clock.monotonicNanoseconds() &- start) }
    return try perform(request)
  }

  private func perform(_ request: CommitRequest) throws(DatabaseError) -> CommitResult {
    try checkWritable()
    return try committer.commit(request, write: write)
  }

  /// Throws if every change will be refused, even one that would change nothing.
  ///
  /// - Throws: `failedPrecondition` for a database that was opened for reading only.
  package func checkWritable() throws(DatabaseError) {
    try reportingErrors { try store.checkWritable() }
  }

  /// Throws if a commit of the caller would wait for the caller itself.
  ///
  /// - Throws: `failedPrecondition` in the closure of the last attempt of a transaction.
  package func checkMayCommit() throws(DatabaseError) { try committer.checkIsNotInside() }

  /// Runs `body` while no other caller changes indexes. Such a change takes several commits, and
  /// must find its own result unchanged between them. Callers take turns in the order in which they
  /// came.
  package func administering<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try process.check()
    try checkWritable()
    // The caller before may wait for the very attempt that this caller is in.
    try checkMayCommit()
    let turn = turns.withLock { turns in
      turns.last += 1
      return turns.last
    }
    turns.withLock(when: { $0.current == turn }) { _ in }
    defer { turns.withLock { $0.current += 1 } }
    return try body()
  }

  /// Runs `change` on a group of its own, between the commits of all other callers.
  package func commitExclusively<Outcome: Sendable>(
    _ change: @escaping @Sendable (inout CommitDraft) throws -> Outcome
  ) throws(DatabaseError) -> Outcome {
    try process.check()
    let outcome = Lock<Outcome?>(nil)
    let request = CommitRequest { group in
      let result = try change(&group)
      outcome.withLock { $0 = result }
    }
    _ = try perform(request)
    guard let result = outcome.withLock({ $0 }) else {
      throw DatabaseError(.internal, "A change ended without an outcome.")
    }
    return result
  }

  /// Writes one group and answers its requests.
  private func write(_ requests: [CommitRequest]) {
    var staged: [(request: CommitRequest, results: [WriteResult])] = []
    var event = observer.map { _ in CommitTiming(requests) }
    defer { if let event { observer?.observe(.groupCommitted(event)) } }
    do {
      let now = clock.now()
      let (sums, time) = try published.withLock { published throws(DatabaseError) in
        (published.sums, try published.takeCommitTime(now: now))
      }
      tellLead(of: time, before: now)
      defer { published.withLock { $0.pendingCommitTime = nil } }
      var group = try CommitDraft(readView(), sums: sums, commitTime: time)
      for request in requests {
        do {
          try request.validation?.check(group)
          staged.append((request, try group.stage(request.stage)))
        } catch {
          request.answer(with: .failure(DatabaseError(reporting: error)))
        }
      }
      try publish(&group, &event)
      for (request, results) in staged {
        let result = CommitResult(writeResults: results, commitTime: group.commitTime)
        request.answer(with: .success(result))
      }
      usage.countWrites(group.changes)
    } catch {
      let failure = DatabaseError(reporting: error)
      event?.error = failure
      for request in requests where !request.isAnswered { request.answer(with: .failure(failure)) }
    }
  }

  /// Tells the observer, once, that commit times run ahead of the clock.
  private func tellLead(of time: Timestamp, before now: Timestamp) {
    let lead = CommitTimeLead.duration(of: time, before: now)
    guard let observer, let lead, !hasToldLead.load(ordering: .relaxed) else { return }
    hasToldLead.store(true, ordering: .relaxed)
    observer.observe(.commitTimesLead(lead))
  }

  /// The time by which the last commit is ahead of the clock; `nil` for a minute or less, which
  /// many commits at once can cause. A longer lead means that the clock was wrong once, or is wrong
  /// now.
  package var commitTimeLead: Duration? {
    CommitTimeLead.duration(of: latest.state.lastCommitTime, before: clock.now())
  }

  /// Makes the group durable, and then visible to readers.
  private func publish(_ group: inout CommitDraft, _ event: inout CommitTiming?) throws {
    group.seal()
    guard !group.batch.isEmpty else {
      return published.withLock { [time = group.commitTime] published in
        published.lastIdleCommitTime = time
        published.pendingCommitTime = nil
      }
    }
    let state = group.putState()
    let batch = group.batch
    // This comes before the write, since after it readers of an earlier time look in the history.
    if let history {
      history.append(
        group.view, from: group.view.readTime, to: group.commitTime, byteCount: batch.byteCount)
      observe(history)
    }
    caches.prepare(
      group.changes, group.derived.counts.results, batch, at: state.commitNumber)
    event?.stage(byteCount: batch.byteCount)
    published.withLock { [changesCatalog = group.newCatalog != nil] published in
      published.isWriting = true
      published.isCatalogChanging = changesCatalog
    }
    defer {
      published.withLock { published in
        published.isWriting = false
        published.isCatalogChanging = false
      }
    }
    try write(batch, of: group)
    event?.store()
    if let catalog = group.newCatalog {
      usage.follow(from: group.view.catalog, to: catalog, at: group.commitTime)
    }
    let followers = published.withLock { [group] published in
      published.state = state
      published.sums = group.derived.sums.table
      published.catalog = group.catalog
      published.pendingCommitTime = nil
      // Readers that a follower tells must find the commit.
      published.isWriting = false
      published.isCatalogChanging = false
      return published.followers
    }
    guard !followers.isEmpty else { return }
    let commit = PublishedCommit(batch: batch, state: state, catalog: group.newCatalog)
    for follower in followers { follower.follow(commit) }
  }

  private func write(_ batch: StoreBatch, of group: CommitDraft) throws {
    commitLog.begin()
    do {
      try store.write(batch)
    } catch {
      commitLog.abandon()
      throw error
    }
    caches.publish(group.derived.counts.results, at: group.commitNumber)
    // A reader that follows the log from now on takes a view, which must have this commit.
    unshareView()
    commitLog.append(group.commitNumber) { group.committed }
  }

  /// The number and the approximate bytes of the superseded moments that are kept; `nil` if none
  /// are kept.
  package var historyExtent: (momentCount: Int, byteCount: Int)? { history?.extent }

  /// Releases the moments of the kept history that are too old to be read.
  package func trimHistory() {
    guard let history else { return }
    history.trim(now: clock.now())
    observe(history)
  }

  /// Releases the snapshots that are kept for the next reader. They would keep everything that was
  /// deleted since.
  package func releaseSnapshots() {
    caches.scans?.releaseCursors()
    unshareView()
  }

  // MARK: Following

  /// Returns the follower of a type. If there is none, `make` makes it from what the last commit
  /// left, and it is told of every commit from then on.
  package func follower<Follower: CommitFollower>(
    _ make: (StateRecord, Catalog) -> Follower
  ) -> Follower {
    published.withLock { published in
      for case let known as Follower in published.followers { return known }
      let follower = make(published.state, published.catalog)
      published.followers.append(follower)
      return follower
    }
  }

  /// The number of listeners of all feeds.
  package var listenerCount: Int { listeners.load(ordering: .relaxed) }

  /// Adds `count`, which may be negative, to the number of listeners.
  func count(listeners count: Int) { listeners.add(count, ordering: .relaxed) }

  private func observe(_ history: SnapshotHistory) {
    guard let observer else { return }
    let (momentCount, byteCount) = history.extent
    observer.observe(.historyChanged(momentCount: momentCount, byteCount: byteCount))
  }

  /// Waits for running calls, and then releases the store. Idempotent. In a forked process it does
  /// nothing, since everything open there belongs to the parent.
  package func close() throws(DatabaseError) {
    guard !process.isInherited else { return }
    for follower in published.withLock({ $0.followers }) { follower.close() }
    history?.close()
    published.withLock { $0.isClosed = true }
    unshareView()
    caches.close()
    try reportingErrors { try store.close() }
  }
}

/// The lead of commit times over the clock.
private enum CommitTimeLead {
  /// One minute, in microseconds. Clocks that a server keeps are set back by less.
  private static let limit: Int64 = 60_000_000

  /// Returns the lead; `nil` for a minute or less.
  static func duration(of time: Timestamp, before now: Timestamp) -> Duration? {
    let lead = time.microseconds - now.microseconds
    return lead > limit ? .microseconds(lead) : nil
  }
}
