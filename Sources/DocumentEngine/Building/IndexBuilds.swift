package import DocumentModel
import OrderedStore
package import QueryPlanning
import StorageFormat

/// The builds of a database: what brings the entries of existing documents in line with the
/// catalogue.
///
/// There is no thread behind it. Whoever waits for a build makes its steps; for builds that nobody
/// waits for, somebody has to call ``step()``. All that has to be done follows from the catalogue,
/// so a build that was broken off, by the end of the process too, goes on with the next step.
package struct IndexBuilds: Sendable {
  let engine: Engine

  var state: BuildState { engine.building }
  var now: UInt64 { engine.clock.monotonicNanoseconds() }

  // MARK: Beginning

  /// Puts composite indexes into the catalogue, in one commit: from then on writers maintain them,
  /// and steps build them, all in one scan. One that is being built already is joined, and resumed
  /// if it was paused.
  ///
  /// - Parameter skipsReady: whether those that are ready are left out.
  /// - Returns: the numbers of the builds, in the order of the definitions.
  /// - Throws: `alreadyExists` for one that is ready, `invalidArgument` for a definition that
  ///   production refuses (§3.4), `resourceExhausted` for too many (§1.2); then none is begun.
  package func begin(
    _ definitions: [IndexDefinition], skipsReady: Bool = false
  ) throws(DatabaseError) -> [Int] {
    for definition in definitions { try definition.validate() }
    let numbers = try engine.administering { () throws(DatabaseError) -> [Int] in
      let indexes = try engine.commitExclusively { group in
        try definitions.map { try Engine.register($0, allowsReady: skipsReady, &group) }
      }
      // Nobody steps meanwhile: all that weren't ready are still under way.
      return indexes.compactMap { number(of: .index($0.id)) }
    }
    state.tell(at: now)
    return numbers
  }

  /// The number of the open build of `name`.
  func number(of name: BuildName) -> Int? {
    reconcile()
    return state.ledger.withLock { $0.openRecord(of: name)?.number }
  }

  // MARK: Looking

  /// The builds that are under way, and the latest that are at their end, in the order of their
  /// numbers.
  package func list() throws(DatabaseError) -> [BuildStatus] {
    try engine.process.check()
    reconcile()
    try place()
    let time = now
    return state.ledger.withLock { ledger in
      ledger.records.map { ledger.status(of: $0, at: time) }
    }
  }

  /// - Throws: `notFound` for one that isn't remembered any more.
  package func status(of number: Int) throws(DatabaseError) -> BuildStatus {
    try engine.process.check()
    reconcile()
    try place()
    let (record, time) = (try refreshed(number), now)
    return state.ledger.withLock { $0.status(of: record, at: time) }
  }

  /// Looks up how far those builds are that were begun before the database was opened.
  private func place() throws(DatabaseError) {
    let unplaced = state.ledger.withLock { ledger in
      ledger.records.filter { $0.isOpen && !$0.isPlaced }
    }
    guard !unplaced.isEmpty else { return }
    let view = try engine.readView()
    for record in unplaced {
      let checkpoint = try view.checkpoint(of: record.target)
      state.ledger.withLock { $0.place(record.number, at: checkpoint) }
    }
  }

  /// The build of an index that is under way.
  ///
  /// - Throws: `notFound`.
  package func build(of definition: IndexDefinition) throws(DatabaseError) -> Int {
    try engine.process.check()
    let index = engine.latest.catalog.indexes.composites.first {
      $0.definition == definition && $0.state == .creating
    }
    guard let index, let number = number(of: .index(index.id)) else {
      throw DatabaseError(.notFound, "There is no such index that is being built.")
    }
    return number
  }

  /// Tells `watcher` of the build now, whenever it has moved, and at last when it is at its end, or
  /// when something is in its way: then it goes on only if somebody asks for steps. In a forked
  /// process it is at its end at once.
  ///
  /// - Returns: what `unwatch` takes.
  package func watch(_ number: Int, _ watcher: BuildWatcher) -> Int {
    guard !engine.process.isInherited else {
      watcher.end()
      return 0
    }
    let id = state.watch(number, watcher)
    guard !state.isStopped else {
      unwatch(id)
      watcher.end()
      return id
    }
    reconcile()
    state.tell(at: now)
    // What was in its way may not be any more; otherwise the watcher is told so once more.
    if state.ledger.withLock({ $0[number]?.isHeldUp ?? false }) { state.requestSteps() }
    return id
  }

  package func unwatch(_ id: Int) {
    guard !engine.process.isInherited else { return }
    state.unwatch(id)
  }

  // MARK: Steering

  /// How fast builds go, until none is left.
  ///
  /// - Throws: `invalidArgument` for a pace that isn't valid; `failedPrecondition` in a forked
  ///   process.
  package func setPace(_ pace: BuildPace) throws(DatabaseError) {
    try engine.process.check()
    try pace.validate()
    state.pacer.withLock { $0.set(pace) }
    state.requestSteps()
  }

  /// The pace that was set; none in a forked process.
  package var pace: BuildPace {
    engine.process.isInherited ? .unlimited : state.pacer.withLock { $0.pace }
  }

  /// Holds a build up until it is resumed, also if the database is opened again.
  ///
  /// - Throws: `notFound`; `failedPrecondition` for a build that is at its end, or none of a
  ///   composite index.
  package func pause(_ number: Int) throws(DatabaseError) {
    try setPaused(true, number)
  }

  /// - Throws: as `pause`.
  package func resume(_ number: Int) throws(DatabaseError) {
    try setPaused(false, number)
    state.requestSteps()
  }

  private func setPaused(_ isPaused: Bool, _ number: Int) throws(DatabaseError) {
    try engine.administering { () throws(DatabaseError) in
      let id = try openIndex(number)
      state.scan.withLock { $0 = nil }
      try engine.commitExclusively { group in
        guard group.catalog.pausedIDs.contains(id) != isPaused else { return }
        group.replaceCatalog(
          group.catalog.with { contents in
            if isPaused { contents.pausedIDs.insert(id) } else { contents.pausedIDs.remove(id) }
          })
      }
    }
    reconcile()
    state.tell(at: now)
  }

  /// Gives an index up that is being built, and deletes what was.
  ///
  /// - Throws: as `pause`.
  package func cancel(_ number: Int) throws(DatabaseError) {
    let id = try engine.administering { () throws(DatabaseError) in
      let id = try openIndex(number)
      state.scan.withLock { $0 = nil }
      try engine.commitExclusively { Engine.drop([id], &$0) }
      return id
    }
    try finishDrops([id])
  }

  private func openIndex(_ number: Int) throws(DatabaseError) -> UInt64 {
    let record = try refreshed(number)
    guard record.isOpen else {
      throw DatabaseError(.failedPrecondition, "The build is at its end.")
    }
    guard case .index(let id) = record.name else {
      throw DatabaseError(
        .failedPrecondition, "Only the build of a composite index can be paused or cancelled.")
    }
    return id
  }

  // MARK: Driving

  /// Whether there is anything to be built or deleted that isn't paused.
  package var hasWork: Bool {
    let catalog = reconcile()
    return !dueDrops(in: catalog).isEmpty || !catalog.buildTargets.isEmpty
      || catalog.tunings.counts.contains { $0.state != .ready }
  }

  /// What is called when there are steps to be made and perhaps nobody waits; `nil` is nobody.
  package func onDemand(_ body: (@Sendable () -> Void)?) { state.setDemand(body) }

  /// Asks for steps, for builds that nobody waits for.
  package func requestSteps() { state.requestSteps() }

  /// Lets no further step begin: whoever waits for a build is told that it was interrupted.
  package func stop() { state.stop() }

  // MARK: What is known

  /// Takes up what the catalogue says.
  @discardableResult
  func reconcile() -> Catalog {
    let (database, catalog) = engine.latest
    let time = now
    state.ledger.withLock { ledger in
      let ended = ledger.reconcile(with: catalog, database, at: time)
      guard let observer = engine.observer else { return }
      // Here, so that whoever finds a build at its end knows that the observer was told.
      for record in ended {
        observer.observe(
          .indexBuildEnded(
            collectionGroup: record.collectionGroup, ledger.status(of: record, at: time)))
      }
    }
    return catalog
  }

  func refreshed(_ number: Int) throws(DatabaseError) -> BuildRecord {
    reconcile()
    guard let record = state.ledger.withLock({ $0[number] }) else {
      throw DatabaseError(.notFound, "There is no such build, or it ended long ago.")
    }
    return record
  }
}

extension Engine {
  /// The builds of indexes, and of what else existing documents are brought in line with.
  package var builds: IndexBuilds { IndexBuilds(engine: self) }

  /// What is told how long reads take, while it asks; commits are told by the engine.
  package var latencies: LatencyGauge { building.gauge }
}
