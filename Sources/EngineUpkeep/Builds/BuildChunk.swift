import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The entries that a scan makes of consecutive documents, in the order of their numbers, read in
/// one view.
struct BuildChunk: Sendable {
  /// The size at which a chunk is full and is written.
  struct Extent: Sendable {
    var documentCount: Int
    /// The number of bytes of entries.
    var byteCount: Int
  }

  /// The content of a chunk for one target.
  struct Tally: Sendable {
    /// The number of documents in the target's collection group.
    var documentCount = 0
    var entryCount = 0

    fileprivate mutating func add(_ other: Tally) {
      documentCount += other.documentCount
      entryCount += other.entryCount
    }
  }

  var puts = EntryRun()
  var deletes = EntryRun()
  /// The tallies, one for each target of the scan.
  var tallies: [Tally]
  /// The number of documents that are in the group of a target.
  private(set) var documentCount = 0
  /// Whether all documents of the chunk are read.
  private(set) var isRead = false
  /// The number of the first document.
  let start: UInt64
  /// The number that the next chunk begins at; `nil` after the last document.
  private(set) var next: UInt64?
  /// The number of the document at which reading continues.
  private(set) var position: UInt64
  /// The number of entries from which on two threads sort them.
  private static let sharedSortCount = 4096

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

  /// Reads further documents in the chunk's view.
  ///
  /// - Parameters:
  ///   - limit: the largest number of documents to look at.
  ///   - numbers: the numbers of the groups' documents, if these are few among all documents;
  ///     otherwise `nil`.
  /// - Returns: the number of documents looked at.
  mutating func read(
    _ limit: Int, in view: ReadView, _ entries: inout BuildEntries, among numbers: [UInt64]?,
    _ extent: Extent
  ) throws -> Int {
    if let numbers {
      try readListed(numbers, limit, in: view, &entries, extent)
    } else {
      try readAll(limit, in: view, &entries, extent)
    }
  }

  /// Sorts the entries of a chunk that is read.
  ///
  /// - Parameter start: starts work on another thread, some time or never; `nil` for no such work.
  mutating func sort(start: (@Sendable (@escaping @Sendable () -> Void) -> Void)?) throws {
    deletes.sort()
    guard let start, puts.entries.count >= BuildChunk.sharedSortCount else { return puts.sort() }
    let middle = puts.entries.count / 2
    let rest = SideWork { [puts] in puts.sorted(middle..<puts.entries.count) }
    start { rest.run() }
    let first = puts.sorted(0..<middle)
    puts.merge(first, try rest.output())
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

  /// Reads the documents of a range of numbers, up to the chunk's end.
  ///
  /// - Returns: the number of documents looked at.
  mutating func readNumbers(
    _ numbers: Range<UInt64>, in view: ReadView, _ entries: inout BuildEntries, _ extent: Extent
  ) throws -> Int {
    let documents = KeyRange(
      lower: StorageKey.document(numbers.lowerBound), upper: StorageKey.document(numbers.upperBound)
    )
    var count = 0
    try view.snapshot.forEachEntry(in: documents) { key, record in
      let number = try StorageKey.documentNumber(of: key)
      guard !stops(before: number, extent) else { return false }
      count += 1
      if try append(record, number, &entries) { documentCount += 1 }
      return true
    }
    position = numbers.upperBound
    return count
  }

  /// Adds the content of a chunk of the documents that follow.
  mutating func append(_ other: BuildChunk) {
    puts.append(other.puts)
    deletes.append(other.deletes)
    for place in tallies.indices { tallies[place].add(other.tallies[place]) }
    documentCount += other.documentCount
    position = other.position
    isRead = other.isRead
    next = other.next
  }

  /// Reads the documents with these numbers. Skips those that were deleted after the numbers were
  /// gathered.
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

  /// - Returns: whether the document is in the group of a target.
  /// - Throws: `dataLoss` for a document that can't be read. The error has its number, since its
  ///   path may be unknown.
  private mutating func append(
    _ record: RawSpan, _ number: UInt64, _ entries: inout BuildEntries
  ) throws -> Bool {
    do {
      return try entries.append(record, number, to: &self)
    } catch let error as CorruptBytes {
      throw DatabaseError.damaged("Document \(number): \(error)")
    }
  }

  /// Whether the chunk ends before a document. If so, the next chunk begins with that document.
  private mutating func stops(before number: UInt64, _ extent: Extent) -> Bool {
    guard isFull(extent) else { return false }
    isRead = true
    next = number
    return true
  }
}

// MARK: - Writing

extension BuildChunk {
  /// The entries that go into one batch.
  struct Part: Sendable {
    fileprivate let range: Range<Int>
    fileprivate let areDeletes: Bool
    /// The position at which the next part begins.
    let end: Int
    /// Whether all entries are written after this part.
    let isLast: Bool
  }

  /// Returns the entries from a position on that fill a batch of `limit` bytes, or a little more.
  /// The part may be empty.
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

  /// Writes the entries of `part`, except those of the documents in `changed`.
  func append(_ part: Part, without changed: Set<UInt64>, to batch: inout StoreBatch) {
    guard part.areDeletes else {
      return puts.put(part.range, without: changed, into: &batch)
    }
    for entry in deletes.entries[part.range] where !changed.contains(entry.documentNumber) {
      batch.delete(deletes.key(entry))
    }
  }

  /// Whether the chunk has the entries of the document with this number, if there is such a
  /// document.
  func spans(_ number: UInt64) -> Bool {
    number >= start && next.map { number < $0 } ?? true
  }

  /// Writes the entries that the documents in `changed` have in `view`. The view has the changes.
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
