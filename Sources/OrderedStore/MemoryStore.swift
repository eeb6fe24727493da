import Synchronization

/// An ordered store in memory: the reference for other stores, and the store of databases in tests.
///
/// It counts as durable: acknowledged writes last as long as the store itself, and there is no
/// crash after which it could be opened again.
package final class MemoryStore: OrderedStore {
  private let entries = Lock(SortedChunks())
  private let closing = MemoryStoreClosing()

  package init() {}

  package var isDurable: Bool { true }

  package func makeSnapshot() throws(StoreError) -> any StoreSnapshot {
    try closing.check()
    return MemorySnapshot(entries: entries.withLock { $0 }, closing: closing)
  }

  package func write(_ batch: StoreBatch) throws(StoreError) {
    try closing.check()
    entries.withLock { entries in
      batch.forEach { operation, key, value in
        switch operation {
        case .put: entries.put([UInt8](copying: key), [UInt8](copying: value))
        case .delete, .discard: entries.delete([UInt8](copying: key))
        }
      }
    }
  }

  @discardableResult
  package func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError) -> Bool {
    try closing.check()
    return true
  }

  package func approximateByteCount(
    from lower: [UInt8], to upper: [UInt8]
  ) throws(StoreError) -> Int {
    try closing.check()
    return entries.withLock { $0 }.byteCount(from: lower, to: upper)
  }

  package func close() throws(StoreError) { closing.close() }
}

/// The closed state of a memory store, shared with its snapshots and cursors.
private final class MemoryStoreClosing: Sendable {
  private let isClosed = Atomic(false)

  func close() { isClosed.store(true, ordering: .releasing) }

  func check() throws(StoreError) {
    guard isClosed.load(ordering: .acquiring) else { return }
    throw StoreError(.closed, "the store in memory was closed")
  }
}

private final class MemorySnapshot: StoreSnapshot {
  private let entries: SortedChunks
  private let closing: MemoryStoreClosing

  init(entries: SortedChunks, closing: MemoryStoreClosing) {
    self.entries = entries
    self.closing = closing
  }

  func value(of key: [UInt8]) throws(StoreError) -> [UInt8]? {
    try closing.check()
    return entries.value(of: key)
  }

  func makeCursor() throws(StoreError) -> any StoreCursor {
    try closing.check()
    return MemoryCursor(entries: entries, closing: closing)
  }
}

private final class MemoryCursor: StoreCursor {
  private let entries: SortedChunks
  private let closing: MemoryStoreClosing
  private var position: SortedChunks.Position?
  /// The entry at `position`, held so that its spans stay valid until the next move.
  private var current = SortedChunks.Entry(key: [], value: [])

  init(entries: SortedChunks, closing: MemoryStoreClosing) {
    self.entries = entries
    self.closing = closing
  }

  var isValid: Bool { position != nil }

  var key: RawSpan {
    @_lifetime(borrow self)
    get {
      precondition(isValid, "the cursor stands on no entry")
      return unsafe _overrideLifetime(current.key.span.bytes, borrowing: self)
    }
  }

  var value: RawSpan {
    @_lifetime(borrow self)
    get {
      precondition(isValid, "the cursor stands on no entry")
      return unsafe _overrideLifetime(current.value.span.bytes, borrowing: self)
    }
  }

  func seek(to key: [UInt8]) throws(StoreError) {
    try closing.check()
    move(to: entries.position(atOrAfter: key))
  }

  func seekReadable(to key: [UInt8]) throws(StoreError) -> Bool {
    try seek(to: key)
    return false
  }

  func seek(before key: [UInt8]) throws(StoreError) {
    try closing.check()
    move(to: entries.position(before: entries.position(atOrAfter: key)))
  }

  func next() throws(StoreError) {
    try closing.check()
    guard let position else { preconditionFailure("the cursor stands on no entry") }
    move(to: entries.position(after: position))
  }

  func previous() throws(StoreError) {
    try closing.check()
    guard let position else { preconditionFailure("the cursor stands on no entry") }
    move(to: entries.position(before: position))
  }

  func checkReads() throws(StoreError) { try closing.check() }

  private func move(to target: SortedChunks.Position?) {
    position = target
    if let target { current = entries[target] }
  }
}
