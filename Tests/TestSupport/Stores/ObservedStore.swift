package import HearthOrderedStore

/// An operation of a store, as a decorator sees it.
package enum StoreOperation: String, Sendable, CaseIterable {
  case makeSnapshot, get, makeCursor, seek, next, previous, checkReads
  case write, compact, approximateByteCount
}

/// Looks at each operation before the store behind does it, and may forbid it.
package protocol StoreObserver: AnyObject, Sendable {
  func willPerform(_ operation: StoreOperation) throws(StoreError)
  func willWrite(_ batch: StoreBatch, to store: any OrderedStore) throws(StoreError)
  func didRead(byteCount: Int)
  /// Notes where a seek has arrived; `nil` for the end.
  func didSeek(to key: [UInt8], at found: [UInt8]?)
}

extension StoreObserver {
  package func didSeek(to key: [UInt8], at found: [UInt8]?) {}
}

/// A store that tells an observer of all that is asked of another one.
package final class ObservedStore: OrderedStore {
  private let store: any OrderedStore
  private let observer: any StoreObserver

  package init(_ store: any OrderedStore, observer: any StoreObserver) {
    self.store = store
    self.observer = observer
  }

  package var isDurable: Bool { store.isDurable }

  package func makeSnapshot() throws(StoreError) -> any StoreSnapshot {
    try observer.willPerform(.makeSnapshot)
    return ObservedSnapshot(snapshot: try store.makeSnapshot(), observer: observer)
  }

  package func write(_ batch: StoreBatch) throws(StoreError) {
    try observer.willWrite(batch, to: store)
    try store.write(batch)
  }

  package func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError) -> Bool {
    try observer.willPerform(.compact)
    return try store.compact(from: lower, to: upper)
  }

  package func approximateByteCount(
    from lower: [UInt8], to upper: [UInt8]
  ) throws(StoreError) -> Int {
    try observer.willPerform(.approximateByteCount)
    return try store.approximateByteCount(from: lower, to: upper)
  }

  package func close() throws(StoreError) { try store.close() }
}

private final class ObservedSnapshot: StoreSnapshot {
  private let snapshot: any StoreSnapshot
  private let observer: any StoreObserver

  init(snapshot: any StoreSnapshot, observer: any StoreObserver) {
    self.snapshot = snapshot
    self.observer = observer
  }

  func value(of key: [UInt8]) throws(StoreError) -> [UInt8]? {
    try observer.willPerform(.get)
    let value = try snapshot.value(of: key)
    observer.didRead(byteCount: value?.count ?? 0)
    return value
  }

  func makeCursor() throws(StoreError) -> any StoreCursor {
    try observer.willPerform(.makeCursor)
    return ObservedCursor(cursor: try snapshot.makeCursor(), observer: observer)
  }
}

private final class ObservedCursor: StoreCursor {
  private let cursor: any StoreCursor
  private let observer: any StoreObserver

  init(cursor: any StoreCursor, observer: any StoreObserver) {
    self.cursor = cursor
    self.observer = observer
  }

  var isValid: Bool { cursor.isValid }
  var skippedCount: Int { cursor.skippedCount }
  var key: RawSpan {
    @_lifetime(borrow self) get {
      let inner = cursor
      return unsafe _overrideLifetime(inner.key, borrowing: self)
    }
  }
  var value: RawSpan {
    @_lifetime(borrow self) get {
      let inner = cursor
      return unsafe _overrideLifetime(inner.value, borrowing: self)
    }
  }

  func seek(to key: [UInt8]) throws(StoreError) {
    try observer.willPerform(.seek)
    try cursor.seek(to: key)
    didSeek(to: key)
  }

  func seekReadable(to key: [UInt8]) throws(StoreError) -> Bool {
    try observer.willPerform(.seek)
    let passesOver = try cursor.seekReadable(to: key)
    didSeek(to: key)
    return passesOver
  }

  func seek(before key: [UInt8]) throws(StoreError) {
    try observer.willPerform(.seek)
    try cursor.seek(before: key)
    didSeek(to: key)
  }

  func next() throws(StoreError) {
    try observer.willPerform(.next)
    try cursor.next()
    didMove()
  }

  func previous() throws(StoreError) {
    try observer.willPerform(.previous)
    try cursor.previous()
    didMove()
  }

  func checkReads() throws(StoreError) {
    try observer.willPerform(.checkReads)
    try cursor.checkReads()
  }

  private func didSeek(to key: [UInt8]) {
    let cursor = cursor
    observer.didSeek(to: key, at: cursor.isValid ? [UInt8](copying: cursor.key) : nil)
    didMove()
  }

  private func didMove() {
    let cursor = cursor
    guard cursor.isValid else { return }
    observer.didRead(byteCount: cursor.key.byteCount + cursor.value.byteCount)
  }
}
