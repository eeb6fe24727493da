package import DocumentModel
package import OrderedStore
import QueryPlanning
import StorageFormat
import Synchronization

/// A document database over an ordered store.
///
/// Reads go through a ``ReadView``, one moment of the database; writes through ``commit(_:)``,
/// which blocks until they are durable. The engine is synchronous and may be used from any thread.
package final class Engine: Sendable {
  /// What the last commit left, as readers and the next commit start from it.
  private struct Published {
    var state: StateRecord
    var catalog: Catalog
    var sums: SumTable
    /// Whether a batch with a new catalogue is on its way to the store: a snapshot taken meanwhile
    /// might hold either.
    var isCatalogChanging = false
    /// Whether a batch is on its way to the store: a snapshot taken meanwhile might have it or not.
    var isWriting = false
    /// The view of the last commit, once somebody has asked for it.
    var view: ReadView?
    var isClosed = false
    /// The time of the commit that is on its way to the store.
    var pendingCommitTime: Timestamp?
    /// The latest time that was read at: commits come after it.
    var latestReadTime = Timestamp.minimum
    /// The time of the last commit that changed nothing, and so left the state as it was.
    var lastIdleCommitTime = Timestamp.minimum

    /// The time of the last commit, whether it changed something or not.
    var lastCommitTime: Timestamp { max(state.lastCommitTime, lastIdleCommitTime) }

    /// The time for the next commit: after the last one and after what was read.
    mutating func takeCommitTime(now: Timestamp) throws(DatabaseError) -> Timestamp {
      let earliest = max(lastCommitTime, latestReadTime).microseconds + 1
      let time = try Timestamp(microseconds: max(now.microseconds, earliest))
      pendingCommitTime = time
      return time
    }
  }

  /// Those who wait to change indexes, in the order in which they came.
  private struct Turns {
    var last = 0
    var current = 1
  }

  package let store: any OrderedStore
  let clock: SteadyClock
  /// Whether an observer was told that commit times run ahead of the clock.
  private let hasToldLead = Atomic(false)
  private let published: Lock<Published>
  let committer: Committer
  private let turns = Lock(Turns())
  /// What is known of builds beyond the catalogue.
  let building: BuildState
  /// Whether somebody sums up entries.
  let isSumming = Lock(false)
  let caches: EngineCaches
  /// Superseded moments, where they are kept.
  let history: SnapshotHistory?
  /// The latest commits, for those who follow them.
  let commitLog: CommitLog
  let observer: (any EngineObserver)?
  private let listeners = Atomic(0)
  /// Where much was deleted.
  let deletedRanges = DeletedRanges()
  /// What is counted of the use of indexes.
  package let usage: IndexUsage
  /// When the database was founded, if that was by this engine.
  private let creationTime: Timestamp?
  /// Of the process that the engine works in.
  package let process = ForkMark()
  /// Of the process that the first engine was made in.
  private static let firstProcess = ForkMark()

  /// Opens the database in `store`, or founds it there if the store is empty.
  ///
  /// - Parameter databaseID: the identity of a new database. For one that exists it must be `nil`
  ///   or its own.
  /// - Parameter history: how much of the past is kept for reads; `nil` is nothing.
  /// - Parameter settings: what it spends memory on.
  /// - Parameter observer: is told what happens; `nil` costs nothing.
  /// - Throws: `failedPrecondition` for another identity, or in a process that was forked from one
  ///   that has, or had, an engine; `dataLoss`, or what the store reports.
  package init(
    _ store: any OrderedStore, databaseID: DatabaseID? = nil, history: HistoryLimits? = nil,
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
    building = BuildState(catalog)
    published = Lock(Published(state: state, catalog: catalog, sums: sums))
    // Whoever opens it tells it then.
    if commitTimeLead != nil { hasToldLead.store(true, ordering: .relaxed) }
  }

  /// Throws in a process that was forked since the first engine was made, and so lacks the threads
  /// that serve engines.
  ///
  /// - Throws: `failedPrecondition`.
  package static func checkProcess() throws(DatabaseError) { try firstProcess.check() }

  // MARK: Reading

  /// What the last commit left, without the store being asked for a snapshot.
  var latest: (state: StateRecord, catalog: Catalog) {
    published.withLock { ($0.state, $0.catalog) }
  }

  /// The catalogue and the sums that the last commit left.
  var latestSums: (catalog: Catalog, sums: SumTable) {
    published.withLock { ($0.catalog, $0.sums) }
  }

  /// The database as it is now.
  ///
  /// Between two commits it is one view for all who ask.
  ///
  /// - Throws: what the store reports.
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

  /// Keeps `view` for all who ask before the next commit.
  private func share(_ view: ReadView) {
    published.withLock { published in
      guard published.view == nil, !published.isWriting, !published.isClosed,
        published.state.commitNumber == view.commitNumber
      else { return }
      published.view = view
      if caches.settings.reusesCursors { view.keepCursors() }
    }
  }

  /// Gives up the view that is shared: there is something newer, or its hold on the store is in the
  /// way.
  private func unshareView() {
    let view = published.withLock { published in
      defer { published.view = nil }
      return published.view
    }
    view?.retire()
  }

  /// Makes sure that no commit will have a time at or before `time`, and waits for one that has.
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

  /// Applies `writes` in order, all or none, and returns when they are durable.
  ///
  /// It blocks, for a synced write of the store at least: never call it on a cooperative thread.
  ///
  /// - Complexity: two point reads per document that exists.
  /// - Throws: `invalidArgument` for a broken limit or rule, `alreadyExists`, `notFound` or
  ///   `failedPrecondition` for a precondition (§7.2), or what the store reports.
  package func commit(_ writes: [Write]) throws(DatabaseError) -> CommitResult {
    try commit(writes, validating: nil)
  }

  /// As `commit(_:)`, if what the writes are based on still stands.
  ///
  /// - Parameter attempt: the one that the writes are of, where it runs alone.
  func commit(
    _ writes: [Write], validating validation: ReadValidation?, by attempt: LoneAttempt? = nil
  ) throws(DatabaseError) -> CommitResult {
    for write in writes { try write.validate() }
    try Write.validateTransformCounts(writes)
    return try submit(
      CommitRequest(
        writes: writes, validating: validation, by: attempt, submittedAt: submissionTime()))
  }

  /// Number of commits that wait for the last attempt of a transaction: for tests, which must know
  /// that they do.
  package var heldCommitCount: Int { committer.queue.withLock { $0.held.count } }

  /// The time now, where an observer is told how long requests wait.
  func submissionTime() -> ContinuousClock.Instant? { observer.map { _ in .now } }

  /// Blocks until `request` is durable or refused.
  ///
  /// - Parameter isBackground: whether it is the database's own: builds needn't respect how long
  ///   that takes.
  func submit(
    _ request: CommitRequest, isBackground: Bool = false
  ) throws(DatabaseError) -> CommitResult {
    try process.check()
    guard request.byteCount <= Limits.requestByteCount else {
      throw .invalidArgument("Transaction too big. Decrease transaction size.")
    }
    guard !isBackground, building.gauge.isMeasuring else { return try perform(request) }
    let start = clock.monotonicNanoseconds()
    defer { building.gauge.record(nanoseconds: clock.monotonicNanoseconds() &- start) }
    return try perform(request)
  }

  private func perform(_ request: CommitRequest) throws(DatabaseError) -> CommitResult {
    try checkWritable()
    return try committer.commit(request, write: write)
  }

  /// Throws if every change will be refused, also one that would turn out to change nothing.
  ///
  /// - Throws: `failedPrecondition` for a database that was opened for reading only.
  func checkWritable() throws(DatabaseError) {
    try reportingErrors { try store.checkWritable() }
  }

  /// Throws if a commit of the caller's would wait for the caller itself.
  ///
  /// - Throws: `failedPrecondition` in the closure of the last attempt of a transaction.
  package func checkMayCommit() throws(DatabaseError) { try committer.checkIsNotInside() }

  /// Runs `body` while nobody else changes indexes: such a change takes several commits, and counts
  /// on finding between them what it left. Whoever comes first is first.
  func administering<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try process.check()
    try checkWritable()
    // The one before may be held up by the very attempt that the caller is in.
    try checkMayCommit()
    let turn = turns.withLock { turns in
      turns.last += 1
      return turns.last
    }
    turns.withLock(when: { $0.current == turn }) { _ in }
    defer { turns.withLock { $0.current += 1 } }
    return try body()
  }

  /// Runs `change` on a group of its own, between the commits of everybody else.
  func commitExclusively<Outcome: Sendable>(
    _ change: @escaping @Sendable (inout CommitGroup) throws -> Outcome
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
    var event = observer.map { _ in GroupCommit(requests) }
    defer { if let event { observer?.observe(.groupCommitted(event)) } }
    do {
      let now = clock.now()
      let (state, sums, time) = try published.withLock { published throws(DatabaseError) in
        (published.state, published.sums, try published.takeCommitTime(now: now))
      }
      tellLead(of: time, before: now)
      defer { published.withLock { $0.pendingCommitTime = nil } }
      var group = try CommitGroup(readView(), state: state, sums: sums, commitTime: time)
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

  /// Tells an observer, once, that commit times run ahead of the clock.
  private func tellLead(of time: Timestamp, before now: Timestamp) {
    let lead = CommitTimeLead.duration(of: time, before: now)
    guard let observer, let lead, !hasToldLead.load(ordering: .relaxed) else { return }
    hasToldLead.store(true, ordering: .relaxed)
    observer.observe(.commitTimesLead(lead))
  }

  /// Time by which the last commit is ahead of the clock, where that is too much to be due to
  /// many commits at once: the clock was wrong once, or is now.
  package var commitTimeLead: Duration? {
    CommitTimeLead.duration(of: latest.state.lastCommitTime, before: clock.now())
  }

  /// Makes the group durable, then lets readers know of it.
  private func publish(_ group: inout CommitGroup, _ event: inout GroupCommit?) throws {
    guard !group.batch.isEmpty else {
      return published.withLock { [time = group.commitTime] published in
        published.lastIdleCommitTime = time
        published.pendingCommitTime = nil
      }
    }
    let batch = group.sealed()
    // Before the write: once it is done, whoever reads at an earlier time looks there.
    if let history {
      history.append(
        group.view, from: group.view.readTime, to: group.commitTime, byteCount: batch.byteCount)
      observe(history)
    }
    caches.prepare(group, batch)
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
    published.withLock { [group] published in
      published.state = group.state
      published.sums = group.sums
      published.catalog = group.catalog
      published.pendingCommitTime = nil
    }
  }

  private func write(_ batch: StoreBatch, of group: CommitGroup) throws {
    commitLog.begin()
    do {
      try store.write(batch)
    } catch {
      commitLog.abandon()
      throw error
    }
    deletedRanges.note(batch)
    caches.publish(group)
    // Who follows the log from now on takes a view then, which must have this commit.
    unshareView()
    commitLog.append(group.state.commitNumber) { group.committed(batch) }
  }

  /// Rewrites the store's files without what was deleted or overwritten.
  ///
  /// - Complexity: all bytes of the database.
  /// - Throws: what the store reports.
  package func compact() throws(DatabaseError) {
    try process.check()
    try checkWritable()
    if let history {
      history.trim(now: clock.now())
      observe(history)
    }
    try compact(.all)
    // Its cursors would keep the old files.
    unshareView()
  }

  /// Lets go of the snapshots that are kept for the next reader, which would keep what was deleted
  /// since.
  func releaseSnapshots() {
    caches.scans?.releaseCursors()
    unshareView()
  }

  /// The listeners of all feeds.
  package var listenerCount: Int { listeners.load(ordering: .relaxed) }

  /// So many more listeners are there, or fewer.
  func count(listeners count: Int) { listeners.add(count, ordering: .relaxed) }

  private func observe(_ history: SnapshotHistory) {
    guard let observer else { return }
    let (momentCount, byteCount) = history.extent
    observer.observe(.historyChanged(momentCount: momentCount, byteCount: byteCount))
  }

  /// Waits for what is running, then releases the store. Idempotent; in a forked process it does
  /// nothing, since what is open is its parent's.
  package func close() throws(DatabaseError) {
    guard !process.isInherited else { return }
    building.stop()
    history?.close()
    published.withLock { $0.isClosed = true }
    unshareView()
    caches.close()
    building.scan.withLock { $0 = nil }
    try reportingErrors { try store.close() }
  }
}

/// Lead of commit times over the clock.
private enum CommitTimeLead {
  /// A minute: clocks that are kept by a server are set back by less.
  private static let limit: Int64 = 60_000_000

  /// `nil` for less than a minute.
  static func duration(of time: Timestamp, before now: Timestamp) -> Duration? {
    let lead = time.microseconds - now.microseconds
    return lead > limit ? .microseconds(lead) : nil
  }
}
