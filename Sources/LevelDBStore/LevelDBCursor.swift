import CLevelDB
import OrderedStore

/// A position in a snapshot: LevelDB's iterator, with every move checked.
///
/// It holds the handle, so that LevelDB stays open until the last cursor is gone or has learnt, at
/// its next move, that the store was closed. The spans it hands out lie in LevelDB's own blocks.
final class LevelDBCursor: StoreCursor {
  private let store: LevelDBStore
  /// `nil` once the cursor has learnt that the store was closed.
  @exclusivity(unchecked) private var handle: LevelDBHandle?
  private let iterator: OpaquePointer
  /// Where the last seek went, for error messages.
  @exclusivity(unchecked) private var origin: [UInt8] = []
  @exclusivity(unchecked) private(set) var isValid = false

  init(store: LevelDBStore, handle: LevelDBHandle, iterator: OpaquePointer) {
    self.store = store
    self.handle = handle
    self.iterator = iterator
  }

  deinit {
    if handle != nil, !store.isInherited { leveldb_iter_destroy(iterator) }
  }

  var key: RawSpan {
    @_lifetime(borrow self)
    get {
      precondition(isValid, "the cursor stands on no entry")
      var byteCount = 0
      let start = unsafe leveldb_iter_key(iterator, &byteCount)
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: byteCount)
      return unsafe _overrideLifetime(bytes.bytes, borrowing: self)
    }
  }

  var value: RawSpan {
    @_lifetime(borrow self)
    get {
      precondition(isValid, "the cursor stands on no entry")
      var byteCount = 0
      let start = unsafe leveldb_iter_value(iterator, &byteCount)
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: byteCount)
      return unsafe _overrideLifetime(bytes.bytes, borrowing: self)
    }
  }

  func seek(to key: [UInt8]) throws(StoreError) {
    try checkUsable()
    origin = key
    unsafe key.withCBytes { unsafe leveldb_iter_seek(iterator, $0, $1) }
    try settle()
  }

  func seekReadable(to key: [UInt8]) throws(StoreError) -> Bool {
    do throws(StoreError) {
      try seek(to: key)
      return false
    } catch {
      guard error.code == .corrupt else { throw error }
      // LevelDB has stepped over the block.
      isValid = leveldb_iter_valid(iterator) != 0
      return true
    }
  }

  func seek(before key: [UInt8]) throws(StoreError) {
    try seek(to: key)
    if isValid {
      leveldb_iter_prev(iterator)
    } else {
      leveldb_iter_seek_to_last(iterator)
    }
    try settle()
  }

  func next() throws(StoreError) {
    precondition(isValid, "the cursor stands on no entry")
    try checkUsable()
    leveldb_iter_next(iterator)
    isValid = leveldb_iter_valid(iterator) != 0
    if !isValid { try checkReads() }
  }

  func previous() throws(StoreError) {
    precondition(isValid, "the cursor stands on no entry")
    try checkUsable()
    leveldb_iter_prev(iterator)
    try settle()
  }

  /// LevelDB's iterator steps over a block that it cannot read and stays valid; it keeps the error.
  func checkReads() throws(StoreError) {
    try checkUsable()
    try checkStatus()
  }

  private func settle() throws(StoreError) {
    isValid = leveldb_iter_valid(iterator) != 0
    try checkStatus()
  }

  private func checkStatus() throws(StoreError) {
    let failure = unsafe callingLevelDB { unsafe leveldb_iter_get_error(iterator, $0) }.failure
    guard let failure else { return }
    isValid = false
    throw store.error("read on from \(store.describeKey(origin))", words: failure)
  }

  /// Lets go of LevelDB once the store was closed; no span is in use during a move. In a forked
  /// process a lock of LevelDB's can be taken for ever.
  private func checkUsable() throws(StoreError) {
    guard !store.isInherited else {
      isValid = false
      throw .forked
    }
    guard store.isClosed else { return }
    isValid = false
    if handle != nil {
      leveldb_iter_destroy(iterator)
      handle = nil
    }
    throw store.closedError
  }
}
