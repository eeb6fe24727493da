import CLevelDB
import OrderedStore

/// Writes batches one after the other, and none after one has failed.
///
/// LevelDB goes on acknowledging synced writes after a failed append, and loses them on reopening.
/// So no write may even wait inside LevelDB while another could fail: they queue here.
///
/// Before each batch those keys are deleted once more that LevelDB could bring back (`SplitKeys`).
final class LevelDBWriter: @unchecked Sendable {
  private struct State {
    var failure: String?
    var keeper: DeletionKeeper
    /// Keys that were deleted again and that nobody was told of.
    var untold: [[UInt8]] = []
  }

  /// Whether to sync; never changed after it was made.
  private let options = leveldb_writeoptions_create()
  private let state: Lock<State>

  init(isDurable: Bool, keeper: DeletionKeeper) {
    state = Lock(State(keeper: keeper))
    leveldb_writeoptions_set_sync(options, isDurable ? 1 : 0)
  }

  deinit { leveldb_writeoptions_destroy(options) }

  /// - Throws: `.poisoned` after an earlier failure; otherwise what LevelDB reports.
  func write(_ batch: StoreBatch, to handle: LevelDBHandle) throws(StoreError) {
    let copy = LevelDBBatch()
    copy.append(batch)
    try state.withLock { state throws(StoreError) in
      try Self.check(state, handle)
      let deletes = try Self.takeDueDeletes(&state, handle)
      // The batch's own operations come later, so they win.
      if !deletes.isEmpty { copy.prepend(deletes) }
      try write(copy, to: handle, &state)
    }
  }

  /// Deletes again what LevelDB has brought back or could bring back, and writes nothing else.
  ///
  /// - Returns: the keys, with those of writes since the last call.
  /// - Throws: as `write(_:to:)`.
  func keepDeleted(in handle: LevelDBHandle) throws(StoreError) -> [[UInt8]] {
    try state.withLock { state throws(StoreError) in
      try Self.check(state, handle)
      let deletes = try Self.takeDueDeletes(&state, handle)
      if !deletes.isEmpty {
        let batch = LevelDBBatch()
        batch.prepend(deletes)
        try write(batch, to: handle, &state)
      }
      defer { state.untold = [] }
      return state.untold
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

  private static func takeDueDeletes(
    _ state: inout State, _ handle: LevelDBHandle
  ) throws(StoreError) -> [[UInt8]] {
    do throws(StoreError) {
      let deletes = try state.keeper.takeDueDeletes(handle)
      state.untold += deletes
      return deletes
    } catch {
      // What was found may be lost by now; the next open finds it again.
      state.failure = error.description
      throw error
    }
  }

  private func write(
    _ batch: LevelDBBatch, to handle: LevelDBHandle, _ state: inout State
  ) throws(StoreError) {
    let failure = unsafe callingLevelDB {
      unsafe leveldb_write(handle.database, options, batch.pointer, $0)
    }.failure
    guard let failure else { return }
    state.failure = failure
    throw StoreError(
      LevelDBErrors.code(for: failure, during: .write),
      "cannot write to the database at \(handle.folder.path); it takes no more writes until it "
        + "is opened again",
      cause: failure)
  }
}

/// A batch as LevelDB has it.
private final class LevelDBBatch {
  private(set) var pointer = leveldb_writebatch_create()

  deinit { leveldb_writebatch_destroy(pointer) }

  func append(_ batch: StoreBatch) {
    batch.forEach { operation, key, value in
      unsafe key.withCBytes { key, keyCount in
        switch operation {
        case .delete: unsafe leveldb_writebatch_delete(pointer, key, keyCount)
        case .put:
          unsafe value.withCBytes { value, valueCount in
            unsafe leveldb_writebatch_put(pointer, key, keyCount, value, valueCount)
          }
        }
      }
    }
  }

  /// Puts deletes before all that the batch holds.
  func prepend(_ keys: [[UInt8]]) {
    let later = pointer
    pointer = leveldb_writebatch_create()
    for key in keys {
      unsafe key.withCBytes { unsafe leveldb_writebatch_delete(pointer, $0, $1) }
    }
    leveldb_writebatch_append(pointer, later)
    leveldb_writebatch_destroy(later)
  }
}
