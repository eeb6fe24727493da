import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat

/// The builds of an open database: the open ones and the latest ended ones.
///
/// The catalogue says which builds are open, and each commit that changes it is followed. The
/// progress of builds and the reason of a failure are known only here.
struct BuildLedger: Sendable {
  /// The number of ended builds to remember: all that one scan can build, so that a caller that
  /// waits for them one after the other learns the end of each.
  private static let finishedCountLimit = Limits.compositeIndexesPerDatabase + 100

  private(set) var records: [BuildRecord] = []
  /// Number of changes so far. A waiting thread looks again when it differs.
  private(set) var changeCount = 0
  private var nextNumber = 1
  /// Whether a step is being made. Catalogues wait for its end.
  private var isStepping = false
  /// The latest catalogue that waits, and the state of the database with it.
  private var awaited: (catalog: Catalog, database: StateRecord)?
  /// Time of the last read, write or delete for any build.
  private var latestMove: UInt64 = 0

  subscript(number: Int) -> BuildRecord? { records.first { $0.number == number } }

  /// Returns the open build of `name`; `nil` if there is none.
  func openRecord(of name: BuildName) -> BuildRecord? {
    records.first { $0.isOpen && $0.name == name }
  }

  func status(of record: BuildRecord, at time: UInt64) -> BuildStatus {
    record.status(at: time, latestMove: latestMove)
  }

  func status(of number: Int, at time: UInt64) -> BuildStatus? {
    self[number].map { status(of: $0, at: time) }
  }

  mutating func noteChange() { changeCount &+= 1 }

  /// Takes over what a new catalogue says: builds that began, were paused, or ended. During a step
  /// this waits for the step's end.
  ///
  /// - Returns: the builds that have ended.
  mutating func follow(
    _ catalog: Catalog, _ database: StateRecord, at time: UInt64
  ) -> [BuildRecord] {
    guard !isStepping else {
      awaited = (catalog, database)
      return []
    }
    var ended: [BuildRecord] = []
    noteChange()
    let targets = catalog.unfinishedTargets
    for index in records.indices where records[index].isOpen {
      if let target = targets.first(where: { $0.name == records[index].name }) {
        records[index].enter(target.isPaused ? .paused : .building, at: time)
      } else {
        records[index].enter(outcome(of: records[index], in: catalog), at: time)
        ended.append(records[index])
      }
    }
    for target in targets where openRecord(of: target.name) == nil {
      var record = BuildRecord(
        number: nextNumber, target, end: database.nextDocumentNumber, at: time)
      if target.isPaused { record.state = .paused }
      records.append(record)
      nextNumber += 1
    }
    forgetFinished()
    return ended
  }

  mutating func beginStep() { isStepping = true }

  /// - Returns: the builds that have ended with the step.
  mutating func endStep(at time: UInt64) -> [BuildRecord] {
    isStepping = false
    guard let (catalog, database) = awaited else { return [] }
    awaited = nil
    return follow(catalog, database, at: time)
  }

  /// Returns the final state of a build that is no longer unfinished in the catalogue.
  private func outcome(of record: BuildRecord, in catalog: Catalog) -> BuildStatus.State {
    if record.hasFailed { return .failed }
    switch record.name {
    case .index(let id), .covering(let id):
      let isThere = catalog.indexes.composites.contains { $0.id == id && $0.state == .ready }
      return isThere ? .ready : .cancelled
    case .timeToLive(let id):
      let isThere = catalog.timesToLive.contains {
        $0.index.id == id && $0.index.state == .ready
      }
      return isThere ? .ready : .cancelled
    case .override: return .ready
    }
  }

  private mutating func forgetFinished() {
    var excess = records.count { !$0.isOpen } - BuildLedger.finishedCountLimit
    records.removeAll { record in
      guard excess > 0, !record.isOpen else { return false }
      excess -= 1
      return true
    }
  }

  // MARK: What builds do

  /// Records the time of an action that builds wait for.
  mutating func move(at time: UInt64) { latestMove = max(latestMove, time) }

  /// Records a step that was made for `targets`.
  mutating func move(_ targets: [BuildTarget], from start: UInt64, at time: UInt64) {
    move(at: time)
    update(targets) { record, _ in record.move(from: start, at: time) }
  }

  /// - Returns: the records after the change.
  mutating func add(
    _ chunk: BuildScan.FinishedChunk, of targets: [BuildTarget], from start: UInt64,
    at time: UInt64
  ) -> [BuildRecord] {
    noteChange()
    move(at: time)
    update(targets) { record, place in
      record.add(chunk.tallies[place], chunk, from: start, at: time)
    }
    return targets.compactMap { target in records.last { $0.name == target.name } }
  }

  /// Records the obstacle of all builds that aren't paused.
  mutating func note(obstacle error: DatabaseError) {
    noteChange()
    for index in records.indices where records[index].state == .building {
      if !records[index].hasFailed { records[index].error = error }
    }
  }

  /// Records the reason why builds fail.
  mutating func note(_ error: DatabaseError, of names: [BuildName]) {
    noteChange()
    for index in records.indices where records[index].isOpen && names.contains(records[index].name)
    {
      records[index].error = error
    }
  }

  mutating func place(_ number: Int, at checkpoint: UInt64) {
    guard let index = records.firstIndex(where: { $0.number == number }) else { return }
    records[index].place(at: checkpoint)
  }

  mutating func setTotal(_ total: Int, of number: Int) {
    guard let index = records.firstIndex(where: { $0.number == number }) else { return }
    records[index].countedTotal = total
  }

  private mutating func update(
    _ targets: [BuildTarget], _ body: (inout BuildRecord, Int) -> Void
  ) {
    for (place, target) in targets.enumerated() {
      // Another thread may have read the catalogue and found the build ended already.
      guard let index = records.lastIndex(where: { $0.name == target.name }) else { continue }
      body(&records[index], place)
    }
  }
}
