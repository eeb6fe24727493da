import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The entries in the store that satisfy one scan, in the order of the query.
///
/// From an entry that doesn't satisfy the scan, the cursor jumps to the next one that can (§5.9).
/// It takes a few steps as long as these tend to be enough, and otherwise seeks.
///
/// The *suffix* of an entry is its columns after the prefix, and its name. It has one form for all
/// indexes, so that the cursors of a join can compare their suffixes: bytes that ascend in the
/// order of the query, with the name as a document id for a collection and as a path for a group.
final class StoreScan: EntryCursor {
  /// The number of steps that cost about as much as a seek.
  private static let stepLimit = 8

  let scan: ScanBytes
  let place: ScanPlace
  /// Whether entries carry their documents.
  private let carriesDocuments: Bool
  private let view: ReadView
  private let cursor: any StoreCursor
  /// The work so far, without the deleted entries that were passed.
  @exclusivity(unchecked) private var work = ScanStatistics()
  /// The number of deleted entries that the store's cursor had stepped over for its earlier users.
  private let skippedBefore: Int
  @exclusivity(unchecked) private(set) var isValid = false

  /// The range of the scan that the cursor is in or before.
  @exclusivity(unchecked) private var rangeIndex = 0
  /// The end of that range, which is its lower bound for a backwards scan.
  @exclusivity(unchecked) private var rangeEnd: [UInt8] = []
  /// The number of steps to try before the next seek.
  @exclusivity(unchecked) private var stepAllowance = 4
  @exclusivity(unchecked) private var isStarted = false
  @exclusivity(unchecked) private var suffix: [UInt8] = []
  /// The columns of fields that were asked for.
  @exclusivity(unchecked) private var columns: [(field: FieldPath, column: Int?)] = []
  /// The cache that is told the cost of the scan.
  private var lender: ScanCache?

  init(
    _ scan: ScanBytes, at place: ScanPlace, in view: ReadView, carryingDocuments: Bool = false,
    lendingTo lender: ScanCache? = nil
  ) throws {
    self.scan = scan
    self.place = place
    self.view = view
    self.lender = lender
    carriesDocuments = carryingDocuments
    cursor = try view.takeCursor()
    skippedBefore = cursor.skippedCount
  }

  deinit { view.giveBack(cursor) }

  /// Number of entries that the cursor has stood on.
  var entriesRead: Int { work.entriesRead }
  var mayRecheck: Bool { scan.hasCutBound }
  var vectorEntry: StoreScan? { self }

  // MARK: Moving

  func next(_ deadline: inout Deadline) throws -> Bool {
    try deadline.check()
    if isValid {
      try step(cursor)
      try settle(&deadline)
    } else if !isStarted {
      isStarted = true
      try start(&deadline)
    }
    return isValid
  }

  private func start(_ deadline: inout Deadline) throws {
    guard let first = scan.ranges.first else { return }
    enterRange(0)
    try seek(toBeginOf: first)
    try settle(&deadline)
  }

  /// Makes the first seek. It skips a range that is known to be empty, and remembers the empty
  /// range that it crossed if that saves the next seek deleted keys.
  private func seek(toBeginOf range: KeyRange) throws {
    let begin = scan.isReversed ? range.upper : range.lower
    guard let empty = view.caches.emptyRanges else { return try seek(to: begin) }
    let known =
      scan.isReversed
      ? empty.lower(before: begin, at: view.commitNumber)
      : empty.end(behind: begin, at: view.commitNumber)
    let cursor = cursor
    let skippedCount = cursor.skippedCount
    try seek(to: known ?? begin)
    guard cursor.isValid,
      empty.isDue(
        from: begin, to: cursor.key, known: known,
        afterPassing: cursor.skippedCount - skippedCount)
    else { return }
    let found = [UInt8](copying: cursor.key)
    if scan.isReversed {
      empty.insert(from: found + [0], to: known ?? begin, seenAt: view.commitNumber)
    } else {
      empty.insert(from: known ?? begin, to: found, seenAt: view.commitNumber)
    }
  }

  func readNumbers(
    _ count: Int, into numbers: inout [UInt64], _ deadline: inout Deadline
  ) throws {
    let cursor = cursor
    let isPlain = scan.filter == nil
    var end = rangeEnd
    for _ in 0..<count {
      if !isPlain || !isValid {
        guard try next(&deadline) else { return }
        end = rangeEnd
      } else if try !steps(cursor, before: end, &deadline) {
        try settle(&deadline)
        guard isValid else { return }
        end = rangeEnd
      }
      numbers.append(try EntryValue.documentNumber(cursor.value))
    }
  }

  /// Moves to the next entry, and returns whether it lies before `end`. Most entries of a scan
  /// without a filter do, and nothing else has to be asked about them.
  @inline(__always)
  private func steps(
    _ cursor: any StoreCursor, before end: [UInt8], _ deadline: inout Deadline
  ) throws -> Bool {
    try deadline.check()
    try step(cursor)
    guard cursor.isValid, isBefore(end, cursor.key) else { return false }
    work.entriesRead += 1
    return true
  }

  /// Moves to the first entry with a suffix at or after `suffix`, never back. Tries up to
  /// `stepLimit` steps before a seek.
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
    let before = work.entriesRead
    let isEnough = try move(to: target, stepLimit: stepLimit)
    work.entriesPassed += work.entriesRead - before
    try settle(&deadline)
    return isEnough
  }

  // MARK: The entry

  func documentNumber() throws -> UInt64 {
    let cursor = cursor
    return try EntryValue.documentNumber(cursor.value)
  }

  func needsRecheck() throws -> Bool { try mayRecheck && isCut() }

  /// Whether the entry holds only a part of a value.
  func isCut() throws -> Bool {
    let cursor = cursor
    return try EntryValue.read(cursor.value).anyCut
  }

  func coveredRecord(notingFields: Bool) throws -> DocumentRecord? {
    let cursor = cursor
    guard carriesDocuments, let bytes = try EntryValue.record(in: cursor.value) else { return nil }
    return try DocumentRecord(bytes, own: view.databaseID, notingFields: notingFields)
  }

  func readSuffix(into suffix: inout [UInt8]) throws {
    readScanBytes(into: &suffix)
    try scan.makeJoined(&suffix)
  }

  /// Whether the cursor stands on an entry with this suffix.
  func stands(at other: [UInt8]) throws -> Bool {
    guard isValid else { return false }
    try readSuffix(into: &suffix)
    return suffix == other
  }

  private func readScanBytes(into bytes: inout [UInt8]) {
    let cursor = cursor
    bytes.removeAll(keepingCapacity: true)
    bytes.append(cursor.key.extracting(droppingFirst: scan.prefix.count))
    if scan.isReversed { for index in bytes.indices { bytes[index] = ~bytes[index] } }
  }

  func value(of field: FieldPath) throws -> (isHeld: Bool, value: Value?) {
    guard let column = column(of: field) else { return (false, nil) }
    return (true, try value(ofColumn: column))
  }

  /// Returns the position of the index's column with the field; `nil` if there is none.
  func column(of field: FieldPath) -> Int? {
    if let known = columns.first(where: { $0.field == field }) { return known.column }
    let column = scan.layout.column(of: field)
    columns.append((field, column))
    return column
  }

  /// Returns the value of a column; `nil` if the entry holds only a part of it, or another form.
  private func value(ofColumn position: Int) throws -> Value? {
    let cursor = cursor
    let flags = try EntryValue.flags(at: position, in: cursor.value)
    guard !flags.isCut, !flags.isInexact else { return nil }
    let key = cursor.key
    let orders = scan.layout.columnOrders
    var offset = scan.columnsOffset
    for order in orders[..<position] {
      offset = try OrderedValue.endOfValue(in: key, at: offset, order)
    }
    return try OrderedValue.decode(
      from: key, at: &offset, orders[position], own: view.databaseID, kind: flags.kind)
  }

  /// Replaces the elements of `vector` with those that the entry of a vector index holds.
  func readVector(into vector: inout [Double]) throws {
    let cursor = cursor
    try EntryValue.readVector(into: &vector, from: cursor.value)
  }

  /// Returns the name of the entry's document, as bytes that ascend in the order of names and are
  /// the same in all branches.
  func name() throws -> [UInt8] {
    try readSuffix(into: &suffix)
    return try scan.name(ofJoined: suffix)
  }

  // MARK: The end

  func checkReads() throws { try cursor.checkReads() }

  /// Adds the keys from the beginning of the scan to the cursor's position, including those that it
  /// jumped over. At its end, the cursor adds all keys of the scan.
  func appendReads(to reads: inout ReadSet) {
    guard work.seekCount > 0 else { return }
    let cursor = cursor
    scan.appendReads(through: isValid ? [UInt8](copying: cursor.key) : nil, to: &reads)
  }

  func forEachWork(_ body: (ScanPlace, ScanStatistics) -> Void) {
    var work = work
    work.deletedEntriesPassed = cursor.skippedCount - skippedBefore
    body(place, work)
  }

  /// The approximate number of entries that could have been read at the same cost.
  var cost: Int { work.entriesRead + work.seekCount * StoreScan.stepLimit }

  func finish() {
    lender?.lend([self], in: view)
    lender = nil
  }

  // MARK: Moves

  private func step(_ cursor: any StoreCursor) throws {
    if scan.isReversed { try cursor.previous() } else { try cursor.next() }
  }

  private func seek(to key: [UInt8]) throws {
    work.seekCount += 1
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
      work.entriesRead += 1
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
      let before = work.entriesRead
      work.entriesRead += 1
      try jump(to: start)
      work.entriesPassed += work.entriesRead - before
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
    let isEnough = try move(to: key, stepLimit: stepAllowance)
    stepAllowance =
      isEnough ? min(stepAllowance * 2, StoreScan.stepLimit) : max(stepAllowance / 2, 1)
  }

  /// Moves to the first entry at or after `key`, which lies after the current entry. Tries up to
  /// `stepLimit` steps before a seek, and counts the entries on the way.
  ///
  /// - Returns: whether the steps were enough.
  private func move(to key: [UInt8], stepLimit: Int) throws -> Bool {
    let cursor = cursor
    for _ in 0..<stepLimit {
      try step(cursor)
      guard cursor.isValid, isBefore(key, cursor.key) else { return true }
      work.entriesRead += 1
    }
    try seek(to: key)
    return false
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

extension ScanCache {
  /// Tells the cache the cost of scans that a query has walked together. In return the cache makes
  /// a part of their kept contents: those of the cheapest scan for walking, those of the others
  /// for testing.
  func lend(_ scans: [StoreScan], in view: ReadView) {
    guard let cheapest = scans.min(by: { $0.cost < $1.cost }) else { return }
    for scan in scans where scan.cost > 0 {
      let isCheapest = scan === cheapest
      guard !isCheapest || scan.cost <= 2 * ScanEntries.countLimit else { continue }
      lend(
        scan.cost, toScanOf: scan.scan.prefix, for: isCheapest ? .walking : .testing,
        in: view.snapshot, at: view.commitNumber)
    }
  }
}
