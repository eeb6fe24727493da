import CHearthLevelDB
import HearthOrderedStore

/// A batch in LevelDB's form.
final class LevelDBBatch {
  let pointer = leveldb_writebatch_create()
  /// Number of operations.
  private(set) var count = 0

  deinit { leveldb_writebatch_destroy(pointer) }

  /// Number of operations from which on they are sorted by their keys. LevelDB then finds the place
  /// of one near that of the one before, in memory that the processor has read already.
  private static let sortedCount = 256

  /// Appends the operations of a batch, with deletes as dead values.
  ///
  /// - Parameter deadKeys: is told of them.
  func append(_ batch: StoreBatch, _ deadKeys: inout DeadKeys, _ ordinal: UInt64) {
    let dead = DeadValue.bytes
    func append(_ operation: StoreBatch.Operation, _ key: RawSpan, _ value: RawSpan) {
      switch operation {
      case .put:
        deadKeys.remove(key)
        put(key, value)
      case .delete:
        deadKeys.append(key, ordinal: ordinal)
        put(key, dead.span.bytes)
      case .discard:
        deadKeys.remove(key)
        delete(key)
      }
    }
    if batch.count < LevelDBBatch.sortedCount {
      batch.forEach(append)
    } else {
      batch.forEachByKey(append)
    }
  }

  /// Appends deletes of keys that are due.
  ///
  /// - Returns: whether more keys may be due.
  func deleteDue(_ deadKeys: inout DeadKeys, through oldest: UInt64, upTo limit: Int) -> Bool {
    deadKeys.takeDue(through: oldest, upTo: limit) { delete($0) }
  }

  /// Appends deletes of the keys that have a dead value, if every view is as young as the last
  /// forgotten dead value. Otherwise queues the keys.
  ///
  /// - Parameters:
  ///   - keys: keys that aren't queued.
  ///   - last: the number of the last write that ended.
  /// - Returns: `false` if a key was passed over because the queue is full.
  func delete(
    found keys: [[UInt8]], _ deadKeys: inout DeadKeys, through oldest: UInt64, last: UInt64,
    of handle: LevelDBHandle
  ) -> Bool {
    let isDue = deadKeys.lastForgotten <= oldest
    for key in keys {
      guard isDue || deadKeys.hasRoom(for: key.count) else { return false }
      guard handle.holdsDeadValue(key) else { continue }
      if isDue {
        delete(key.span.bytes)
      } else {
        deadKeys.append(key.span.bytes, ordinal: last)
      }
    }
    return true
  }

  /// Puts the present value of a key once more, if it has one.
  ///
  /// - Throws: `.corrupt`, `.inputOutput`.
  func keep(_ key: [UInt8], of handle: LevelDBHandle) throws(StoreError) {
    guard let value = try handle.value(of: key) else { return }
    put(key.span.bytes, value.span.bytes)
  }

  private func put(_ key: RawSpan, _ value: RawSpan) {
    count += 1
    unsafe key.withCBytes { key, keyCount in
      unsafe value.withCBytes { value, valueCount in
        unsafe leveldb_writebatch_put(pointer, key, keyCount, value, valueCount)
      }
    }
  }

  private func delete(_ key: RawSpan) {
    count += 1
    unsafe key.withCBytes { unsafe leveldb_writebatch_delete(pointer, $0, $1) }
  }
}
