import OrderedStore
import Synchronization

/// What an open database keeps of its builds in memory.
final class BuildState: Sendable {
  let ledger = Lock(BuildLedger())
  /// The scan that is under way; touched only by whoever administers.
  let scan = Lock<BuildScan?>(nil)
  let pacer: Lock<BuildPacer>
  let gauge = LatencyGauge()
  /// Places up to which drops are deleted that were begun, by the id of what was dropped.
  let dropPositions = Lock<[UInt64: DropPosition]>([:])
  /// Ids of what was dropped and held much, or may have: of what was dropped before the database
  /// was opened, nobody knows how much was deleted then.
  let largeDropIDs: Lock<Set<UInt64>>
  /// Number of keys of drops that were deleted, and that nobody has compacted.
  let uncompactedDropKeyCount = Lock(0)
  /// What was dropped and is deleted, but still to be compacted, which somebody does.
  let emptiedIDs = Lock<Set<UInt64>>([])
  /// The documents counted for kept counts since the database was opened, by the counts' id.
  let countedDocuments = Lock<[UInt64: Int]>([:])
  private let stopped = Atomic(false)
  /// Asks a thread to step, for what nobody waits for.
  private let demand = Lock<(@Sendable () -> Void)?>(nil)
  private let watchers = Lock(BuildWatchers())
  /// How often watchers were told: they are told under this lock, in the order of what happened.
  private let tellingCount = Lock(0)

  /// - Parameter catalog: as the database was opened with.
  init(_ catalog: Catalog) {
    pacer = Lock(BuildPacer())
    largeDropIDs = Lock(Set(catalog.droppedKeys.map(\.id)))
  }

  // MARK: Stopping

  var isStopped: Bool { stopped.load(ordering: .acquiring) }

  /// Lets no further step begin, and wakes whoever waits.
  func stop() {
    stopped.store(true, ordering: .releasing)
    ledger.withLock { $0.noteChange() }
    demand.withLock { $0 = nil }
    watchers.withLock { $0.takeAll() }.forEach { $0.end() }
  }

  // MARK: Driving

  func setDemand(_ body: (@Sendable () -> Void)?) { demand.withLock { $0 = body } }

  /// Whether steps are made that nobody waits for.
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

  /// Tells those who watch what has become of their builds since they were told last.
  ///
  /// What watchers do with it must not lead here again.
  ///
  /// - Parameter endsHeldUp: whether that was the last of builds that something is in the way of.
  func tell(at time: UInt64, endsHeldUp: Bool = false) {
    tellingCount.withLock { count in
      count &+= 1
      tellAlone(at: time, endsHeldUp: endsHeldUp)
    }
  }

  private func tellAlone(at time: UInt64, endsHeldUp: Bool) {
    let due = watchers.withLock { $0.all }
    guard !due.isEmpty else { return }
    let statuses = ledger.withLock { ledger in
      due.map { entry in ledger[entry.number].map { ledger.status(of: $0, at: time) } }
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

/// Somebody who is told how a build goes on.
package struct BuildWatcher: Sendable {
  let tell: @Sendable (BuildStatus) -> Void
  /// There is nothing more to tell.
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
