import DocumentModel
import OrderedStore
import StorageFormat

/// What a scan makes of some documents that follow each other by number, read in one view.
struct BuildChunk: Sendable {
  /// How much of the documents is read before it is written.
  struct Extent: Sendable {
    var documentCount: Int
    /// The bytes of entries.
    var byteCount: Int
  }

  /// What is in the chunk for one target.
  struct Tally: Sendable {
    /// The documents of its group.
    var documentCount = 0
    var entryCount = 0
  }

  var puts = EntryRun()
  var deletes = EntryRun()
  /// One for each target of the scan.
  var tallies: [Tally]
  /// The documents that some target has entries of, or might.
  private(set) var documentCount = 0
  /// Whether it is complete, and its entries sorted.
  private(set) var isRead = false
  /// The number of the first document.
  let start: UInt64
  /// The number that the next chunk begins at; `nil` behind the last document.
  private(set) var next: UInt64?
  /// The number that reading goes on from.
  private var position: UInt64

  init(from start: UInt64, targetCount: Int) {
    self.start = start
    position = start
    tallies = Array(repeating: Tally(), count: targetCount)
  }

  private func isFull(_ extent: Extent) -> Bool {
    documentCount >= extent.documentCount
      || puts.byteCount + deletes.byteCount >= extent.byteCount
  }

  // MARK: Reading

  /// Reads on in the chunk's view, and sorts the entries when that was the last of it.
  ///
  /// - Parameters:
  ///   - limit: how many documents are looked at.
  ///   - numbers: those of the documents of the groups, where they are few among others.
  /// - Returns: how many documents were looked at.
  mutating func read(
    _ limit: Int, in view: ReadView, _ entries: inout BuildEntries, among numbers: [UInt64]?,
    _ extent: Extent
  ) throws -> Int {
    let count =
      if let numbers {
        try readListed(numbers, limit, in: view, &entries, extent)
      } else {
        try readAll(limit, in: view, &entries, extent)
      }
    if isRead {
      puts.sort()
      deletes.sort()
    }
    return count
  }

  private mutating func readAll(
    _ limit: Int, in view: ReadView, _ entries: inout BuildEntries, _ extent: Extent
  ) throws -> Int {
    let documents = KeyRange(
      lower: StorageKey.document(position),
      upper: KeyRange.prefix(StorageKey.documentsPrefix).upper)
    var count = 0
    var isAtEnd = true
    try view.snapshot.forEachEntry(in: documents) { key, record in
      let number = try StorageKey.documentNumber(of: key)
      isAtEnd = !stops(before: number, extent) && count < limit
      guard isAtEnd else {
        position = number
        return false
      }
      count += 1
      if try append(record, number, &entries) { documentCount += 1 }
      return true
    }
    isRead = isRead || isAtEnd
    return count
  }

  /// Documents that are gone since their numbers were gathered are passed over.
  private mutating func readListed(
    _ numbers: [UInt64], _ limit: Int, in view: ReadView, _ entries: inout BuildEntries,
    _ extent: Extent
  ) throws -> Int {
    let cursor = try view.snapshot.makeCursor()
    var count = 0
    for number in numbers.suffix(from: numbers.firstIndex { $0 >= position } ?? numbers.count) {
      guard !stops(before: number, extent), count < limit else {
        position = number
        return count
      }
      count += 1
      let key = StorageKey.document(number)
      try cursor.seek(to: key)
      guard cursor.isValid, cursor.key.compare(key.span.bytes) == .equal else { continue }
      if try append(cursor.value, number, &entries) { documentCount += 1 }
    }
    try cursor.checkReads()
    isRead = true
    return count
  }

  /// - Returns: whether the document is of the group of one of the targets.
  /// - Throws: `dataLoss` for one that can't be read, with its number: whose it is may be unknown.
  fileprivate mutating func append(
    _ record: RawSpan, _ number: UInt64, _ entries: inout BuildEntries
  ) throws -> Bool {
    do {
      return try entries.append(record, number, to: &self)
    } catch let error as CorruptBytes {
      throw DatabaseError.damaged("Document \(number): \(error)")
    }
  }

  /// Whether the chunk ends before a document, which the next then begins with.
  private mutating func stops(before number: UInt64, _ extent: Extent) -> Bool {
    guard isFull(extent) else { return false }
    isRead = true
    next = number
    return true
  }
}

// MARK: - Writing

extension BuildChunk {
  /// Entries that go into one batch.
  struct Part: Sendable {
    fileprivate let range: Range<Int>
    fileprivate let areDeletes: Bool
    /// Where the next part begins.
    let end: Int
    /// Behind the last all entries are written.
    let isLast: Bool
  }

  /// The entries from a place on, in a batch of so many bytes or little more. It may be empty.
  func part(from start: Int, ofByteCount limit: Int) -> Part {
    let areDeletes = start < deletes.entries.count
    let offset = areDeletes ? 0 : deletes.entries.count
    let run = areDeletes ? deletes : puts
    let range = run.range(from: start - offset, ofByteCount: limit)
    let end = range.upperBound + offset
    return Part(
      range: range, areDeletes: areDeletes, end: end,
      isLast: end == deletes.entries.count + puts.entries.count)
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
    _ changed: some Sequence<UInt64>, _ targets: [BuildTarget], in view: ReadView,
    to batch: inout StoreBatch
  ) throws {
    var chunk = BuildChunk(from: start, targetCount: targets.count)
    var entries = BuildEntries(targets, in: view)
    for number in changed {
      guard let record = try view.snapshot.value(of: StorageKey.document(number)) else { continue }
      _ = try chunk.append(record.span.bytes, number, &entries)
    }
    for entry in chunk.deletes.entries { batch.delete(chunk.deletes.key(entry)) }
    for entry in chunk.puts.entries { batch.put(chunk.puts.key(entry), chunk.puts.value(entry)) }
  }
}

extension EntryRun {
  fileprivate func range(from start: Int, ofByteCount limit: Int) -> Range<Int> {
    var (end, byteCount) = (start, 0)
    while end < entries.count, byteCount < limit {
      byteCount += key(entries[end]).count + value(entries[end]).count
      end += 1
    }
    return start..<end
  }
}
