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
  private let gate = CallGate()
  /// Read inside the gate; `nil` once the gate was closed and the last call has left.
  private var handle: LevelDBHandle?
  private let writer: LevelDBWriter
  /// Those that nobody has released yet.
  private let views = Lock(Set<LevelDBView>())
  private let closing = Lock(false)
  /// Of the process that has the store open: one that is forked from it leaves everything as it is.
  private let process = ForkMark()

  init(handle: LevelDBHandle, options: Options, keeper: DeletionKeeper) {
    self.handle = handle
    folder = handle.folder.path
    isDurable = options.isDurable
    describe = options.describeKey
    writer = LevelDBWriter(isDurable: options.isDurable, keeper: keeper)
  }

  deinit { shut() }

  package func makeSnapshot() throws(StoreError) -> any StoreSnapshot {
    try withHandle { handle throws(StoreError) in
      guard let pointer = leveldb_create_snapshot(handle.database) else {
        throw error("make a snapshot", words: "no memory")
      }
      let view = LevelDBView(pointer: pointer)
      views.withLock { _ = $0.insert(view) }
      return LevelDBSnapshot(store: self, view: view)
    }
  }

  package func write(_ batch: StoreBatch) throws(StoreError) {
    try withHandle { handle throws(StoreError) in
      try writer.write(batch, to: handle)
    }
  }

  package func keepDeleted() throws(StoreError) -> [[UInt8]] {
    try withHandle { handle throws(StoreError) in try writer.keepDeleted(in: handle) }
  }

  /// A failed rewrite leaves the old tables in place; LevelDB tells of it at the next write, so one
  /// without contents follows.
  package func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError) {
    try withHandle { handle throws(StoreError) in
      guard upper?.isEmpty != true else { return }
      unsafe (lower ?? []).withCBytes { lowerBytes, lowerCount in
        unsafe (upper ?? []).withCBytes { upperBytes, upperCount in
          unsafe leveldb_compact_range(
            handle.database, lowerCount > 0 ? lowerBytes : nil, lowerCount,
            upperCount > 0 ? upperBytes : nil, upperCount)
        }
      }
      try writer.write(StoreBatch(), to: handle)
    }
  }

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
    views.withLock { _ = $0.remove(view) }
    leveldb_release_snapshot(handle.database, view.pointer)
  }

  private func shut() {
    guard !isInherited else { return }
    closing.withLock { isShut in
      guard !isShut else { return }
      gate.closeAndWait()
      views.withLock { views in
        guard let handle else { return }
        for view in views { leveldb_release_snapshot(handle.database, view.pointer) }
        views.removeAll()
      }
      handle = nil
      isShut = true
    }
  }
}
