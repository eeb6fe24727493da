import DocumentModel
import OrderedStore
import StorageFormat

/// What a build makes of some documents that follow each other by number, read in one view.
struct BuildChunk: Sendable {
  /// How much of the documents is read at once.
  struct Extent: Sendable {
    var documentCount: Int
    /// The bytes of entries.
    var byteCount: Int
  }

  var puts = EntryRun()
  var deletes = EntryRun()
  /// The documents of the group.
  private(set) var documentCount = 0
  /// The number of the first document.
  let start: UInt64
  /// The number that the next chunk begins at; `nil` behind the last document.
  private(set) var next: UInt64?

  private init(from start: UInt64) {
    self.start = start
  }

  /// Reads the documents from the one numbered `start`.
  ///
  /// - Parameter numbers: those of the group, where they are few among those of other groups.
  static func read(
    _ target: IndexBuilder.Target, in view: ReadView, from start: UInt64, among numbers: [UInt64]?,
    _ extent: Extent
  ) throws -> BuildChunk {
    var chunk = BuildChunk(from: start)
    var entries = BuildEntries(target, in: view, view.catalog)
    if let numbers {
      try chunk.read(numbers, in: view, &entries, extent)
    } else {
      try chunk.readAll(in: view, &entries, extent)
    }
    chunk.puts.sort()
    chunk.deletes.sort()
    return chunk
  }

  private func isFull(_ extent: Extent) -> Bool {
    documentCount >= extent.documentCount
      || puts.byteCount + deletes.byteCount >= extent.byteCount
  }

  private mutating func readAll(
    in view: ReadView, _ entries: inout BuildEntries, _ extent: Extent
  ) throws {
    let documents = KeyRange(
      lower: StorageKey.document(start), upper: KeyRange.prefix(StorageKey.documentsPrefix).upper)
    try view.snapshot.forEachEntry(in: documents) { key, record in
      let number = try StorageKey.documentNumber(of: key)
      guard !isFull(extent) else {
        next = number
        return false
      }
      if try entries.append(record, number, to: &self) { documentCount += 1 }
      return true
    }
  }

  /// Documents that are gone since their numbers were gathered are passed over.
  private mutating func read(
    _ numbers: [UInt64], in view: ReadView, _ entries: inout BuildEntries, _ extent: Extent
  ) throws {
    let cursor = try view.snapshot.makeCursor()
    for number in numbers.suffix(from: numbers.firstIndex { $0 >= start } ?? numbers.count) {
      guard !isFull(extent) else {
        next = number
        break
      }
      let key = StorageKey.document(number)
      try cursor.seek(to: key)
      guard cursor.isValid, cursor.key.compare(key.span.bytes) == .equal else { continue }
      if try entries.append(cursor.value, number, to: &self) { documentCount += 1 }
    }
    try cursor.checkReads()
  }
}

// MARK: - Writing

extension BuildChunk {
  /// Entries that go into one batch.
  struct Part: Sendable {
    fileprivate let range: Range<Int>
    fileprivate let areDeletes: Bool
    /// Behind the last the chunk is done.
    let isLast: Bool
  }

  /// The chunk in batches of so many bytes or little more; one where there is no entry.
  func parts(ofByteCount limit: Int) -> [Part] {
    let ranges =
      deletes.ranges(ofByteCount: limit).map { ($0, true) }
      + puts.ranges(ofByteCount: limit).map { ($0, false) }
    guard !ranges.isEmpty else { return [Part(range: 0..<0, areDeletes: false, isLast: true)] }
    return ranges.enumerated().map { index, range in
      Part(range: range.0, areDeletes: range.1, isLast: index == ranges.count - 1)
    }
  }

  /// Writes the entries of `part`, without those of the documents in `changed`.
  func append(_ part: Part, without changed: Set<UInt64>, to batch: inout StoreBatch) {
    let run = part.areDeletes ? deletes : puts
    for entry in run.entries[part.range] where !changed.contains(entry.documentNumber) {
      if part.areDeletes {
        batch.delete(run.key(entry))
      } else {
        batch.put(run.key(entry), run.value(entry))
      }
    }
  }

  /// Whether the chunk is to have the entries of a document, if that is there.
  func spans(_ number: UInt64) -> Bool {
    number >= start && next.map { number < $0 } ?? true
  }

  /// Writes the entries that the documents in `changed` have in `view`, which has the changes.
  func appendChanged(
    _ changed: Set<UInt64>, _ target: IndexBuilder.Target, in view: ReadView,
    to batch: inout StoreBatch
  ) throws {
    guard !changed.isEmpty else { return }
    var chunk = BuildChunk(from: start)
    var entries = BuildEntries(target, in: view, view.catalog)
    for number in changed.sorted() {
      guard let record = try view.snapshot.value(of: StorageKey.document(number)) else { continue }
      _ = try entries.append(record.span.bytes, number, to: &chunk)
    }
    for entry in chunk.deletes.entries { batch.delete(chunk.deletes.key(entry)) }
    for entry in chunk.puts.entries { batch.put(chunk.puts.key(entry), chunk.puts.value(entry)) }
  }
}

extension EntryRun {
  fileprivate func ranges(ofByteCount limit: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var (start, byteCount) = (0, 0)
    for (index, entry) in entries.enumerated() {
      byteCount += key(entry).count + value(entry).count
      guard byteCount >= limit else { continue }
      ranges.append(start..<(index + 1))
      (start, byteCount) = (index + 1, 0)
    }
    if start < entries.count { ranges.append(start..<entries.count) }
    return ranges
  }
}
