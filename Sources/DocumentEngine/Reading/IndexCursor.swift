import DocumentModel
import OrderedStore
import StorageFormat

/// A cursor over the entries that satisfy one scan, in the order of the query.
///
/// From an entry that doesn't satisfy the scan, the cursor jumps to the next one that can (§5.9).
/// It takes a few steps as long as these tend to be enough, and otherwise seeks.
///
/// The *suffix* of an entry is its columns after the prefix, and its name. It has one form for all
/// indexes, so that the cursors of a join can compare their suffixes: bytes that ascend in the
/// order of the query, with the name as a document id for a collection and as a path for a group.
final class IndexCursor {
  /// The number of steps that cost about as much as a seek.
  private static let stepLimit = 8

  let scan: ScanBytes
  private let view: ReadView
  private let cursor: any StoreCursor
  /// The number of entries that the cursor has stood on.
  @exclusivity(unchecked) private(set) var entriesRead = 0
  /// The number of those entries that were passed, instead of a seek, on the way to the beginning
  /// of a range or to the target of a join.
  @exclusivity(unchecked) private(set) var entriesPassed = 0
  /// The number of deleted entries that the cursor has stepped over.
  var deletedEntriesPassed: Int { cursor.skippedCount - skippedBefore }
  /// The number of deleted entries that the store's cursor had stepped over for its earlier users.
  private let skippedBefore: Int
  /// The number of jumps of the cursor.
  @exclusivity(unchecked) private(set) var seekCount = 0
  @exclusivity(unchecked) private(set) var isValid = false

  /// The range of the scan that the cursor is in or before.
  @exclusivity(unchecked) private var rangeIndex = 0
  /// The end of that range, which is its lower bound for a backwards scan.
  @exclusivity(unchecked) private var rangeEnd: [UInt8] = []
  /// The number of steps to try before the next seek.
  @exclusivity(unchecked) private var stepAllowance = 4
  private var suffix: [UInt8] = []

  init(_ scan: ScanBytes, in view: ReadView) throws {
    self.scan = scan
    self.view = view
    cursor = try view.takeCursor()
    skippedBefore = cursor.skippedCount
  }

  deinit { view.giveBack(cursor) }

  func start(_ deadline: inout Deadline) throws {
    guard let first = scan.ranges.first else { return }
    enterRange(0)
    try seek(toBeginOf: first)
    try settle(&deadline)
  }

  /// Makes the first seek. It skips a range that is known to be empty. If the seek is slow, it
  /// remembers the empty range that it crossed.
  private func seek(toBeginOf range: KeyRange) throws {
    let begin = scan.isReversed ? range.upper : range.lower
    guard let empty = view.caches.emptyRanges else { return try seek(to: begin) }
    let known =
      scan.isReversed
      ? empty.lower(before: begin, at: view.commitNumber)
      : empty.end(behind: begin, at: view.commitNumber)
    let start = MonotonicClock.nanoseconds()
    try seek(to: known ?? begin)
    let cursor = cursor
    guard empty.isSlow(nanoseconds: MonotonicClock.nanoseconds() &- start), cursor.isValid
    else { return }
    let found = [UInt8](copying: cursor.key)
    if scan.isReversed {
      empty.insert(from: found + [0], to: known ?? begin, seenAt: view.commitNumber)
    } else {
      empty.insert(from: known ?? begin, to: found, seenAt: view.commitNumber)
    }
  }

  /// Moves to the next entry.
  func next(_ deadline: inout Deadline) throws {
    try step()
    try settle(&deadline)
  }

  /// Appends the document numbers of this entry and the next ones, `count` in all or fewer at the
  /// end. The cursor then stands on the last of them.
  func readNumbers(
    _ count: Int, into numbers: inout [UInt64], _ deadline: inout Deadline
  ) throws {
    let cursor = cursor
    var left = count
    while isValid {
      numbers.append(try EntryValue.documentNumber(cursor.value))
      left -= 1
      guard left > 0 else { return }
      try deadline.check()
      try next(&deadline)
    }
  }

  /// Moves over this entry and the next ones, `count` in all or fewer at the end. The cursor then
  /// stands on the last of them.
  ///
  /// - Returns: the number of these entries.
  func skip(_ count: Int, _ deadline: inout Deadline) throws -> Int {
    var passed = 0
    while isValid {
      passed += 1
      guard passed < count else { break }
      try deadline.check()
      try next(&deadline)
    }
    return passed
  }

  /// Moves to the first entry with a suffix at or after `suffix`, never back.
  func seek(toSuffix suffix: [UInt8], _ deadline: inout Deadline) throws {
    let key = scan.key(atSuffix: try scan.suffix(ofJoined: suffix))
    guard let target = reachable(key) else { return isValid = false }
    try seek(to: target)
    try settle(&deadline)
  }

  /// Does the same as `seek(toSuffix:)`, but tries up to `stepLimit` steps first.
  ///
  /// - Returns: whether the steps were enough.
  func advance(
    toSuffix suffix: [UInt8], stepLimit: Int, _ deadline: inout Deadline
  ) throws -> Bool {
    let key = scan.key(atSuffix: try scan.suffix(ofJoined: suffix))
    guard let target = reachable(key) else {
      isValid = false
      return true
    }
    let cursor = cursor
    for _ in 0..<stepLimit {
      try step()
      guard cursor.isValid, isBefore(target, cursor.key) else {
        try settle(&deadline)
        return true
      }
      entriesRead += 1
      entriesPassed += 1
    }
    try seek(to: target)
    try settle(&deadline)
    return false
  }

  /// Returns the entry's document number, and whether any of its values is cut.
  func readEntry() throws -> (documentNumber: UInt64, anyCut: Bool) {
    let cursor = cursor
    return try EntryValue.read(cursor.value)
  }

  /// Returns the document that the entry carries; `nil` if it carries none.
  ///
  /// - Parameter notingFields: whether the document will be kept, and read often.
  func coveredRecord(own: DatabaseID, notingFields: Bool) throws -> DocumentRecord? {
    let cursor = cursor
    guard let bytes = try EntryValue.record(in: cursor.value) else { return nil }
    return try DocumentRecord([UInt8](copying: bytes), own: own, notingFields: notingFields)
  }

  /// Throws if anything could not be read. Call it before results are final.
  func checkReads() throws { try cursor.checkReads() }

  /// Adds the keys from the beginning of the scan to the cursor's position, including those that it
  /// jumped over. At its end, the cursor adds all keys of the scan.
  func appendReads(to reads: inout ReadSet) {
    guard seekCount > 0 else { return }
    let cursor = cursor
    let passed = isValid ? scan.ranges[..<rangeIndex] : scan.ranges[...]
    for range in passed { reads.insertScan(of: range) }
    guard isValid else { return }
    let range = scan.ranges[rangeIndex]
    if scan.isReversed {
      reads.insertScan(from: cursor.key, to: range.upper)
    } else {
      reads.insertScan(from: range.lower, through: cursor.key)
    }
  }

  /// Replaces the contents of `suffix` with the entry's suffix.
  func readSuffix(into suffix: inout [UInt8]) throws {
    readScanBytes(into: &suffix)
    try scan.makeJoined(&suffix)
  }

  private func readScanBytes(into bytes: inout [UInt8]) {
    let cursor = cursor
    bytes.removeAll(keepingCapacity: true)
    bytes.append(cursor.key.extracting(droppingFirst: scan.prefix.count))
    if scan.isReversed { for index in bytes.indices { bytes[index] = ~bytes[index] } }
  }

  // MARK: Columns

  /// Returns the value of the index's column at `position`; `nil` if the entry holds only a part of
  /// it, or another form.
  func value(ofColumn position: Int, orders: [ColumnOrder], own: DatabaseID) throws -> Value? {
    let cursor = cursor
    let flags = try EntryValue.flags(at: position, in: cursor.value)
    guard !flags.isCut, !flags.isInexact else { return nil }
    let key = cursor.key
    var offset = scan.columnsOffset
    for order in orders[..<position] {
      offset = try OrderedValue.endOfValue(in: key, at: offset, order)
    }
    return try OrderedValue.decode(
      from: key, at: &offset, orders[position], own: own, kind: flags.kind)
  }

  /// Replaces the elements of `vector` with those that the entry of a vector index holds.
  func readVector(into vector: inout [Double]) throws {
    let cursor = cursor
    try EntryValue.readVector(into: &vector, from: cursor.value)
  }

  // MARK: Moves

  private func step() throws {
    if scan.isReversed { try cursor.previous() } else { try cursor.next() }
  }

  private func seek(to key: [UInt8]) throws {
    seekCount += 1
    if scan.isReversed { try cursor.seek(before: key) } else { try cursor.seek(to: key) }
  }

  /// Moves to the next entry that can be a result, and counts the entries on the way.
  private func settle(_ deadline: inout Deadline) throws {
    while true {
      let cursor = cursor
      guard cursor.isValid else { return isValid = false }
      guard isBefore(rangeEnd, cursor.key) else {
        guard try leaveRange() else { return isValid = false }
        continue
      }
      entriesRead += 1
      guard let filter = scan.filter, let target = try target(filter) else {
        return isValid = true
      }
      guard let key = reachable(target) else { return isValid = false }
      try jump(to: key)
      try deadline.check()
    }
  }

  /// Returns the key to go to from an entry that the filter doesn't allow; `nil` if it allows the
  /// entry.
  private func target(_ filter: SuffixFilter) throws -> [UInt8]? {
    let cursor = cursor
    let verdict: SuffixFilter.Verdict
    if scan.isReversed {
      readScanBytes(into: &suffix)
      let bytes = suffix
      verdict = try filter.verdict(on: bytes.span.bytes)
    } else {
      verdict = try filter.verdict(on: cursor.key.extracting(droppingFirst: scan.prefix.count))
    }
    switch verdict {
    case .isAllowed: return nil
    case .isBefore(let suffix): return scan.key(atSuffix: suffix)
    case .isBehindAll: return scan.isReversed ? [] : KeyRange.endOfKeys
    }
  }

  /// Goes from an entry after the current range to one in a later range; `false` if there is none.
  private func leaveRange() throws -> Bool {
    let cursor = cursor
    repeat {
      guard rangeIndex + 1 < scan.ranges.count else { return false }
      enterRange(rangeIndex + 1)
    } while !isBefore(rangeEnd, cursor.key)
    let range = scan.ranges[rangeIndex]
    let start = scan.isReversed ? range.upper : range.lower
    if isBefore(start, cursor.key) {
      let before = entriesRead
      entriesRead += 1
      try jump(to: start)
      entriesPassed += entriesRead - before
    }
    return true
  }

  private func enterRange(_ index: Int) {
    rangeIndex = index
    rangeEnd = scan.isReversed ? scan.ranges[index].lower : scan.ranges[index].upper
  }

  /// Returns the first key at or after `key` that lies in a range, and makes that range the current
  /// one; `nil` if there is none.
  private func reachable(_ key: [UInt8]) -> [UInt8]? {
    while !isAhead(rangeEnd, of: key) {
      guard rangeIndex + 1 < scan.ranges.count else { return nil }
      enterRange(rangeIndex + 1)
    }
    let range = scan.ranges[rangeIndex]
    let start = scan.isReversed ? range.upper : range.lower
    return isAhead(start, of: key) ? start : key
  }

  /// Moves to the first entry at or after `key`, which lies after the current entry.
  private func jump(to key: [UInt8]) throws {
    let cursor = cursor
    for _ in 0..<stepAllowance {
      try step()
      guard cursor.isValid, isBefore(key, cursor.key) else {
        stepAllowance = min(stepAllowance * 2, IndexCursor.stepLimit)
        return
      }
      entriesRead += 1
    }
    stepAllowance = max(stepAllowance / 2, 1)
    try seek(to: key)
  }

  /// Whether `key` lies before `bound` in the direction of the scan. In a backwards scan, a key
  /// equal to `bound` still lies before it.
  private func isBefore(_ bound: [UInt8], _ key: RawSpan) -> Bool {
    let order = key.compare(bound.span.bytes)
    return scan.isReversed ? order != .less : order == .less
  }

  /// Whether `key` lies before `bound` in the direction of the scan, for two bounds.
  private func isAhead(_ bound: [UInt8], of key: [UInt8]) -> Bool {
    let order = key.byteCompare(bound)
    return scan.isReversed ? order == .greater : order == .less
  }
}

extension [UInt8] {
  /// Appends the bytes of `span`.
  mutating func append(_ span: RawSpan) {
    span.withUnsafeBytes { append(contentsOf: $0) }
  }
}
