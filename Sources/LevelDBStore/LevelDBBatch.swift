import CLevelDB
import OrderedStore

/// A batch in LevelDB's form.
final class LevelDBBatch {
  let pointer = leveldb_writebatch_create()
  /// Number of operations.
  private(set) var count = 0

  deinit { leveldb_writebatch_destroy(pointer) }

  /// Appends the operations of a batch, with deletes as dead values.
  ///
  /// - Parameter deadKeys: records the operations; wrong after a throw.
  /// - Throws: `.reservedValue` for a put of the dead value.
  func append(
    _ batch: StoreBatch, _ deadKeys: inout DeadKeys, _ ordinal: UInt64
  ) throws(StoreError) {
    let dead = DeadValue.bytes
    try batch.forEach { operation, key, value throws(StoreError) in
      switch operation {
      case .put:
        guard !DeadValue.matches(value) else { throw .reservedValue }
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
  }

  /// Appends deletes of keys that are due.
  ///
  /// - Returns: whether more keys may be due.
  func deleteDue(_ deadKeys: inout DeadKeys, through oldest: UInt64, upTo limit: Int) -> Bool {
    deadKeys.takeDue(through: oldest, upTo: limit) { delete($0) }
  }

  /// Appends deletes of those `keys` that have a dead value and aren't queued. It appends nothing
  /// if a view is older than the last dead value that the queue forgot.
  func delete(
    found keys: [[UInt8]], unless deadKeys: DeadKeys, through oldest: UInt64,
    of handle: LevelDBHandle
  ) {
    guard deadKeys.lastForgotten <= oldest else { return }
    for key in keys where !deadKeys.contains(key.span.bytes) && handle.holdsDeadValue(key) {
      delete(key.span.bytes)
    }
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
