import CHearthLevelDB
import HearthOrderedStore

/// A view of a LevelDB store at one moment.
final class LevelDBSnapshot: StoreSnapshot, @unchecked Sendable {
  private let store: LevelDBStore
  private let view: LevelDBView
  private let readOptions: LevelDBReadOptions

  init(store: LevelDBStore, view: LevelDBView) {
    self.store = store
    self.view = view
    readOptions = LevelDBReadOptions(view: view)
  }

  deinit { store.release(view) }

  func value(of key: [UInt8]) throws(StoreError) -> [UInt8]? {
    var value: [UInt8]?
    try withValue(of: key.span.bytes) { value = [UInt8](copying: $0) }
    return value
  }

  func withValue(of key: RawSpan, _ body: (RawSpan) -> Void) throws(StoreError) {
    try store.withHandle { handle throws(StoreError) in
      let failure = handle.read(key, readOptions) { if !DeadValue.matches($0) { body($0) } }
      if let failure {
        let key = store.describeKey([UInt8](copying: key))
        throw store.error("read \(key)", words: failure)
      }
    }
  }

  func makeCursor() throws(StoreError) -> any StoreCursor {
    try store.withHandle { handle throws(StoreError) in
      guard let iterator = leveldb_create_iterator(handle.database, readOptions.pointer) else {
        throw store.error("make a cursor", words: "no memory")
      }
      return LevelDBCursor(store: store, handle: handle, iterator: iterator)
    }
  }
}
