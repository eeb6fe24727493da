import CLevelDB
import OrderedStore

/// Writes batches one after the other, and none after one has failed.
///
/// LevelDB goes on acknowledging synced writes after a failed append, and loses them on reopening.
/// So no write may even wait inside LevelDB while another could fail: they queue here.
final class LevelDBWriter: @unchecked Sendable {
  private struct State {
    var failure: String?
  }

  /// Whether to sync; never changed after it was made.
  private let options = leveldb_writeoptions_create()
  private let state = Lock(State())

  init(isDurable: Bool) {
    leveldb_writeoptions_set_sync(options, isDurable ? 1 : 0)
  }

  deinit { leveldb_writeoptions_destroy(options) }

  /// - Throws: `.poisoned` after an earlier failure; otherwise what LevelDB reports.
  func write(_ batch: StoreBatch, to handle: LevelDBHandle) throws(StoreError) {
    let copy = leveldb_writebatch_create()
    defer { leveldb_writebatch_destroy(copy) }
    batch.forEach { operation, key, value in
      unsafe key.withCBytes { key, keyCount in
        switch operation {
        case .delete: unsafe leveldb_writebatch_delete(copy, key, keyCount)
        case .put:
          unsafe value.withCBytes { value, valueCount in
            unsafe leveldb_writebatch_put(copy, key, keyCount, value, valueCount)
          }
        }
      }
    }
    try state.withLock { state throws(StoreError) in
      if let failure = state.failure {
        throw StoreError(
          .poisoned,
          "the database at \(handle.folder.path) takes no writes since one failed; close it and "
            + "open it again",
          cause: failure)
      }
      let failure = unsafe callingLevelDB {
        unsafe leveldb_write(handle.database, options, copy, $0)
      }.failure
      guard let failure else { return }
      state.failure = failure
      throw StoreError(
        LevelDBErrors.code(for: failure),
        "cannot write to the database at \(handle.folder.path); it takes no more writes until it "
          + "is opened again",
        cause: failure)
    }
  }
}
