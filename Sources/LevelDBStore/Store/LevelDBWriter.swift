import CHearthLevelDB
import HearthOrderedStore

/// The writer of a store: it writes one batch after the other, and none after one has failed.
///
/// After a failed append LevelDB still acknowledges synced writes, and loses them when it is
/// reopened. So no write may even wait inside LevelDB while another could fail. Writes wait here
/// instead.
///
/// A delete is written as a dead value, and each batch deletes the keys whose dead values are due
/// (``DeadKeys``). Every batch puts the anchor (``LevelDBOptions/anchor``).
final class LevelDBWriter: @unchecked Sendable {
  private struct State {
    var failure: String?
    var deadKeys: DeadKeys
  }

  /// Number of due keys that a batch may delete in addition to one per operation of its own.
  static let purgeCount = 256

  /// Number of due keys that a batch of its own deletes.
  static let drainCount = 16 * purgeCount

  /// LevelDB's options, which say whether to sync. They never change.
  private let options = leveldb_writeoptions_create()
  private let anchor: [UInt8]?
  private let state: Lock<State>
  private let views: Lock<LiveViews>
  private let found: FoundKeys

  init(_ options: LevelDBOptions, _ views: Lock<LiveViews>, _ found: FoundKeys) {
    anchor = options.anchor
    state = Lock(State(deadKeys: DeadKeys(byteCountLimit: options.deadKeyByteCount)))
    self.views = views
    self.found = found
    leveldb_writeoptions_set_sync(self.options, options.isDurable ? 1 : 0)
  }

  deinit { leveldb_writeoptions_destroy(options) }

  /// Number of keys that wait in the queue, and the bytes allocated for it.
  var deadKeys: (count: Int, byteCount: Int) {
    state.withLock { ($0.deadKeys.count, $0.deadKeys.byteCount) }
  }

  /// - Parameter isAnchored: whether the batch gets the anchor.
  /// - Throws: `.poisoned` after an earlier failure; `.reservedValue`, or `.corrupt` and
  ///   `.inputOutput` for an anchor that can't be read, with nothing done; otherwise what LevelDB
  ///   reports.
  func write(
    _ batch: StoreBatch, isAnchored: Bool = true, to handle: LevelDBHandle
  ) throws(StoreError) {
    try state.withLock { state throws(StoreError) in
      try Self.check(state, handle)
      guard !batch.puts(DeadValue.bytes) else { throw .reservedValue }
      let (last, oldest) = views.withLock { ($0.writeCount, $0.oldestOrdinal) }
      let copy = LevelDBBatch()
      if isAnchored, let anchor, !batch.endsByPutting(anchor) {
        try copy.keep(anchor, of: handle)
      }
      let keys = state.deadKeys.unqueued(found.take())
      // The batch's own operations come later, so they win.
      _ = copy.deleteDue(
        &state.deadKeys, through: oldest, upTo: batch.count + Self.purgeCount)
      _ = copy.delete(found: keys, &state.deadKeys, through: oldest, last: last, of: handle)
      copy.append(batch, &state.deadKeys, last + 1)
      try write(copy, to: handle, &state)
    }
  }

  /// Deletes keys that are due, in a batch of its own.
  ///
  /// - Returns: whether there may be more.
  /// - Throws: as `write(_:to:)`.
  func purge(in handle: LevelDBHandle) throws(StoreError) -> Bool {
    try writeAlone(to: handle) { batch, deadKeys, oldest, _ in
      batch.deleteDue(&deadKeys, through: oldest, upTo: Self.drainCount)
    }
  }

  /// Deletes keys that had a dead value when they were met, or queues them.
  ///
  /// - Returns: `false` if one was passed over, for a view that may be older than its dead value.
  /// - Throws: as `write(_:to:)`.
  func purge(_ keys: [[UInt8]], in handle: LevelDBHandle) throws(StoreError) -> Bool {
    try writeAlone(to: handle) { batch, deadKeys, oldest, last in
      batch.delete(
        found: deadKeys.unqueued(keys), &deadKeys, through: oldest, last: last, of: handle)
    }
  }

  /// Writes what `fill` puts into a batch, if that is anything.
  private func writeAlone(
    to handle: LevelDBHandle,
    _ fill: (
      _ batch: LevelDBBatch, _ deadKeys: inout DeadKeys, _ oldest: UInt64, _ last: UInt64
    ) -> Bool
  ) throws(StoreError) -> Bool {
    try state.withLock { state throws(StoreError) in
      try Self.check(state, handle)
      let (last, oldest) = views.withLock { ($0.writeCount, $0.oldestOrdinal) }
      let copy = LevelDBBatch()
      // An anchor that can't be read is an error before a key is taken from the queue.
      if let anchor { try copy.keep(anchor, of: handle) }
      let keptCount = copy.count
      let result = fill(copy, &state.deadKeys, oldest, last)
      if copy.count > keptCount { try write(copy, to: handle, &state) }
      return result
    }
  }

  private static func check(_ state: State, _ handle: LevelDBHandle) throws(StoreError) {
    guard let failure = state.failure else { return }
    throw StoreError(
      .poisoned,
      "the database at \(handle.folder.path) takes no writes since one failed; close it and "
        + "open it again",
      cause: failure)
  }

  private func write(
    _ batch: LevelDBBatch, to handle: LevelDBHandle, _ state: inout State
  ) throws(StoreError) {
    let failure = unsafe callingLevelDB {
      unsafe leveldb_write(handle.database, options, batch.pointer, $0)
    }.failure
    guard let failure else { return views.withLock { $0.endWrite() } }
    state.failure = failure
    throw StoreError(
      LevelDBErrors.code(for: failure, during: .write),
      "cannot write to the database at \(handle.folder.path); it takes no more writes until it "
        + "is opened again",
      cause: failure)
  }
}
