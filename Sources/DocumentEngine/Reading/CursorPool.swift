import OrderedStore

/// Cursors over one snapshot that nobody uses just now.
///
/// Making a cursor costs a store more than a few steps of one. What is kept holds on to the store's
/// files, so cursors are kept only while the snapshot is the one that most will read.
final class CursorPool: Sendable {
  /// A cursor without a user: whoever takes it has it alone.
  private struct SpareCursor: @unchecked Sendable {
    let cursor: any StoreCursor
  }

  private static let capacity = 8

  private let snapshot: any StoreSnapshot
  /// `nil` while none are kept.
  private let spare = Lock<[SpareCursor]?>(nil)

  init(_ snapshot: any StoreSnapshot) {
    self.snapshot = snapshot
  }

  func take() throws(StoreError) -> any StoreCursor {
    if let kept = spare.withLock({ $0?.popLast() }) { return kept.cursor }
    return try snapshot.makeCursor()
  }

  /// Keeps the cursor, unless it has met something that it could not read.
  func giveBack(_ cursor: any StoreCursor) {
    do { try cursor.checkReads() } catch { return }
    let cursor = SpareCursor(cursor: cursor)
    spare.withLock { spare in
      if let count = spare?.count, count < CursorPool.capacity { spare?.append(cursor) }
    }
  }

  func open() {
    spare.withLock { if $0 == nil { $0 = [] } }
  }

  func close() {
    let released = spare.withLock { spare in
      defer { spare = nil }
      return spare
    }
    // The store's cursors end here, after the lock.
    _ = released
  }
}
