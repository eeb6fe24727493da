import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
package import HearthReports
import HearthStorageFormat
import Synchronization

/// The state of the builds that an open database keeps in memory.
final class BuildState: CommitFollower {
  let jobs: Lock<JobTable>
  let pacer = Lock(BuildPacer())
  /// The turns of the callers that change indexes.
  fileprivate let turns = Turns()
  /// The turns of the threads that sum up entries.
  let summing = Turns()
  /// The open scan. Only the thread that administers touches it.
  let scan = Lock<BuildScan?>(nil)
  let observer: (any BuildObserver)?
  private let stopped = Atomic(false)
  /// Asks a thread to step for builds that no caller waits for.
  private let demand = Lock<(@Sendable () -> Void)?>(nil)
  private let watchers = Lock(BuildWatchers())
  /// Number of times that watchers were told. They are told under this lock, so that they hear of
  /// events in order.
  private let tellingCount = Lock(0)
  private let clock: any EngineClock

  /// Creates the state of builds that are due according to `catalog`.
  fileprivate init(_ engine: Engine, _ database: StateRecord, _ catalog: Catalog) {
    clock = engine.clock
    observer = engine.observer as? any BuildObserver
    jobs = Lock(JobTable(drops: DropTable(of: catalog)))
    follow(catalog, database)
  }

  // MARK: Following

  func follow(_ commit: PublishedCommit) {
    if let catalog = commit.catalog { follow(catalog, commit.state) }
  }

  private func follow(_ catalog: Catalog, _ database: StateRecord) {
    let time = clock.monotonicNanoseconds()
    jobs.withLock { tell($0.ledger.follow(catalog, database, at: time), of: $0.ledger, at: time) }
  }

  /// Makes a step of builds. Builds that it completes end with the step, after all that it did is
  /// recorded.
  func stepping<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    jobs.withLock { $0.ledger.beginStep() }
    defer {
      let time = clock.monotonicNanoseconds()
      jobs.withLock { tell($0.ledger.endStep(at: time), of: $0.ledger, at: time) }
    }
    return try body()
  }

  /// Tells the observer of builds that have ended. It is told under the ledger's lock, so that a
  /// caller that finds a build ended knows that the observer was told.
  private func tell(_ ended: [BuildRecord], of ledger: BuildLedger, at time: UInt64) {
    guard let observer else { return }
    for record in ended {
      observer.observe(
        .indexBuildEnded(
          collectionGroup: record.collectionGroup, ledger.status(of: record, at: time)))
    }
  }

  // MARK: Stopping

  var isStopped: Bool { stopped.load(ordering: .acquiring) }

  /// Lets no further step begin and wakes all waiting threads.
  func stop() {
    stopped.store(true, ordering: .releasing)
    jobs.withLock { $0.ledger.noteChange() }
    demand.withLock { $0 = nil }
    watchers.withLock { $0.takeAll() }.forEach { $0.end() }
  }

  /// Stops, and releases the open scan.
  func close() {
    stop()
    scan.withLock { $0 = nil }
  }

  // MARK: Driving

  func setDemand(_ body: (@Sendable () -> Void)?) { demand.withLock { $0 = body } }

  /// Whether a thread makes steps that no caller waits for.
  var isDriven: Bool { demand.withLock { $0 != nil } }

  func requestSteps() {
    let body = demand.withLock { $0 }
    body?()
  }

  // MARK: Watching

  func watch(_ number: Int, _ watcher: BuildWatcher) -> Int {
    watchers.withLock { $0.add(watcher, of: number) }
  }

  func unwatch(_ id: Int) { _ = watchers.withLock { $0.remove(id) } }

  /// Tells the watchers how their builds have moved since they were last told.
  ///
  /// A watcher must not call this function again.
  ///
  /// - Parameter endsHeldUp: whether watchers of builds that an obstacle holds up end here.
  func tell(at time: UInt64, endsHeldUp: Bool = false) {
    tellingCount.withLock { count in
      count &+= 1
      tellAlone(at: time, endsHeldUp: endsHeldUp)
    }
  }

  private func tellAlone(at time: UInt64, endsHeldUp: Bool) {
    let due = watchers.withLock { $0.all }
    guard !due.isEmpty else { return }
    let statuses = jobs.withLock { jobs in
      due.map { jobs.ledger.status(of: $0.number, at: time) }
    }
    for (entry, status) in zip(due, statuses) {
      if let status { entry.watcher.tell(status) }
      let isAtEnd = status.map { $0.isFinished || (endsHeldUp && $0.isHeldUp) } ?? true
      if isAtEnd {
        unwatch(entry.id)
        entry.watcher.end()
      }
    }
  }
}

/// The progress of the jobs of an open database: builds, drops and first countings. The catalogue
/// says which are due, so nothing here has to outlive the process.
struct JobTable: Sendable {
  var ledger = BuildLedger()
  var drops: DropTable
  /// Documents counted for kept counts, by the counts' id.
  var countedDocuments: [UInt64: Int] = [:]
}

/// The callbacks of a caller that follows a build.
package struct BuildWatcher: Sendable {
  let tell: @Sendable (BuildStatus) -> Void
  /// Called when there is nothing more to tell.
  let end: @Sendable () -> Void

  package init(
    tell: @escaping @Sendable (BuildStatus) -> Void, end: @escaping @Sendable () -> Void
  ) {
    self.tell = tell
    self.end = end
  }
}

private struct BuildWatchers: Sendable {
  struct Entry: Sendable {
    let id: Int
    let number: Int
    let watcher: BuildWatcher
  }

  private(set) var all: [Entry] = []
  private var nextID = 0

  mutating func add(_ watcher: BuildWatcher, of number: Int) -> Int {
    nextID += 1
    all.append(Entry(id: nextID, number: number, watcher: watcher))
    return nextID
  }

  mutating func remove(_ id: Int) -> BuildWatcher? {
    guard let index = all.firstIndex(where: { $0.id == id }) else { return nil }
    return all.remove(at: index).watcher
  }

  mutating func takeAll() -> [BuildWatcher] {
    defer { all = [] }
    return all.map(\.watcher)
  }
}

extension Engine {
  /// The state of builds, which follows the commits.
  var buildState: BuildState { follower { BuildState(self, $0, $1) } }

  /// Runs `body` while no other caller changes indexes. Such a change takes several commits, and
  /// must find its own result unchanged between them. Callers take turns in the order in which they
  /// came.
  func administering<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try process.check()
    try checkWritable()
    // The caller before may wait for the very attempt that this caller is in.
    try checkMayCommit()
    return try buildState.turns.take(body)
  }

  /// Commits one change of indexes when it is the caller's turn.
  func administer<Outcome: Sendable>(
    _ change: @escaping @Sendable (inout CommitDraft) throws -> Outcome
  ) throws(DatabaseError) -> Outcome {
    try administering { () throws(DatabaseError) in try commitExclusively(change) }
  }
}
