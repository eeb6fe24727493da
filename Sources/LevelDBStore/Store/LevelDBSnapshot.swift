import CHearthLevelDB
import HearthOrderedStore

/// A view of a LevelDB store at one moment.
final class LevelDBSnapshot: StoreSnapshot, @unchecked Sendable {
  private let store: LevelDBStore
  private let view: LevelDBView
  /// LevelDB's options for a read: the view, and the check of checksums.
  private let readOptions: OpaquePointer?

  init(store: LevelDBStore, view: LevelDBView) {
    self.store = store
    self.view = view
    readOptions = leveldb_readoptions_create()
    leveldb_readoptions_set_verify_checksums(readOptions, 1)
    leveldb_readoptions_set_snapshot(readOptions, view.pointer)
  }

  deinit {
    store.release(view)
    leveldb_readoptions_destroy(readOptions)
  }

  func value(of key: [UInt8]) throws(StoreError) -> [UInt8]? {
    try store.withHandle { handle throws(StoreError) in
      var byteCount = 0
      let (found, failure) = unsafe callingLevelDB { failure in
        unsafe key.withCBytes { key, keyCount in
          unsafe leveldb_get(handle.database, readOptions, key, keyCount, &byteCount, failure)
        }
      }
      if let failure {
        throw store.error("read \(store.describeKey(key))", words: failure)
      }
      guard let found = unsafe found else { return nil }
      defer { unsafe leveldb_free(found) }
      if unsafe DeadValue.matches(found, byteCount) { return nil }
      return unsafe [UInt8](UnsafeRawBufferPointer(start: found, count: byteCount))
    }
  }

  func makeCursor() throws(StoreError) -> any StoreCursor {
    try store.withHandle { handle throws(StoreError) in
      guard let iterator = leveldb_create_iterator(handle.database, readOptions) else {
        throw store.error("make a cursor", words: "no memory")
      }
      return LevelDBCursor(store: store, handle: handle, iterator: iterator)
    }
  }
}
