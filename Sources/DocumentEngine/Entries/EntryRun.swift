import HearthDocumentModel
package import HearthOrderedStore
import HearthStorageFormat

/// Entries of many documents, gathered to be sorted and written. A store takes ascending keys with
/// half the work of keys in any order.
package struct EntryRun: Sendable {
  /// An entry's place in `bytes` and the number of its document.
  package struct Entry: Sendable {
    package let documentNumber: UInt64
    fileprivate var start: UInt32
    fileprivate var keyEnd: UInt32
    fileprivate var end: UInt32

    fileprivate init(of documentNumber: UInt64, _ start: Int, _ keyEnd: Int, _ end: Int) {
      self.documentNumber = documentNumber
      (self.start, self.keyEnd, self.end) = (UInt32(start), UInt32(keyEnd), UInt32(end))
    }
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
      entry.keyEnd += offset
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
        all.extracting(Int(entry.start)..<Int(entry.end)), Int(entry.keyEnd &- entry.start))
    }
  }

  package func key(_ entry: Entry) -> ArraySlice<UInt8> {
    bytes[Int(entry.start)..<Int(entry.keyEnd)]
  }
  package func value(_ entry: Entry) -> ArraySlice<UInt8> {
    bytes[Int(entry.keyEnd)..<Int(entry.end)]
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
      batch.put(
        all.extracting(Int(entry.start)..<Int(entry.keyEnd)),
        all.extracting(Int(entry.keyEnd)..<Int(entry.end)))
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
  /// An entry with sixteen bytes of its key, those after the bytes that it shares with its
  /// neighbours.
  private struct Ranked {
    var high: UInt64 = 0
    var low: UInt64 = 0
    let entry: Entry
  }

  /// Sorts by key.
  ///
  /// The keys of one index begin alike, so each index is sorted alone. The sixteen bytes after that
  /// are compared as two integers. Keys that agree in these are sorted by the bytes that follow.
  package mutating func sort() { entries = sorted(0..<entries.count) }

  /// Returns the entries of a range in the order of their keys.
  package func sorted(_ range: Range<Int>) -> [Entry] {
    let all = bytes.span.bytes
    var parts = IndexParts()
    var groups: [[Entry]] = []
    for entry in entries[range] {
      let index = parts.place(of: all.key(of: entry))
      if index == groups.count { groups.append([]) }
      groups[index].append(entry)
    }
    var sorted: [Entry] = []
    sorted.reserveCapacity(range.count)
    for index in parts.sorted { EntryRun.append(groups[index], of: all, sortedTo: &sorted) }
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

  /// Appends the entries of one index in the order of their keys.
  private static func append(
    _ entries: [Entry], of all: RawSpan, sortedTo sorted: inout [Entry]
  ) {
    var ranked = entries.map { Ranked(entry: $0) }
    ranked.withUnsafeMutableBufferPointer { sort($0, sharing: 0, in: all) }
    for ranked in ranked { sorted.append(ranked.entry) }
  }

  /// Sorts entries whose keys are known to share `known` bytes.
  ///
  /// Each level of calls has fewer entries than the one above, and goes at least sixteen bytes
  /// further in their keys.
  private static func sort(
    _ entries: UnsafeMutableBufferPointer<Ranked>, sharing known: Int, in all: RawSpan
  ) {
    let shared = sharedByteCount(of: entries, from: known, in: all)
    for index in entries.indices {
      let entry = entries[index].entry
      let start = Int(entry.start) &+ shared
      entries[index].high = all.integer(from: start, to: Int(entry.keyEnd))
      entries[index].low = all.integer(from: start &+ rankByteCount / 2, to: Int(entry.keyEnd))
    }
    var ranked = entries
    ranked.sort { ($0.high, $0.low) < ($1.high, $1.low) }
    var start = 0
    while start < ranked.count {
      let (high, low) = (ranked[start].high, ranked[start].low)
      var end = start &+ 1
      while end < ranked.count, ranked[end].high == high, ranked[end].low == low { end &+= 1 }
      let alike = UnsafeMutableBufferPointer(rebasing: ranked[start..<end])
      if alike.count > 1 { sortAlike(alike, sharing: shared, in: all) }
      start = end
    }
  }

  /// Sorts entries that agree in the bytes after the first `shared` ones of their keys.
  private static func sortAlike(
    _ entries: UnsafeMutableBufferPointer<Ranked>, sharing shared: Int, in all: RawSpan
  ) {
    let next = shared &+ rankByteCount
    // A key that ends within these bytes agrees with keys that have zeros there.
    if entries.allSatisfy({ Int($0.entry.keyEnd &- $0.entry.start) >= next }) {
      sort(entries, sharing: next, in: all)
    } else {
      var entries = entries
      entries.sort { all.key(of: $0.entry).compare(all.key(of: $1.entry)) == .less }
    }
  }

  /// The number of bytes that are compared as integers.
  private static let rankByteCount = 16

  /// Returns the length of the longest prefix that all keys share, which is at least `known`.
  private static func sharedByteCount(
    of ranked: UnsafeMutableBufferPointer<Ranked>, from known: Int, in all: RawSpan
  ) -> Int {
    guard let first = ranked.first?.entry else { return known }
    var shared = Int(first.keyEnd &- first.start)
    for ranked in ranked.dropFirst() {
      let entry = ranked.entry
      let limit = Swift.min(shared, Int(entry.keyEnd &- entry.start))
      var count = known
      while count < limit, all.byte(first.start, count) == all.byte(entry.start, count) {
        count &+= 1
      }
      shared = count
    }
    return shared
  }

  /// Removes all entries, and keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }
}

/// The parts of keys that name the indexes of a run, each once.
private struct IndexParts {
  private var parts: [[UInt8]] = []
  /// The place after that of the last key. Documents of a collection mostly have the same indexes
  /// in the same order.
  private var next = 0
  private var places: [[UInt8]: Int] = [:]

  /// The places of the parts in their order. No part begins with another.
  var sorted: [Int] {
    parts.indices.sorted { parts[$0].lexicographicallyPrecedes(parts[$1]) }
  }

  /// Returns the place of the part that `key` begins with.
  mutating func place(of key: RawSpan) -> Int {
    if next >= parts.count { next = 0 }
    if next < parts.count, key.begins(with: parts[next]) {
      defer { next += 1 }
      return next
    }
    // Keys of other kinds are told apart by their first byte alone.
    let byteCount = StorageKey.indexPart(of: key)?.end ?? min(key.byteCount, 1)
    let part = [UInt8](copying: key.extracting(first: byteCount))
    let place = places[part] ?? parts.count
    if place == parts.count {
      places[part] = place
      parts.append(part)
    }
    next = place + 1
    return place
  }
}

extension RawSpan {
  @_lifetime(copy self)
  fileprivate func key(of entry: EntryRun.Entry) -> RawSpan {
    extracting(Int(entry.start)..<Int(entry.keyEnd))
  }

  /// Fetches the first and the last line of an entry. Most entries have no others.
  fileprivate func prefetch(_ entry: EntryRun.Entry) {
    let start = withUnsafeBytes { $0.baseAddress }
    guard let start else { return }
    Prefetch.line(at: start + Int(entry.start))
    Prefetch.line(at: start + Int(entry.end))
  }

  fileprivate func byte(_ start: UInt32, _ offset: Int) -> UInt8 {
    unsafeLoad(fromUncheckedByteOffset: Int(start) &+ offset, as: UInt8.self)
  }

  fileprivate func begins(with prefix: [UInt8]) -> Bool {
    byteCount >= prefix.count
      && extracting(first: prefix.count).compare(prefix.span.bytes) == .equal
  }

  /// Returns the eight bytes from `start` as an integer, the first in the highest place, with zeros
  /// from `end` on.
  fileprivate func integer(from start: Int, to end: Int) -> UInt64 {
    if end &- start >= 8 {
      return unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt64.self).bigEndian
    }
    var integer: UInt64 = 0
    for offset in 0..<8 {
      let byte =
        start &+ offset < end
        ? unsafeLoad(fromUncheckedByteOffset: start &+ offset, as: UInt8.self) : 0
      integer = integer &<< 8 | UInt64(byte)
    }
    return integer
  }
}
