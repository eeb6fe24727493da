import HearthOrderedStore

/// Spare cursors over one snapshot.
///
/// Making a cursor costs a store more than a few steps of one. A spare cursor holds the store's
/// files, so cursors are kept only while the snapshot is the one that most readers will use.
final class CursorPool: Sendable {
  /// A cursor without a user. The reader that takes it has it alone.
  private struct SpareCursor: @unchecked Sendable {
    let cursor: any StoreCursor
  }

  private static let capacity = 8

  private let snapshot: any StoreSnapshot
  /// The spare cursors; `nil` while none may be kept.
  private let spare = Lock<[SpareCursor]?>(nil)

  init(_ snapshot: any StoreSnapshot) {
    self.snapshot = snapshot
  }

  func take() throws(StoreError) -> any StoreCursor {
    if let kept = spare.withLock({ $0?.popLast() }) { return kept.cursor }
    return try snapshot.makeCursor()
  }

  /// Keeps the cursor, unless it has met bytes that it could not read.
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
    // The store's cursors are released here, after the lock.
    _ = released
  }
}
