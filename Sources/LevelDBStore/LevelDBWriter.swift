import CLevelDB
import OrderedStore

/// The writer of a store: it writes one batch after the other, and none after one has failed.
///
/// After a failed append LevelDB still acknowledges synced writes, and loses them when it is
/// reopened. So no write may even wait inside LevelDB while another could fail. Writes wait here
/// instead.
///
/// A delete is written as a dead value, and each batch deletes the keys whose dead values are due
/// (``DeadKeys``). Every batch puts the anchor (``LevelDBStore/Options/anchor``).
final class LevelDBWriter: @unchecked Sendable {
  private struct State {
    var failure: String?
    var deadKeys: DeadKeys
  }

  /// Number of due keys that a batch may delete in addition to one per operation of its own.
  static let purgeCount = 256

  /// LevelDB's options for a write, with the choice of syncing; never changed once made.
  private let options = leveldb_writeoptions_create()
  private let anchor: [UInt8]?
  private let state: Lock<State>
  private let views: Lock<LiveViews>
  private let found: FoundKeys

  init(_ options: LevelDBStore.Options, _ views: Lock<LiveViews>, _ found: FoundKeys) {
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

  /// Writes a batch, with deletes of keys that are due.
  ///
  /// - Throws: `.poisoned` after an earlier failure; `.reservedValue` with nothing written;
  ///   otherwise LevelDB's error.
  func write(_ batch: StoreBatch, to handle: LevelDBHandle) throws(StoreError) {
    try state.withLock { state throws(StoreError) in
      try Self.check(state, handle)
      let (ordinal, oldest) = views.withLock { ($0.writeCount + 1, $0.oldestOrdinal) }
      let copy = LevelDBBatch()
      if let anchor, !batch.endsByPutting(anchor) { try copy.keep(anchor, of: handle) }
      // Keys of the last write are no backlog.
      let isAhead = !state.deadKeys.hasKeys(before: ordinal - 1)
      let keys = found.take(accepting: isAhead && state.deadKeys.lastForgotten <= oldest)
      copy.delete(found: keys, unless: state.deadKeys, through: oldest, of: handle)
      // The batch's own operations come later, so they win.
      _ = copy.deleteDue(
        &state.deadKeys, through: oldest, upTo: batch.count + Self.purgeCount)
      do throws(StoreError) {
        try copy.append(batch, &state.deadKeys, ordinal)
      } catch {
        // The queue's record of this batch is wrong.
        state.deadKeys.forgetAll(at: ordinal)
        throw error
      }
      try write(copy, to: handle, &state)
    }
  }

  /// Deletes the keys that are due, in a batch of their own.
  ///
  /// - Parameter keys: further keys, which are deleted too if they still have a dead value.
  /// - Returns: whether more keys may be due.
  /// - Throws: `.poisoned` after an earlier failure; otherwise LevelDB's error.
  func purge(
    _ keys: [[UInt8]] = [], upTo limit: Int = purgeCount, in handle: LevelDBHandle
  ) throws(StoreError) -> Bool {
    try state.withLock { state throws(StoreError) in
      try Self.check(state, handle)
      let oldest = views.withLock { $0.oldestOrdinal }
      let copy = LevelDBBatch()
      copy.delete(found: keys, unless: state.deadKeys, through: oldest, of: handle)
      let hasMore = copy.deleteDue(&state.deadKeys, through: oldest, upTo: limit)
      if copy.count > 0 {
        if let anchor { try copy.keep(anchor, of: handle) }
        try write(copy, to: handle, &state)
      }
      return hasMore
    }
  }

  /// Whether dead values that the queue has forgotten may be deleted now.
  var canSweep: Bool {
    let oldest = views.withLock { $0.oldestOrdinal }
    return state.withLock { $0.deadKeys.lastForgotten <= oldest }
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
