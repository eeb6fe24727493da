import HearthDocumentEngine
package import HearthDocumentModel
import HearthOrderedStore
package import HearthReports

extension IndexBuilds {
  /// The longest sleep of a thread that waits for the next step.
  private static let sleepNanoseconds: UInt64 = 20_000_000

  /// Makes steps until a build has ended and what it leaves behind is deleted. Waits while the
  /// build is paused.
  ///
  /// It blocks: never call it on a cooperative thread.
  ///
  /// - Parameters:
  ///   - isFollowed: whether the documents are counted first, so that the total is exact.
  ///   - endsPaused: whether the call also returns while the build is paused.
  ///   - progress: called for each chunk.
  /// - Returns: whether the build has ended; `false` if it is paused.
  /// - Throws: the reason of a failed build; `cancelled` if the index was dropped;
  ///   `failedPrecondition` if the database is closed; errors of the store; `notFound` for an
  ///   unknown build.
  @discardableResult
  package func wait(
    for number: Int, isFollowed: Bool = false, endsPaused: Bool = false,
    _ progress: (BuildProgress) -> Void = { _ in }
  ) throws(DatabaseError) -> Bool {
    try wait(
      for: number, isFollowed: isFollowed, endsPaused: endsPaused,
      telling: { progress($0.progress) })
  }

  /// Waits in the same way, and passes the build's status after each chunk.
  @discardableResult
  package func wait(
    for number: Int, endsPaused: Bool = false, status: (BuildStatus) -> Void
  ) throws(DatabaseError) -> Bool {
    try wait(
      for: number, isFollowed: false, endsPaused: endsPaused,
      telling: { record in
        let time = now
        status(state.jobs.withLock { $0.ledger.status(of: record, at: time) })
      })
  }

  private func wait(
    for number: Int, isFollowed: Bool, endsPaused: Bool, telling tell: (BuildRecord) -> Void
  ) throws(DatabaseError) -> Bool {
    try engine.process.check()
    if isFollowed || state.observer != nil { try count(number) }
    var toldCount = try record(number).chunkCount
    while true {
      let changeCount = state.jobs.withLock { $0.ledger.changeCount }
      let record = try record(number)
      if record.chunkCount != toldCount {
        toldCount = record.chunkCount
        tell(record)
      }
      if !record.isOpen, isSettled(record) {
        try finish(record)
        return true
      }
      if endsPaused, record.state == .paused { return false }
      try advance(unlessChangedSince: changeCount)
    }
  }

  /// Makes a step, or waits for a change that lets the next be made.
  ///
  /// - Throws: `cancelled` if the waiting caller is gone; the build goes on.
  func advance(unlessChangedSince changeCount: Int) throws(DatabaseError) {
    do throws(DatabaseError) {
      try Audience.check()
    } catch {
      state.requestSteps()
      throw error
    }
    let wait = try step()
    if wait == nil, !Audience.mayLeave {
      state.jobs.withLock(when: { $0.ledger.changeCount != changeCount }) { _ in }
      return
    }
    guard wait != .zero else { return }
    let nanoseconds = wait.map { UInt64(max($0 / .nanoseconds(1), 0)) } ?? .max
    engine.clock.sleep(nanoseconds: min(nanoseconds, IndexBuilds.sleepNanoseconds))
  }

  private func count(_ number: Int) throws(DatabaseError) {
    let record = try record(number)
    guard record.isOpen, record.countedTotal == nil else { return }
    let total = try engine.readView().countDocuments(inGroup: record.collectionGroup)
    state.jobs.withLock { $0.ledger.setTotal(total, of: number) }
  }

  /// Whether nothing is left of a build that was given up. A compaction that no caller waits for
  /// may be left.
  private func isSettled(_ record: BuildRecord) -> Bool {
    guard case .index(let id) = record.name,
      let dropped = engine.latest.catalog.droppedKeys.first(where: { $0.id == id })
    else { return true }
    return isDropped(dropped)
  }

  private func finish(_ record: BuildRecord) throws(DatabaseError) {
    switch record.state {
    case .failed:
      guard let error = record.error else { return }
      throw DatabaseError(
        error.code, error.message, details: FailedBuild(), cause: error.cause)
    case .cancelled:
      throw DatabaseError(.cancelled, record.subject.cancellation)
    case .building, .paused, .ready: return
    }
  }

  /// Makes steps until nothing is left of some dropped indexes or dropped counts.
  ///
  /// If many drops held little each, the store is compacted once for all of them.
  func finishDrops(_ ids: Set<UInt64>) throws(DatabaseError) {
    while true {
      let changeCount = state.jobs.withLock { $0.ledger.changeCount }
      let dropped = engine.latest.catalog.droppedKeys.filter { ids.contains($0.id) }
      guard !dropped.allSatisfy(isDropped) else { break }
      try advance(unlessChangedSince: changeCount)
    }
    state.tell(at: now)
    // Otherwise the upkeep does it.
    guard !state.isDriven else { return }
    if state.jobs.withLock({ $0.drops.takesCompaction() }) { try engine.compactAllDeleted() }
  }
}

extension BuildStatus.Subject {
  /// The message for a build that was cancelled.
  fileprivate var cancellation: String {
    switch self {
    case .index, .covering, .fields: "The index was dropped before it was built."
    case .timeToLive(let group, let field):
      "The time to live of \(group) by \(field) was removed before its index was built."
    }
  }
}
