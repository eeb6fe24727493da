import CHearthLevelDB
package import HearthOrderedStore

/// An ordered store in a folder, kept by LevelDB.
///
/// One process at a time has it open. `close()`, or the end of the last reference, waits for
/// running calls. It doesn't wait for cursors, since the caller itself may be using one. A cursor
/// that remains keeps LevelDB and the folder's lock until it is released or moved again.
///
/// In a process that was forked from that one every call throws `.forked`. There neither `close()`
/// nor the end of a reference touches LevelDB, its files or the lock.
package final class LevelDBStore: OrderedStore, @unchecked Sendable {
  package let isDurable: Bool
  private let folder: String
  private let describe: @Sendable ([UInt8]) -> String
  private let anchor: [UInt8]?
  private let gate = CallGate()
  /// The open LevelDB, read inside the gate; `nil` once the gate is closed and all calls have left.
  private var handle: LevelDBHandle?
  private let writer: LevelDBWriter
  /// The running loads and compactions, which exclude each other.
  private let runs = Lock(RunningCalls())
  /// Snapshots that were not released yet.
  private let views = Lock(LiveViews())
  private let found = FoundKeys()
  private let drainTime: Duration
  private let closing = Lock(false)
  /// Mark of the process that has the store open. A forked process leaves everything as it is.
  private let process = ForkMark()

  init(handle: LevelDBHandle, options: LevelDBOptions) {
    self.handle = handle
    folder = handle.folder.path
    isDurable = options.isDurable
    describe = options.describeKey
    anchor = options.anchor
    drainTime = options.drainTime
    writer = LevelDBWriter(options, views, found)
  }

  deinit { shut() }

  package func makeSnapshot() throws(StoreError) -> any StoreSnapshot {
    try withHandle { handle throws(StoreError) in
      guard let view = views.withLock({ $0.make(of: handle.database) }) else {
        throw error("make a snapshot", words: "no memory")
      }
      return LevelDBSnapshot(store: self, view: view)
    }
  }

  package func write(_ batch: StoreBatch) throws(StoreError) {
    try withHandle { handle throws(StoreError) in
      try writer.write(batch, to: handle)
    }
  }

  /// The batches lack the anchor, so that tables made of them don't overlap, and LevelDB never
  /// rewrites them. No compaction may run before the anchor is put again
  /// (``LevelDBOptions/anchor``).
  package func load(
    _ body: (_ write: (StoreBatch) throws(StoreError) -> Void) throws -> Void
  ) throws {
    let isAlone = runs.withLock { runs in
      if runs.compactions == 0 { runs.loads += 1 }
      return runs.compactions == 0
    }
    guard isAlone else { return try body { batch throws(StoreError) in try write(batch) } }
    defer { runs.withLock { $0.loads -= 1 } }
    let result = Result {
      try body { batch throws(StoreError) in
        try withHandle { handle throws(StoreError) in
          try writer.write(batch, isAnchored: false, to: handle)
        }
      }
    }
    try write(StoreBatch())
    try result.get()
  }

  package func makeScratch() throws(StoreError) -> any StoreScratch {
    try withHandle { handle throws(StoreError) in
      // The file has a name for a moment, which no other may have then.
      try runs.withLock { _ throws(StoreError) in FileScratch(try handle.folder.makeScratchFile()) }
    }
  }

  /// A failed rewrite leaves the old tables in place; LevelDB tells of it at the next write, so one
  /// without contents follows.
  @discardableResult
  package func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError) -> Bool {
    runs.withLock(when: { $0.loads == 0 }) { $0.compactions += 1 }
    defer { runs.withLock { $0.compactions -= 1 } }
    return try withHandle { handle throws(StoreError) in
      guard upper?.isEmpty != true else { return true }
      let isSwept = try purge(from: lower, to: upper, in: handle)
      for (lower, upper) in CompactionRanges.ranges(from: lower, to: upper, around: anchor) {
        handle.compact(from: lower, to: upper)
      }
      try writer.write(StoreBatch(), to: handle)
      return isSwept
    }
  }

  /// Deletes the keys whose dead values are due, and those in a range that the queue has forgotten.
  ///
  /// - Complexity: the entries of the range.
  /// - Returns: `false` if some of these were passed over, for a view that may be older than they.
  private func purge(
    from lower: [UInt8]?, to upper: [UInt8]?, in handle: LevelDBHandle
  ) throws(StoreError) -> Bool {
    while try writer.purge(in: handle) {}
    guard var sweep = DeadSweep(of: handle, from: lower, to: upper) else { return false }
    while true {
      let keys = sweep.nextKeys(LevelDBWriter.drainCount)
      if keys.isEmpty { return true }
      guard try writer.purge(keys, in: handle) else { return false }
    }
  }

  /// Number of deleted keys that wait in the queue (``DeadKeys``), and the bytes allocated for it.
  package var deadKeys: (count: Int, byteCount: Int) { writer.deadKeys }

  /// Counts tables only, so it misses the latest writes.
  package func approximateByteCount(
    from lower: [UInt8], to upper: [UInt8]
  ) throws(StoreError) -> Int {
    try withHandle { handle in
      var byteCount: UInt64 = 0
      unsafe lower.withCBytes { lowerBytes, lowerCount in
        unsafe upper.withCBytes { upperBytes, upperCount in
          var (start, startCount) = unsafe (lowerBytes, lowerCount)
          var (limit, limitCount) = unsafe (upperBytes, upperCount)
          unsafe leveldb_approximate_sizes(
            handle.database, 1, &start, &startCount, &limit, &limitCount, &byteCount)
        }
      }
      return Int(clamping: byteCount)
    }
  }

  package func close() throws(StoreError) { shut() }

  /// Records that the caller has verified the data that it derives from other data.
  ///
  /// After a power loss every open reports `isUncleanAfterPowerLoss` until this call.
  package func markVerified() throws(StoreError) {
    try withHandle { handle throws(StoreError) in
      try handle.folder.beginWriting(isDurable: isDurable, isUnverified: false)
    }
  }
}

/// The numbers of calls that exclude each other.
private struct RunningCalls {
  var loads = 0
  var compactions = 0
}

// MARK: - For snapshots and cursors

extension LevelDBStore {
  var isClosed: Bool { gate.isClosed }
  var isInherited: Bool { process.isInherited }

  var closedError: StoreError {
    StoreError(.closed, "the database at \(folder) was closed")
  }

  func describeKey(_ key: [UInt8]) -> String { describe(key) }

  /// Records a key whose dead value a cursor has stepped over.
  func note(found key: RawSpan) { found.add(key) }

  /// Returns the error for LevelDB's `words` after the read `operation` failed.
  func error(_ operation: String, words: String) -> StoreError {
    StoreError(
      LevelDBErrors.code(for: words, during: .read),
      "cannot \(operation) in the database at \(folder)", cause: words)
  }

  /// Calls `body` while LevelDB can't be closed.
  func withHandle<Result>(
    _ body: (LevelDBHandle) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard !isInherited else { throw .forked }
    guard gate.enter() else { throw closedError }
    defer { gate.leave() }
    guard let handle else { throw closedError }
    return try body(handle)
  }

  /// Releases a snapshot, unless closing the store has done so already.
  func release(_ view: LevelDBView) {
    guard !isInherited, gate.enter() else { return }
    defer { gate.leave() }
    guard let handle else { return }
    views.withLock { $0.release(view, of: handle.database) }
  }

  private func shut() {
    guard !isInherited else { return }
    closing.withLock { isShut in
      guard !isShut else { return }
      gate.closeAndWait()
      if let handle {
        views.withLock { $0.releaseAll(of: handle.database) }
        drain(handle)
      }
      handle = nil
      isShut = true
    }
  }

  /// Deletes the keys that are still queued, as many as the time allows. The others read as absent.
  private func drain(_ handle: LevelDBHandle) {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: drainTime)
    do throws(StoreError) {
      while clock.now < end, try writer.purge(in: handle) {}
    } catch {
      // A later open finds the remaining keys.
    }
  }
}
