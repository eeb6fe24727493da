import CLevelDB
package import OrderedStore

/// An ordered store in a folder, kept by LevelDB.
///
/// One process at a time has it open. `close()`, or the end of the last reference, waits for
/// running calls; cursors are not waited for, since their user may be the one who closes. A cursor
/// that is still there keeps LevelDB and the folder's lock until it is released or moved again.
///
/// In a process that was forked from that one every call throws `.forked`, and neither `close()`
/// nor the end of a reference touches LevelDB, its files or the lock.
package final class LevelDBStore: OrderedStore, @unchecked Sendable {
  package let isDurable: Bool
  private let folder: String
  private let describe: @Sendable ([UInt8]) -> String
  private let anchor: [UInt8]?
  private let gate = CallGate()
  /// Read inside the gate; `nil` once the gate was closed and the last call has left.
  private var handle: LevelDBHandle?
  private let writer: LevelDBWriter
  /// Those that nobody has released yet.
  private let views = Lock(LiveViews())
  private let found = FoundKeys()
  private let drainTime: Duration
  private let closing = Lock(false)
  /// Of the process that has the store open: one that is forked from it leaves everything as it is.
  private let process = ForkMark()

  init(handle: LevelDBHandle, options: Options) {
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

  /// A failed rewrite leaves the old tables in place; LevelDB tells of it at the next write, so one
  /// without contents follows.
  package func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError) {
    try withHandle { handle throws(StoreError) in
      guard upper?.isEmpty != true else { return }
      try purge(from: lower, to: upper, in: handle)
      for (lower, upper) in CompactionRanges.ranges(from: lower, to: upper, around: anchor) {
        handle.compact(from: lower, to: upper)
      }
      try writer.write(StoreBatch(), to: handle)
    }
  }

  /// Deletes the keys whose dead values are due, and those in a range that nobody remembers.
  ///
  /// - Complexity: the entries of the range.
  private func purge(
    from lower: [UInt8]?, to upper: [UInt8]?, in handle: LevelDBHandle
  ) throws(StoreError) {
    while try writer.purge(in: handle) {}
    guard writer.canSweep, var sweep = DeadSweep(of: handle, from: lower, to: upper) else { return }
    while true {
      let keys = sweep.nextKeys(LevelDBWriter.purgeCount)
      if keys.isEmpty { return }
      _ = try writer.purge(keys, in: handle)
    }
  }

  /// Number and bytes of the keys that were deleted and that LevelDB still holds dead values of.
  package var deadKeys: (count: Int, byteCount: Int) { writer.deadKeys }

  /// Counts tables only: what was written last is not seen.
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

  /// Records that whoever derives data from other data has verified it after a power loss.
  ///
  /// Until then every open reports `isUncleanAfterPowerLoss`.
  package func markVerified() throws(StoreError) {
    try withHandle { handle throws(StoreError) in
      try handle.folder.beginWriting(isDurable: isDurable, isUnverified: false)
    }
  }
}

// MARK: - For snapshots and cursors

extension LevelDBStore {
  var isClosed: Bool { gate.isClosed }
  var isInherited: Bool { process.isInherited }

  var closedError: StoreError {
    StoreError(.closed, "the database at \(folder) was closed")
  }

  func describeKey(_ key: [UInt8]) -> String { describe(key) }

  /// Takes note of a key whose dead value a cursor has stepped over.
  func note(found key: RawSpan) { found.add(key) }

  /// The error for LevelDB's `words` after it failed to do `operation`, which reads.
  func error(_ operation: String, words: String) -> StoreError {
    StoreError(
      LevelDBErrors.code(for: words, during: .read),
      "cannot \(operation) in the database at \(folder)", cause: words)
  }

  /// Calls `body` while nobody can close LevelDB.
  func withHandle<Result>(
    _ body: (LevelDBHandle) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard !isInherited else { throw .forked }
    guard gate.enter() else { throw closedError }
    defer { gate.leave() }
    guard let handle else { throw closedError }
    return try body(handle)
  }

  /// Gives a snapshot back, unless closing the store has.
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

  /// Deletes the keys that are still queued, as many as there is time for: what is left reads as
  /// absent.
  private func drain(_ handle: LevelDBHandle) {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: drainTime)
    do throws(StoreError) {
      while clock.now < end, try writer.purge(upTo: 16 * LevelDBWriter.purgeCount, in: handle) {}
    } catch {
      // A later opening finds them.
    }
  }
}
