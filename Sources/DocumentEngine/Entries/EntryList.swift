import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// Index entries of a document, with keys and values one after another in one buffer.
package struct EntryList {
  private struct Entry {
    var start: Int
    var keyEnd: Int
    var end: Int
    var size: LogicalSize
  }

  /// The number and size that a stored entry counts for in Firestore's limits (§1.2, §1.3).
  struct LogicalSize {
    var count: Int
    var byteCount: Int
  }

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []

  init() {}

  /// - Parameter count: the approximate number of entries.
  init(reserving count: Int) {
    entries.reserveCapacity(count)
    bytes.reserveCapacity(64 * count)
  }

  package var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }
  /// The bytes of all keys and values.
  var byteCount: Int { bytes.count }
  /// The number and size that all entries count for together.
  package private(set) var logicalSize = TotalSize()

  /// The number and size that several entries count for together.
  package struct TotalSize {
    var count = 0
    var byteCount = 0
    package var largestByteCount = 0

    fileprivate mutating func add(_ size: LogicalSize) {
      count += size.count
      byteCount += size.count * size.byteCount
      largestByteCount = max(largestByteCount, size.byteCount)
    }

    fileprivate mutating func subtract(_ size: LogicalSize) {
      count -= size.count
      byteCount -= size.count * size.byteCount
    }
  }

  /// Adds an entry. `body` appends its key and then its value, and returns the number of bytes up
  /// to the key's end.
  mutating func append(_ size: LogicalSize, _ body: (inout [UInt8]) -> Int) {
    let start = bytes.count
    let keyEnd = body(&bytes)
    entries.append(Entry(start: start, keyEnd: keyEnd, end: bytes.count, size: size))
    logicalSize.add(size)
  }

  package func key(_ index: Int) -> ArraySlice<UInt8> {
    bytes[entries[index].start..<entries[index].keyEnd]
  }
  package func value(_ index: Int) -> ArraySlice<UInt8> {
    bytes[entries[index].keyEnd..<entries[index].end]
  }

  /// Calls `body` with an entry. The spans are valid during the call.
  @inline(__always)
  private func withEntry<Result>(
    at index: Int, _ body: (_ key: RawSpan, _ value: RawSpan) -> Result
  ) -> Result {
    let entry = entries.span[index]
    let all = bytes.span.bytes
    return body(
      all.extracting(entry.start..<entry.keyEnd), all.extracting(entry.keyEnd..<entry.end))
  }

  private func hasValue(_ index: Int, of other: EntryList, _ otherIndex: Int) -> Bool {
    withEntry(at: index) { _, value in
      other.withEntry(at: otherIndex) { _, otherValue in value.compare(otherValue) == .equal }
    }
  }

  /// Appends the bytes of all entries to `bytes`, and calls `body` with the place of each there.
  func append(to bytes: inout [UInt8], _ body: (_ start: Int, _ keyEnd: Int, _ end: Int) -> Void) {
    let offset = bytes.count
    bytes.append(contentsOf: self.bytes)
    for entry in entries { body(offset + entry.start, offset + entry.keyEnd, offset + entry.end) }
  }

  /// Keeps one entry for each key among those from `start` on. Equal elements of an array share
  /// their key.
  mutating func removeDuplicates(from start: Int) {
    guard entries.count - start > 1 else { return }
    let all = bytes
    entries[start...].sort { EntryList.order(all, $0, all, $1) == .less }
    var end = start
    for index in start..<entries.count {
      if end > start, EntryList.order(all, entries[end - 1], all, entries[index]) == .equal {
        logicalSize.subtract(entries[index].size)
      } else {
        entries[end] = entries[index]
        end += 1
      }
    }
    entries.removeLast(entries.count - end)
  }

  /// Sorts by key.
  mutating func sort() {
    let all = bytes
    entries.sort { EntryList.order(all, $0, all, $1) == .less }
  }

  private static func order(
    _ leftBytes: [UInt8], _ left: Entry, _ rightBytes: [UInt8], _ right: Entry
  ) -> Ordering {
    leftBytes.span.bytes.extracting(left.start..<left.keyEnd)
      .compare(rightBytes.span.bytes.extracting(right.start..<right.keyEnd))
  }

  /// Deletes the entries that only `old` has, and puts those that are new or changed in `new`.
  static func appendDifference(
    from old: EntryList, to new: EntryList, into batch: inout StoreBatch
  ) {
    forEachDifference(from: old, to: new) { left, right in
      switch (left, right) {
      case (let left?, nil): batch.delete(old.key(left))
      case (let left?, let right?):
        guard !old.hasValue(left, of: new, right) else { return }
        new.withEntry(at: right) { batch.put($0, $1) }
      case (nil, let right?): new.withEntry(at: right) { batch.put($0, $1) }
      case (nil, nil): break
      }
    }
  }

  /// Calls `body` with the key of each entry that the difference puts or deletes. The span is valid
  /// during the call.
  static func forEachWrittenKey(
    from old: EntryList, to new: EntryList, _ body: (RawSpan) -> Void
  ) {
    forEachDifference(from: old, to: new) { left, right in
      if let right {
        if let left, old.hasValue(left, of: new, right) { return }
        new.withEntry(at: right) { key, _ in body(key) }
      } else if let left {
        old.withEntry(at: left) { key, _ in body(key) }
      }
    }
  }

  /// Calls `body` with the index of each key that is only in `old` or only in `new`, and with both
  /// indices of a key that is in both. If neither list is empty, both must be sorted.
  static func forEachDifference(
    from old: EntryList, to new: EntryList, _ body: (_ old: Int?, _ new: Int?) -> Void
  ) {
    var (left, right) = (0, 0)
    while left < old.count, right < new.count {
      switch order(old.bytes, old.entries[left], new.bytes, new.entries[right]) {
      case .less:
        body(left, nil)
        left += 1
      case .greater:
        body(nil, right)
        right += 1
      case .equal:
        body(left, right)
        left += 1
        right += 1
      }
    }
    for index in left..<old.count { body(index, nil) }
    for index in right..<new.count { body(nil, index) }
  }
}
