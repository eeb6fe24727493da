package import HearthDocumentEngine
package import HearthDocumentModel
import HearthOrderedStore
package import HearthQueryPlanning
package import HearthReports
import HearthStorageFormat

/// The builds of a database, which bring the entries of existing documents in line with the
/// catalogue.
///
/// There is no thread behind them. A caller that waits for a build makes its steps. Another thread
/// has to call ``step()`` for builds that no caller waits for. All work that is due follows from
/// the catalogue, so an interrupted build goes on with the next step, also in a new process.
package struct IndexBuilds: Sendable {
  let engine: Engine

  var state: BuildState { engine.buildState }
  var now: UInt64 { engine.clock.monotonicNanoseconds() }

  // MARK: Beginning

  /// Adds composite indexes to the catalogue in one commit. From then on writers maintain them, and
  /// steps build them, all in one scan. An index that is being built already is joined, and resumed
  /// if it was paused.
  ///
  /// - Parameter skipsReady: whether ready indexes are left out.
  /// - Returns: the numbers of the builds, in the order of the definitions.
  /// - Throws: `alreadyExists` for a ready index, `invalidArgument` for a definition that
  ///   production refuses (§3.4), `resourceExhausted` for too many (§1.2). Then none is begun.
  package func begin(
    _ definitions: [IndexDefinition], skipsReady: Bool = false
  ) throws(DatabaseError) -> [Int] {
    for definition in definitions { try definition.validate() }
    let numbers = try engine.administering { () throws(DatabaseError) -> [Int] in
      let indexes = try engine.commitExclusively { group in
        try group.register(definitions, allowsReady: skipsReady)
      }
      // No thread steps meanwhile, so all that weren't ready are still open.
      return indexes.compactMap { number(of: .index($0.id)) }
    }
    state.tell(at: now)
    return numbers
  }

  /// Returns the number of the open build of `name`; `nil` if there is none.
  func number(of name: BuildName) -> Int? {
    state.jobs.withLock { $0.ledger.openRecord(of: name)?.number }
  }

  // MARK: Looking

  /// Returns the open builds and the latest ended ones, in the order of their numbers.
  package func list() throws(DatabaseError) -> [BuildStatus] {
    try engine.process.check()
    try place()
    let time = now
    return state.jobs.withLock { jobs in
      jobs.ledger.records.map { jobs.ledger.status(of: $0, at: time) }
    }
  }

  /// - Throws: `notFound` for a build that is no longer remembered.
  package func status(of number: Int) throws(DatabaseError) -> BuildStatus {
    try engine.process.check()
    try place()
    let (record, time) = (try record(number), now)
    return state.jobs.withLock { $0.ledger.status(of: record, at: time) }
  }

  /// Looks up the positions of builds that were begun before the database was opened.
  private func place() throws(DatabaseError) {
    let unplaced = state.jobs.withLock { jobs in
      jobs.ledger.records.filter { $0.isOpen && !$0.isPlaced }
    }
    guard !unplaced.isEmpty else { return }
    let view = try engine.readView()
    for record in unplaced {
      let checkpoint = try view.checkpoint(of: record.target)
      state.jobs.withLock { $0.ledger.place(record.number, at: checkpoint) }
    }
  }

  /// Returns the number of the open build of an index.
  ///
  /// - Throws: `notFound`.
  package func build(of definition: IndexDefinition) throws(DatabaseError) -> Int {
    try engine.process.check()
    let record = state.jobs.withLock { jobs in
      jobs.ledger.records.first { $0.isOpen && $0.subject == .index(definition) }
    }
    guard let record else {
      throw DatabaseError(.notFound, "There is no such index that is being built.")
    }
    return record.number
  }

  /// Tells `watcher` of the build now and whenever it moves. The watcher ends when the build has
  /// ended, or when an obstacle holds it up, after which it goes on only if a caller asks for
  /// steps. In a forked process the watcher ends at once.
  ///
  /// - Returns: the id that `unwatch` takes.
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
    state.tell(at: now)
    // The obstacle may be gone. Otherwise the watcher is told of it once more.
    let status = state.jobs.withLock { $0.ledger.status(of: number, at: now) }
    if status?.isHeldUp ?? false { state.requestSteps() }
    return id
  }

  package func unwatch(_ id: Int) {
    guard !engine.process.isInherited else { return }
    state.unwatch(id)
  }

  // MARK: Steering

  /// Sets the pace of builds, which holds until no build is left.
  ///
  /// - Throws: `invalidArgument` for a pace that isn't valid; `failedPrecondition` in a forked
  ///   process.
  package func setPace(_ pace: BuildPace) throws(DatabaseError) {
    try engine.process.check()
    try pace.validate()
    state.pacer.withLock { $0.set(pace) }
    state.requestSteps()
  }

  /// The pace that was set; unlimited in a forked process.
  package var pace: BuildPace {
    engine.process.isInherited ? .unlimited : state.pacer.withLock { $0.pace }
  }

  /// Pauses a build until it is resumed, also if the database is opened again.
  ///
  /// - Throws: `notFound`; `failedPrecondition` for a build that has ended or isn't of a composite
  ///   index.
  package func pause(_ number: Int) throws(DatabaseError) {
    try setPaused(true, number)
  }

  /// - Throws: the same as `pause`.
  package func resume(_ number: Int) throws(DatabaseError) {
    try setPaused(false, number)
    state.requestSteps()
  }

  private func setPaused(_ isPaused: Bool, _ number: Int) throws(DatabaseError) {
    try engine.administering { () throws(DatabaseError) in
      let id = try openIndex(number)
      state.scan.withLock { $0 = nil }
      try engine.commitExclusively { $0.updateComposite(id) { $0.isPaused = isPaused } }
    }
    state.tell(at: now)
  }

  /// Cancels the build of an index, and deletes the entries that it made.
  ///
  /// - Throws: the same as `pause`.
  package func cancel(_ number: Int) throws(DatabaseError) {
    let id = try engine.administering { () throws(DatabaseError) in
      let id = try openIndex(number)
      state.scan.withLock { $0 = nil }
      try engine.commitExclusively { $0.drop([id]) }
      return id
    }
    try finishDrops([id])
  }

  private func openIndex(_ number: Int) throws(DatabaseError) -> UInt64 {
    let record = try record(number)
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

  /// Whether there is anything to build or delete that isn't paused.
  package var hasWork: Bool {
    let catalog = engine.latest.catalog
    return !dueDrops(in: catalog).isEmpty || !catalog.buildTargets.isEmpty
      || catalog.tunings.counts.contains { $0.state != .ready }
  }

  /// Sets the function that is called when steps are due and perhaps no caller makes them; `nil`
  /// for none.
  package func onDemand(_ body: (@Sendable () -> Void)?) { state.setDemand(body) }

  /// Asks for steps for builds that no caller waits for.
  package func requestSteps() { state.requestSteps() }

  /// Lets no further step begin. Callers that wait for a build get an error that says it was
  /// interrupted.
  package func stop() { state.stop() }

  /// - Throws: `notFound`.
  func record(_ number: Int) throws(DatabaseError) -> BuildRecord {
    guard let record = state.jobs.withLock({ $0.ledger[number] }) else {
      throw DatabaseError(.notFound, "There is no such build, or it ended long ago.")
    }
    return record
  }
}

extension Engine {
  /// The builds of indexes and of all else that existing documents have to follow.
  package var builds: IndexBuilds { IndexBuilds(engine: self) }
}
