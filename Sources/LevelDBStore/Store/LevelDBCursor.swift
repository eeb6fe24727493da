import CHearthLevelDB
import HearthOrderedStore

/// A position in a snapshot: LevelDB's iterator, with every move checked.
///
/// It holds the handle. So LevelDB stays open until the last cursor is released, or until its next
/// move finds that the store was closed. The spans lie in LevelDB's own blocks.
final class LevelDBCursor: StoreCursor {
  private let store: LevelDBStore
  /// Open LevelDB; `nil` once a move found that the store was closed.
  @exclusivity(unchecked) private var handle: LevelDBHandle?
  private let iterator: OpaquePointer
  /// Key of the last seek, for error messages.
  @exclusivity(unchecked) private var origin: [UInt8] = []
  @exclusivity(unchecked) private(set) var isValid = false
  @exclusivity(unchecked) private(set) var skippedCount = 0
  /// The current entry, kept here because LevelDB passes each question on through five objects.
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
      // LevelDB has stepped over the damaged block.
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

  /// Throws the error that LevelDB's iterator keeps when it steps over an unreadable block.
  func checkReads() throws(StoreError) {
    try checkUsable()
    try checkStatus()
  }

  private func settle(isReversed: Bool = false) throws(StoreError) {
    arrive(isReversed: isReversed)
    try checkStatus()
  }

  /// Takes LevelDB's entry, or the next one in the direction of the move without a dead value.
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

  /// Throws if the store was closed, and releases LevelDB then. No span is in use during a move. In
  /// a forked process it only throws, since a lock of LevelDB's may be taken there for ever.
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
