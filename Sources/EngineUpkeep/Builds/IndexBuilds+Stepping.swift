import HearthDocumentEngine
package import HearthDocumentModel
import HearthOrderedStore
import HearthReports
import HearthStorageFormat

extension IndexBuilds {
  /// Does some milliseconds of the work that is due: drops first, then builds, then kept counts.
  ///
  /// Steps of several threads come one after the other.
  ///
  /// - Returns: the time to wait before the next step; `nil` if there is nothing to do.
  /// - Throws: errors of the store; `failedPrecondition` once the database is closed.
  package func step() throws(DatabaseError) -> Duration? {
    try engine.process.check()
    guard !state.isStopped else { throw IndexBuilds.interruption }
    // A call in the wrong place is no obstacle for the builds.
    try engine.checkMayCommit()
    let changeCount = state.jobs.withLock { $0.ledger.changeCount }
    if let wait = paceWait() { return wait }
    do throws(DatabaseError) {
      let turn = try takeTurn()
      tellOfChanges(since: changeCount)
      // It may take long, and builds needn't wait for it.
      if case .deleted(let emptied) = turn {
        try forget(emptied.filter { !isLeftToUpkeep($0) })
      }
      requestSums(since: changeCount)
      switch turn {
      case .early(let wait): return wait
      case .made, .deleted: return paceWait() ?? .zero
      case .idle:
        rest(at: now)
        return nil
      }
    } catch {
      tell(ofObstacle: error)
      throw error
    }
  }

  /// The outcome of one step.
  private enum Turn: Sendable {
    case early(Duration)
    case made
    /// Keys of drops were deleted. The drops in `emptied` have none left.
    case deleted(emptied: [DroppedKeys])
    case idle
  }

  private func takeTurn() throws(DatabaseError) -> Turn {
    try engine.administering { () throws(DatabaseError) in
      guard !state.isStopped else { throw IndexBuilds.interruption }
      // Another thread may have made the step that was due.
      if let wait = paceWait() { return .early(wait) }
      let dropped = dueDrops(in: engine.latest.catalog)
      guard dropped.isEmpty else {
        defer { noteMove() }
        let step = try engine.stepDrops(dropped)
        if !step.emptied.isEmpty { state.jobs.withLock { $0.ledger.noteChange() } }
        return .deleted(emptied: step.emptied)
      }
      let start = now
      guard let documentCount = try stepAlone() else { return .idle }
      let end = now
      state.pacer.withLock { $0.record(documentCount: documentCount, from: start, to: end) }
      return .made
    }
  }

  private func tellOfChanges(since changeCount: Int) {
    if hasChanged(since: changeCount) { state.tell(at: now) }
  }

  private func hasChanged(since changeCount: Int) -> Bool {
    state.jobs.withLock { $0.ledger.changeCount } != changeCount
  }

  /// Tells the watchers of builds that can't go on. The thread that makes steps gives up then, so
  /// the watchers are told nothing more.
  private func tell(ofObstacle error: DatabaseError) {
    guard !state.isStopped else { return }
    state.jobs.withLock { $0.ledger.note(obstacle: error) }
    state.tell(at: now, endsHeldUp: true)
  }

  /// Asks for steps once all changes of indexes are done, if documents lack sums after them. The
  /// thread that steps for no caller makes the sums when there is nothing else to do.
  private func requestSums(since changeCount: Int) {
    if hasChanged(since: changeCount), !hasWork, engine.lacksSums { state.requestSteps() }
  }

  /// Returns the time that the pace makes the next step wait; `nil` if it may be made now.
  private func paceWait() -> Duration? {
    let time = now
    let wait = state.pacer.withLock { $0.wait(at: time) }
    // A drop needn't wait for the pace of builds.
    guard wait > 0, dueDrops(in: engine.latest.catalog).isEmpty else { return nil }
    return .nanoseconds(Int64(clamping: wait))
  }

  // MARK: Drops

  /// Returns the drops that still have keys to be deleted.
  func dueDrops(in catalog: Catalog) -> [DroppedKeys] {
    let dropped = catalog.droppedKeys
    guard !dropped.isEmpty else { return [] }
    let emptied = state.jobs.withLock { $0.drops.emptiedIDs }
    return dropped.filter { !emptied.contains($0.id) }
  }

  /// Whether the compaction after a drop is left to the upkeep, and no caller waits for it. The
  /// store may find no end to it while others write without a pause.
  private func isLeftToUpkeep(_ dropped: DroppedKeys) -> Bool {
    state.isDriven && engine.latest.catalog.droppedIDs.contains(dropped.id)
  }

  /// Whether a drop is done for the callers that wait for it.
  func isDropped(_ dropped: DroppedKeys) -> Bool {
    isLeftToUpkeep(dropped) && state.jobs.withLock { $0.drops.emptiedIDs.contains(dropped.id) }
  }

  /// Compacts the range of one dropped index whose keys are deleted. Called by a thread that no
  /// caller waits for.
  ///
  /// - Returns: whether there was such an index.
  /// - Complexity: the entries in its range.
  /// - Throws: errors of the store.
  package func compactDropped() throws(DatabaseError) -> Bool {
    guard let dropped = engine.latest.catalog.droppedKeys.first(where: isDropped) else {
      return false
    }
    do throws(DatabaseError) {
      try forget([dropped])
    } catch {
      // The compaction is due again, and no other thread makes steps.
      state.requestSteps()
      throw error
    }
    return true
  }

  /// Finishes drops one after the other. If one fails, it is due again, and so are those after it.
  private func forget(_ emptied: [DroppedKeys]) throws(DatabaseError) {
    defer { state.jobs.withLock { $0.drops.emptiedIDs.subtract(emptied.map(\.id)) } }
    for dropped in emptied { try engine.forget(dropped) }
  }

  static var interruption: DatabaseError {
    DatabaseError(
      .failedPrecondition,
      "The database was closed before the build was done. It goes on when it is opened again.")
  }

  /// Resets the pace once nothing is left to build, since it was set for the builds that there
  /// were.
  private func rest(at time: UInt64) {
    engine.latencies.turn(on: false, at: time)
    let isAtRest = state.jobs.withLock { !$0.ledger.records.contains(where: \.isOpen) }
    if isAtRest { state.pacer.withLock { $0.rest() } }
  }

  /// - Returns: the number of documents read; `nil` if there is nothing to do.
  private func stepAlone() throws(DatabaseError) -> Int? {
    let catalog = engine.latest.catalog
    let start = now
    guard var scan = try dueScan(for: catalog) else { return try stepCounts(catalog) }
    measure(at: now)
    let (tuning, pace) = state.pacer.withLock { ($0.tuning(engine.settings.build), $0.pace) }
    do throws(DatabaseError) {
      return try state.stepping { () throws(DatabaseError) in
        let advance = try scan.step(engine, tuning, at: pace)
        let isComplete = advance.chunk.map { $0.next == nil } ?? false
        state.scan.withLock { [scan] in $0 = isComplete ? nil : scan }
        note(advance, of: scan, from: start)
        return advance.documentCount
      }
    } catch {
      guard let unindexable = error.details as? UnindexableDocument else { throw error }
      try fail(unindexable.blamed, error)
      return 0
    }
  }

  /// Takes the scan to go on with out of the state. The caller has to put it back.
  private func dueScan(for catalog: Catalog) throws(DatabaseError) -> BuildScan? {
    let present = state.scan.withLock { scan in
      defer { scan = nil }
      return scan
    }
    let targets = catalog.buildTargets
    if let present, present.targets.allSatisfy(targets.contains),
      !present.isAtBeginning || present.catalog === catalog
    {
      return present
    }
    let unread = targets.filter { !$0.readsDocuments }
    if !unread.isEmpty {
      try engine.commitExclusively { group in
        for target in unread { group.complete(target) }
      }
      return try dueScan(for: engine.latest.catalog)
    }
    guard !targets.isEmpty else { return nil }
    return try BuildScan(targets, of: catalog, in: engine.readView())
  }

  private func measure(at time: UInt64) {
    let isWanted = state.pacer.withLock { $0.pace.maximumLatency != nil }
    engine.latencies.turn(on: isWanted, at: time)
    guard isWanted else { return }
    switch engine.latencies.read(at: time) {
    case .none: break
    case .idle: state.pacer.withLock { $0.adapt(to: nil) }
    case .latency(let latency): state.pacer.withLock { $0.adapt(to: latency) }
    }
  }

  /// Records the outcome of a step that began at `start`.
  private func note(
    _ advance: BuildScan.Advance, of scan: BuildScan, from start: UInt64
  ) {
    let time = now
    guard let chunk = advance.chunk else {
      return state.jobs.withLock { [targets = scan.targets] in
        $0.ledger.move(targets, from: start, at: time)
      }
    }
    let records = state.jobs.withLock { [targets = scan.targets] in
      $0.ledger.add(chunk, of: targets, from: start, at: time)
    }
    guard let observer = state.observer else { return }
    for (record, tally) in zip(records, chunk.tallies) {
      observer.observe(
        .indexBuildProgressed(
          collectionGroup: record.collectionGroup, documentCount: tally.documentCount,
          record.progress))
    }
  }

  /// Gives up the targets for which a document can't be indexed. The others go on.
  private func fail(_ names: [BuildName], _ error: DatabaseError) throws(DatabaseError) {
    state.jobs.withLock { $0.ledger.note(error, of: names) }
    for name in names {
      switch name {
      case .index(let id): try engine.commitExclusively { $0.drop([id]) }
      case .override(let override): try engine.commitExclusively { $0.takeBack(override) }
      case .covering, .timeToLive: throw error
      }
    }
    state.requestSteps()
  }

  /// Makes a part of the kept counts that aren't ready.
  private func stepCounts(_ catalog: Catalog) throws(DatabaseError) -> Int? {
    guard let counts = catalog.tunings.counts.first(where: { $0.state == .creating }) else {
      return nil
    }
    defer { noteMove() }
    return try engine.step(counts)
  }

  /// Makes a part of certain kept counts if they aren't ready. Other builds wait only for one such
  /// step.
  func stepCounts(_ id: UInt64) throws(DatabaseError) {
    try engine.administering { () throws(DatabaseError) in
      guard !state.isStopped else { throw IndexBuilds.interruption }
      let counts = engine.latest.catalog.tunings.counts.first {
        $0.id == id && $0.state == .creating
      }
      guard let counts else { return }
      _ = try engine.step(counts)
      noteMove()
    }
  }

  private func noteMove() {
    let time = now
    state.jobs.withLock { $0.ledger.move(at: time) }
  }
}
