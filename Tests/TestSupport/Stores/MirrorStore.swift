package import HearthOrderedStore

/// Two stores that are given the same work and have to answer alike.
///
/// A difference throws `.corrupt` with both answers and is kept in `differences`, so that it is not
/// lost where the code under test swallows errors.
package final class MirrorStore: OrderedStore {
  /// Held while both are asked, so that no write comes between.
  private let stores: Lock<(first: any OrderedStore, second: any OrderedStore)>
  private let log = MirrorLog()
  package let isDurable: Bool

  package init(_ first: any OrderedStore, _ second: any OrderedStore) {
    stores = Lock((first, second))
    isDurable = first.isDurable && second.isDurable
  }

  package var differences: [String] { log.state.withLock { $0.differences } }

  package func makeSnapshot() throws(StoreError) -> any StoreSnapshot {
    let log = log
    return try stores.withLock { stores throws(StoreError) in
      let (left, right) = try log.both(
        "makeSnapshot", stores.first.makeSnapshot, stores.second.makeSnapshot)
      return MirrorSnapshot(first: left, second: right, log: log)
    }
  }

  package func write(_ batch: StoreBatch) throws(StoreError) {
    try stores.withLock { stores throws(StoreError) in
      let (first, second) = stores
      _ = try log.both(
        "write", { () throws(StoreError) in try first.write(batch) },
        { () throws(StoreError) in try second.write(batch) })
    }
  }

  package func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError) -> Bool {
    let (first, second) = stores.withLock { $0 }
    let (reached, reachedToo) = (
      try first.compact(from: lower, to: upper), try second.compact(from: lower, to: upper)
    )
    return reached && reachedToo
  }

  /// The answer of the first; sizes are approximate and need not agree.
  package func approximateByteCount(
    from lower: [UInt8], to upper: [UInt8]
  ) throws(StoreError) -> Int {
    let (first, second) = stores.withLock { $0 }
    _ = try second.approximateByteCount(from: lower, to: upper)
    return try first.approximateByteCount(from: lower, to: upper)
  }

  package func close() throws(StoreError) {
    log.state.withLock { $0.isClosing = true }
    let (first, second) = stores.withLock { $0 }
    try first.close()
    try second.close()
  }
}

private final class MirrorLog: Sendable {
  struct State {
    var differences: [String] = []
    /// From here on one may be closed and the other not yet.
    var isClosing = false
  }

  let state = Lock(State())

  /// Runs both; if one fails, the other has to fail with the same code.
  func both<Result>(
    _ operation: String, _ first: () throws(StoreError) -> Result,
    _ second: () throws(StoreError) -> Result
  ) throws(StoreError) -> (Result, Result) {
    let left = attempt(first)
    let right = attempt(second)
    switch (left, right) {
    case (.success(let left), .success(let right)): return (left, right)
    case (.failure(let left), .failure(let right)) where left.code == right.code: throw left
    case (.failure(let error), _) where isEnd(error): throw error
    case (_, .failure(let error)) where isEnd(error): throw error
    default: throw difference(operation, "\(left)", "\(right)")
    }
  }

  private func isEnd(_ error: StoreError) -> Bool {
    error.code == .closed && state.withLock { $0.isClosing }
  }

  func agree<Value: Equatable>(_ operation: String, _ left: Value, _ right: Value)
    throws(StoreError)
  {
    guard left == right else { throw difference(operation, "\(left)", "\(right)") }
  }

  private func attempt<Value>(
    _ body: () throws(StoreError) -> Value
  ) -> Result<Value, StoreError> {
    do throws(StoreError) { return .success(try body()) } catch { return .failure(error) }
  }

  private func difference(_ operation: String, _ left: String, _ right: String) -> StoreError {
    let message = "the stores differ in \(operation): \(left) and \(right)"
    state.withLock { $0.differences.append(message) }
    return StoreError(.corrupt, message)
  }
}

private final class MirrorSnapshot: StoreSnapshot {
  private let first: any StoreSnapshot
  private let second: any StoreSnapshot
  private let log: MirrorLog

  init(first: any StoreSnapshot, second: any StoreSnapshot, log: MirrorLog) {
    self.first = first
    self.second = second
    self.log = log
  }

  func value(of key: [UInt8]) throws(StoreError) -> [UInt8]? {
    let (left, right) = try log.both(
      "value", { () throws(StoreError) in try first.value(of: key) },
      { () throws(StoreError) in try second.value(of: key) })
    try log.agree("value of \(key)", left, right)
    return left
  }

  func makeCursor() throws(StoreError) -> any StoreCursor {
    let (left, right) = try log.both("makeCursor", first.makeCursor, second.makeCursor)
    return MirrorCursor(first: left, second: right, log: log)
  }
}

private final class MirrorCursor: StoreCursor {
  private let first: any StoreCursor
  private let second: any StoreCursor
  private let log: MirrorLog

  init(first: any StoreCursor, second: any StoreCursor, log: MirrorLog) {
    self.first = first
    self.second = second
    self.log = log
  }

  var isValid: Bool { first.isValid }
  var skippedCount: Int { first.skippedCount + second.skippedCount }
  var key: RawSpan {
    @_lifetime(borrow self) get {
      let inner = first
      return unsafe _overrideLifetime(inner.key, borrowing: self)
    }
  }
  var value: RawSpan {
    @_lifetime(borrow self) get {
      let inner = first
      return unsafe _overrideLifetime(inner.value, borrowing: self)
    }
  }

  func seek(to key: [UInt8]) throws(StoreError) {
    try move("seek to \(key)") { cursor throws(StoreError) in try cursor.seek(to: key) }
  }

  func seekReadable(to key: [UInt8]) throws(StoreError) -> Bool {
    try move("seek readable to \(key)") { cursor throws(StoreError) in
      _ = try cursor.seekReadable(to: key)
    }
    return false
  }

  func seek(before key: [UInt8]) throws(StoreError) {
    try move("seek before \(key)") { cursor throws(StoreError) in try cursor.seek(before: key) }
  }

  func next() throws(StoreError) {
    try move("next") { cursor throws(StoreError) in try cursor.next() }
  }

  func previous() throws(StoreError) {
    try move("previous") { cursor throws(StoreError) in try cursor.previous() }
  }

  func checkReads() throws(StoreError) {
    _ = try log.both("checkReads", first.checkReads, second.checkReads)
  }

  private func move(
    _ operation: String, _ body: (any StoreCursor) throws(StoreError) -> Void
  ) throws(StoreError) {
    _ = try log.both(
      operation, { () throws(StoreError) in try body(first) },
      { () throws(StoreError) in try body(second) })
    try log.agree("isValid after \(operation)", first.isValid, second.isValid)
    guard first.isValid else { return }
    let (left, right) = (first, second)
    try log.agree(
      "key after \(operation)", [UInt8](copying: left.key), [UInt8](copying: right.key))
    try log.agree(
      "value after \(operation)", [UInt8](copying: left.value), [UInt8](copying: right.value))
  }
}
