import DocumentModel
import OrderedStore
import StorageFormat

/// Index entries of a document, keys and values behind each other in one buffer.
struct EntryList {
  private struct Entry {
    var start: Int
    var keyEnd: Int
    var end: Int
    var size: LogicalSize
  }

  /// What an entry counts for in Firestore, which limits speak of (§1.2, §1.3).
  struct LogicalSize {
    var count: Int
    var byteCount: Int
  }

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []

  var count: Int { entries.count }
  /// The bytes of all keys and values.
  var byteCount: Int { bytes.count }

  /// What all entries together count for.
  struct TotalSize {
    var count = 0
    var byteCount = 0
    var largestByteCount = 0
  }

  var logicalSize: TotalSize {
    entries.reduce(into: TotalSize()) { total, entry in
      total.count += entry.size.count
      total.byteCount += entry.size.count * entry.size.byteCount
      total.largestByteCount = max(total.largestByteCount, entry.size.byteCount)
    }
  }

  /// Adds an entry whose key and then value the closures append.
  mutating func append(
    _ size: LogicalSize, key: (inout [UInt8]) -> [ColumnFlags],
    value: ([ColumnFlags], inout [UInt8]) -> Void
  ) {
    let start = bytes.count
    let flags = key(&bytes)
    let keyEnd = bytes.count
    value(flags, &bytes)
    entries.append(Entry(start: start, keyEnd: keyEnd, end: bytes.count, size: size))
  }

  func key(_ index: Int) -> ArraySlice<UInt8> {
    bytes[entries[index].start..<entries[index].keyEnd]
  }
  func value(_ index: Int) -> ArraySlice<UInt8> {
    bytes[entries[index].keyEnd..<entries[index].end]
  }

  /// Sorts by key and leaves one entry of each key: equal elements of an array share theirs.
  mutating func normalize() {
    let all = bytes
    entries.sort { EntryList.order(all, $0, all, $1) == .less }
    var last: Entry?
    entries.removeAll { entry in
      if let last, EntryList.order(all, last, all, entry) == .equal { return true }
      last = entry
      return false
    }
  }

  private static func order(
    _ leftBytes: [UInt8], _ left: Entry, _ rightBytes: [UInt8], _ right: Entry
  ) -> Ordering {
    leftBytes.span.bytes.extracting(left.start..<left.keyEnd)
      .compare(rightBytes.span.bytes.extracting(right.start..<right.keyEnd))
  }

  func appendPuts(to batch: inout StoreBatch) {
    for index in entries.indices { batch.put(key(index), value(index)) }
  }

  func appendDeletes(to batch: inout StoreBatch) {
    for index in entries.indices { batch.delete(key(index)) }
  }

  /// Deletes what only `old` has, and puts what is new or changed in `new`. Both are normalised.
  static func appendDifference(
    from old: EntryList, to new: EntryList, into batch: inout StoreBatch
  ) {
    var (left, right) = (0, 0)
    while left < old.count, right < new.count {
      switch order(old.bytes, old.entries[left], new.bytes, new.entries[right]) {
      case .less:
        batch.delete(old.key(left))
        left += 1
      case .greater:
        batch.put(new.key(right), new.value(right))
        right += 1
      case .equal:
        if old.value(left) != new.value(right) { batch.put(new.key(right), new.value(right)) }
        left += 1
        right += 1
      }
    }
    for index in left..<old.count { batch.delete(old.key(index)) }
    for index in right..<new.count { batch.put(new.key(index), new.value(index)) }
  }
}
