import HearthDocumentModel
package import HearthOrderedStore
import HearthStorageFormat

/// Entries of many documents, gathered to be sorted and written. A store takes ascending keys with
/// half the work of keys in any order.
package struct EntryRun: Sendable {
  /// An entry's place in `bytes` and the number of its document.
  package struct Entry: Sendable, KeyPlace {
    package let documentNumber: UInt64
    fileprivate var start: UInt32
    fileprivate var valueStart: UInt32
    fileprivate var end: UInt32

    fileprivate init(of documentNumber: UInt64, _ start: Int, _ keyEnd: Int, _ end: Int) {
      self.documentNumber = documentNumber
      (self.start, valueStart, self.end) = (UInt32(start), UInt32(keyEnd), UInt32(end))
    }

    package var keyStart: Int { Int(start) }
    package var keyEnd: Int { Int(valueStart) }
    package var ordinal: UInt64 { documentNumber }
  }

  @usableFromInline var bytes: [UInt8] = []
  package private(set) var entries: [Entry] = []

  package init() {}

  package var byteCount: Int { bytes.count }

  /// Adds an entry. `body` appends its key and then its value, and returns the number of bytes up
  /// to the key's end.
  @inlinable package mutating func append<Failure: Error>(
    of documentNumber: UInt64, _ body: (inout [UInt8]) throws(Failure) -> Int
  ) throws(Failure) {
    let start = bytes.count
    let keyEnd = try body(&bytes)
    note(of: documentNumber, start, keyEnd)
  }

  @usableFromInline mutating func note(of documentNumber: UInt64, _ start: Int, _ keyEnd: Int) {
    entries.append(Entry(of: documentNumber, start, keyEnd, bytes.count))
  }

  /// Adds all of `list`.
  package mutating func append(_ list: EntryList, of documentNumber: UInt64) {
    list.append(to: &bytes) { entries.append(Entry(of: documentNumber, $0, $1, $2)) }
  }

  /// Adds all of another run.
  package mutating func append(_ other: EntryRun) {
    let offset = UInt32(bytes.count)
    bytes += other.bytes
    entries.reserveCapacity(entries.count + other.entries.count)
    for var entry in other.entries {
      entry.start += offset
      entry.valueStart += offset
      entry.end += offset
      entries.append(entry)
    }
  }

  /// Calls `body` with each entry, whose value follows its key. The span is valid during the call.
  func forEach<Failure: Error>(
    _ body: (_ entry: RawSpan, _ keyByteCount: Int) throws(Failure) -> Void
  ) throws(Failure) {
    let all = bytes.span.bytes
    for entry in entries {
      try body(
        all.extracting(Int(entry.start)..<Int(entry.end)), entry.keyEnd &- entry.keyStart)
    }
  }

  package func key(_ entry: Entry) -> ArraySlice<UInt8> {
    bytes[entry.keyStart..<entry.keyEnd]
  }
  package func value(_ entry: Entry) -> ArraySlice<UInt8> {
    bytes[entry.keyEnd..<Int(entry.end)]
  }

  /// Puts the entries in `range`, except those of the documents in `excluded`.
  package func put(
    _ range: Range<Int>, without excluded: Set<UInt64>, into batch: inout StoreBatch
  ) {
    let all = bytes.span.bytes
    let entries = entries.span
    batch.reserveCapacity(count: range.count, byteCount: self.byteCount(of: range))
    for index in range {
      if index &+ EntryRun.fetchedAhead < range.upperBound {
        all.prefetch(entries[index &+ EntryRun.fetchedAhead])
      }
      let entry = entries[index]
      guard excluded.isEmpty || !excluded.contains(entry.documentNumber) else { continue }
      batch.put(all.key(of: entry), all.extracting(entry.keyEnd..<Int(entry.end)))
    }
  }

  private func byteCount(of range: Range<Int>) -> Int {
    entries[range].reduce(0) { $0 + Int($1.end &- $1.start) }
  }

  /// Returns the entries from `start` on that take up `limit` bytes, or a little more.
  package func range(from start: Int, ofByteCount limit: Int) -> Range<Int> {
    let entries = entries.span
    var (end, byteCount) = (start, 0)
    while end < entries.count, byteCount < limit {
      byteCount += Int(entries[end].end &- entries[end].start)
      end += 1
    }
    return start..<end
  }
}

// MARK: - Order

extension EntryRun {
  /// Sorts by key. The keys of one index begin alike, so each index is sorted alone.
  package mutating func sort() { entries = sorted(0..<entries.count) }

  /// Returns the entries of a range in the order of their keys.
  package func sorted(_ range: Range<Int>) -> [Entry] {
    let all = bytes.span.bytes
    var parts = IndexParts()
    var groups: [[Entry]] = []
    for entry in entries[range] {
      let index = parts.place(of: all.key(of: entry), at: entry.keyStart, in: all)
      if index == groups.count { groups.append([]) }
      groups[index].append(entry)
    }
    var sorted: [Entry] = []
    sorted.reserveCapacity(range.count)
    for index in parts.sorted(in: all) {
      groups[index].sortByKey(in: all)
      sorted += groups[index]
    }
    return sorted
  }

  /// The number of entries by which sorted ones are fetched before they are read, since they lie
  /// all over the memory of the run.
  private static let fetchedAhead = 8

  /// Replaces the entries by those of two lists, each of them sorted.
  package mutating func merge(_ first: [Entry], _ second: [Entry]) {
    entries = merged(first, second)
  }

  private func merged(_ first: [Entry], _ second: [Entry]) -> [Entry] {
    let all = bytes.span.bytes
    var merged: [Entry] = []
    merged.reserveCapacity(first.count + second.count)
    var (left, right) = (0, 0)
    let ahead = EntryRun.fetchedAhead
    while left < first.count, right < second.count {
      if left &+ ahead < first.count { all.prefetch(first[left &+ ahead]) }
      if right &+ ahead < second.count { all.prefetch(second[right &+ ahead]) }
      if all.key(of: second[right]).compare(all.key(of: first[left])) == .less {
        merged.append(second[right])
        right += 1
      } else {
        merged.append(first[left])
        left += 1
      }
    }
    merged += first[left...]
    merged += second[right...]
    return merged
  }

  /// Removes all entries, and keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }
}

/// The parts of keys that name the indexes of a run, each once. They lie in the run's bytes.
private struct IndexParts {
  private var parts: [Range<Int>] = []
  /// The place after that of the last key. Documents of a collection mostly have the same indexes
  /// in the same order.
  private var next = 0
  private var places: [[UInt8]: Int] = [:]

  /// Returns the places of the parts in their order. No part begins with another.
  func sorted(in bytes: RawSpan) -> [Int] {
    parts.indices.sorted {
      bytes.extracting(parts[$0]).compare(bytes.extracting(parts[$1])) == .less
    }
  }

  /// Returns the place of the part that the key at `start` begins with.
  mutating func place(of key: RawSpan, at start: Int, in bytes: RawSpan) -> Int {
    if next >= parts.count { next = 0 }
    if next < parts.count, key.begins(with: bytes.extracting(parts[next])) {
      defer { next += 1 }
      return next
    }
    // Keys of other kinds are told apart by their first byte alone.
    let byteCount = StorageKey.indexPart(of: key)?.end ?? min(key.byteCount, 1)
    let part = [UInt8](copying: key.extracting(first: byteCount))
    let place = places[part] ?? parts.count
    if place == parts.count {
      places[part] = place
      parts.append(start..<start + byteCount)
    }
    next = place + 1
    return place
  }
}

extension RawSpan {
  /// Fetches the first and the last line of an entry. Most entries have no others.
  fileprivate func prefetch(_ entry: EntryRun.Entry) {
    let start = withUnsafeBytes { $0.baseAddress }
    guard let start else { return }
    Prefetch.line(at: start + Int(entry.start))
    Prefetch.line(at: start + Int(entry.end))
  }

  fileprivate func begins(with prefix: RawSpan) -> Bool {
    byteCount >= prefix.byteCount
      && extracting(first: prefix.byteCount).compare(prefix) == .equal
  }
}
