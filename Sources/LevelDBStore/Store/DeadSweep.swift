import CHearthLevelDB
import HearthOrderedStore

/// A search for the dead values in a range of keys, as they are when it is made.
struct DeadSweep: ~Copyable {
  /// LevelDB's iterator. It holds no snapshot and only keeps files.
  private let iterator: OpaquePointer
  private let upper: [UInt8]?

  /// Begins a search; `nil` without memory.
  init?(of handle: LevelDBHandle, from lower: [UInt8]?, to upper: [UInt8]?) {
    let options = LevelDBReadOptions(fillsCache: false)
    guard let iterator = leveldb_create_iterator(handle.database, options.pointer) else {
      return nil
    }
    self.iterator = iterator
    self.upper = upper
    unsafe (lower ?? []).withCBytes { unsafe leveldb_iter_seek(iterator, $0, $1) }
  }

  deinit { leveldb_iter_destroy(iterator) }

  /// Returns the next `limit` keys with a dead value, or fewer at the end. It passes over damage.
  mutating func nextKeys(_ limit: Int) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    while keys.count < limit, leveldb_iter_valid(iterator) != 0 {
      var (keyCount, valueCount) = (0, 0)
      let start = unsafe leveldb_iter_key(iterator, &keyCount)
      let key = unsafe UnsafeRawBufferPointer(start: start, count: keyCount)
      if let upper, unsafe !key.bytes.precedes(upper.span.bytes) { break }
      let value = unsafe leveldb_iter_value(iterator, &valueCount)
      if unsafe DeadValue.matches(value, valueCount) { keys.append(unsafe [UInt8](key)) }
      leveldb_iter_next(iterator)
    }
    return keys
  }
}
