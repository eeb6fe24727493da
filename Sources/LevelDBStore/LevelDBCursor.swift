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
  @exclusivity(unchecked) private(set) var skippedCount = 0
  /// The entry under the cursor: LevelDB passes each question on through five objects.
  @exclusivity(unchecked) private var keyStart: UnsafePointer<CChar>?
  @exclusivity(unchecked) private var keyByteCount = 0
  @exclusivity(unchecked) private var valueStart: UnsafePointer<CChar>?
  @exclusivity(unchecked) private var valueByteCount = 0

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
      let bytes = unsafe UnsafeRawBufferPointer(start: keyStart, count: keyByteCount)
      return unsafe _overrideLifetime(bytes.bytes, borrowing: self)
    }
  }

  var value: RawSpan {
    @_lifetime(borrow self)
    get {
      precondition(isValid, "the cursor stands on no entry")
      let bytes = unsafe UnsafeRawBufferPointer(start: valueStart, count: valueByteCount)
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
      arrive()
      return true
    }
  }

  func seek(before key: [UInt8]) throws(StoreError) {
    try checkUsable()
    origin = key
    unsafe key.withCBytes { unsafe leveldb_iter_seek(iterator, $0, $1) }
    try checkStatus()
    if leveldb_iter_valid(iterator) != 0 {
      leveldb_iter_prev(iterator)
    } else {
      leveldb_iter_seek_to_last(iterator)
    }
    try settle(isReversed: true)
  }

  func next() throws(StoreError) {
    precondition(isValid, "the cursor stands on no entry")
    try checkUsable()
    leveldb_iter_next(iterator)
    arrive()
    if !isValid { try checkReads() }
  }

  func previous() throws(StoreError) {
    precondition(isValid, "the cursor stands on no entry")
    try checkUsable()
    leveldb_iter_prev(iterator)
    try settle(isReversed: true)
  }

  /// LevelDB's iterator steps over a block that it cannot read and stays valid; it keeps the error.
  func checkReads() throws(StoreError) {
    try checkUsable()
    try checkStatus()
  }

  private func settle(isReversed: Bool = false) throws(StoreError) {
    arrive(isReversed: isReversed)
    try checkStatus()
  }

  /// Stands on the entry that LevelDB stands on, or the first behind it with no dead value.
  private func arrive(isReversed: Bool = false) {
    isValid = false
    while leveldb_iter_valid(iterator) != 0 {
      unsafe keyStart = leveldb_iter_key(iterator, &keyByteCount)
      unsafe valueStart = leveldb_iter_value(iterator, &valueByteCount)
      guard unsafe DeadValue.matches(valueStart, valueByteCount) else { return isValid = true }
      skippedCount += 1
      let key = unsafe UnsafeRawBufferPointer(start: keyStart, count: keyByteCount)
      store.note(found: unsafe key.bytes)
      if isReversed { leveldb_iter_prev(iterator) } else { leveldb_iter_next(iterator) }
    }
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
