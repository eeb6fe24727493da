import DocumentModel
import OrderedStore
import QueryPlanning
import StorageFormat

/// The work of one scan of a branch.
package struct ScanStatistics: Sendable, Equatable {
  /// The number of index entries that the scan stood on.
  package var entriesRead = 0
  /// The number of those entries that were found in memory.
  package var entriesCached = 0
  /// The number of those entries that were only passed, instead of a seek.
  package var entriesPassed = 0
  /// The number of deleted entries that the cursor stepped over. `entriesRead` doesn't include
  /// them.
  package var deletedEntriesPassed = 0
  /// The number of jumps of the cursor over entries.
  package var seekCount = 0
  /// The number of entries of another scan of the join that were looked up in memory, instead of
  /// reading entries of this one.
  package var testCount = 0

  package init(
    entriesRead: Int = 0, entriesCached: Int = 0, seekCount: Int = 0, testCount: Int = 0
  ) {
    self.entriesRead = entriesRead
    self.entriesCached = entriesCached
    self.seekCount = seekCount
    self.testCount = testCount
  }

  mutating func add(_ other: ScanStatistics) {
    entriesRead += other.entriesRead
    entriesCached += other.entriesCached
    entriesPassed += other.entriesPassed
    deletedEntriesPassed += other.deletedEntriesPassed
    seekCount += other.seekCount
    testCount += other.testCount
  }
}

/// The entries that one branch of a plan finds, in the order of the query.
///
/// The first call for an entry is the first that reads anything.
final class BranchEntries {
  private enum Columns {
    /// The merge key is the suffix itself.
    case suffix
    case parts([KeyPart])
  }

  private enum KeyPart {
    /// The column of the suffix at this index.
    case suffix(Int)
    /// The bytes of a constant.
    case bytes([UInt8])
  }

  private let query: PlannedQuery
  /// The index of the branch in the plan.
  let index: Int
  private let view: ReadView
  private let encoder: ValueEncoder
  private let scans: [ScanBytes]
  private var join = IndexJoin()
  /// The only scan; `nil` if there are several. Most queries have nothing to join.
  @exclusivity(unchecked) private var single: IndexCursor?
  @exclusivity(unchecked) private var kindless: KindlessCursor?
  @exclusivity(unchecked) private(set) var isOpen = false
  @exclusivity(unchecked) private var isStarted = false
  private let columns: Columns
  private var suffix: [UInt8] = []
  /// The index of the scan whose entries carry their documents; `nil` if there is none.
  private let coveringScan: Int?
  private var places: [(field: FieldPath, place: ColumnPlace?)] = []

  /// Returns the branches of a query's plan that can have results.
  static func all(of query: PlannedQuery, in view: ReadView) throws -> [BranchEntries] {
    let plan = query.plan
    var number = query.prepared?.collectionNumber
    if number == nil, case .collection(let path) = plan.source {
      number = try view.collectionNumber(of: path)
      // A collection in which no document was ever written has no entries at all.
      if number == nil { return [] }
    }
    var branches: [BranchEntries] = []
    for (index, branch) in plan.branches.enumerated() where !branch.isEmpty {
      branches.append(BranchEntries(index, of: query, collectionNumber: number, in: view))
    }
    return branches
  }

  /// - Parameter collectionNumber: the number of the plan's collection, for a collection query.
  private init(
    _ index: Int, of query: PlannedQuery, collectionNumber: UInt64?, in view: ReadView
  ) {
    self.query = query
    self.index = index
    self.view = view
    let encoder = ValueEncoder(own: view.databaseID)
    self.encoder = encoder
    scans = ScanBytes.scans(of: index, of: query, collectionNumber: collectionNumber, encoder)
    columns =
      query.plan.branches[index].isSortedBySuffix
      ? .suffix
      : .parts(BranchEntries.keyParts(of: query.plan.branches[index], query.plan.orders, encoder))
    coveringScan = view.coveringScan(of: query.plan.branches[index])
    mayRecheck = scans.contains(where: \.hasCutBound)
    // The index of names is not among the entries that commits maintain in memory.
    usesMemory =
      !mayRecheck && query.plan.nearest == nil
      && (scans.count > 1 || query.aggregatedFields.isEmpty)
      && query.plan.branches[index].scans.allSatisfy { $0.source != .key }
  }

  var branch: Plan.Branch { query.plan.branches[index] }
  private var orders: [Order] { query.plan.orders }
  private var source: QuerySource { query.plan.source }

  private static func keyParts(
    of branch: Plan.Branch, _ orders: [Order], _ encoder: ValueEncoder
  ) -> [KeyPart] {
    zip(branch.key, orders).map { column, order -> KeyPart in
      switch column {
      case .suffix(let index): return .suffix(index)
      case .constant(let value):
        var bytes: [UInt8] = []
        encoder.append(value, ColumnOrder(order.direction), to: &bytes)
        return .bytes(bytes)
      }
    }
  }

  /// Whether there can be entries that need their document to decide a match. If no operand is cut,
  /// even the entries that are cut stand on the right side of all operands (§3.6).
  let mayRecheck: Bool
  /// Whether scans that are kept in memory may be used. They tell only which entries exist, and
  /// mostly that is enough.
  private var usesMemory: Bool

  private func open() throws {
    isOpen = true
    if case .everyCollection(below: let parent, let allDescendants) = source {
      kindless = try KindlessCursor(
        branch, below: parent, allDescendants: allDescendants, encoder: encoder,
        in: view.snapshot, isRecording: view.recorder != nil)
    } else {
      join = try IndexJoin(scans, in: view, usingMemory: usesMemory)
      single = join.single
    }
  }

  /// Moves to the next entry; `false` at the end.
  func next(_ deadline: inout Deadline) throws -> Bool {
    if !isOpen { try open() }
    if let single, isStarted {
      try deadline.check()
      if single.isValid { try single.next(&deadline) }
      return single.isValid
    }
    isStarted = true
    if let kindless { return try kindless.next(&deadline) }
    return try join.next(&deadline)
  }

  /// Appends the document numbers of the next entries: `count`, or fewer at the end.
  func readNumbers(
    _ count: Int, into numbers: inout [UInt64], _ deadline: inout Deadline
  ) throws {
    if !isOpen { try open() }
    if let single {
      guard try next(&deadline) else { return }
      return try single.readNumbers(count, into: &numbers, &deadline)
    }
    if join.readKeptNumbers(count, into: &numbers) { return }
    for _ in 0..<count {
      guard try next(&deadline) else { return }
      numbers.append(try documentNumber())
    }
  }

  /// Moves past the next `count` entries.
  ///
  /// - Returns: the number of entries passed, which is less than `count` only at the end.
  func skip(_ count: Int, _ deadline: inout Deadline) throws -> Int {
    if !isOpen { try open() }
    if let single {
      return try count > 0 && next(&deadline) ? single.skip(count, &deadline) : 0
    }
    if let skipped = join.skipKept(count) { return skipped }
    var passed = 0
    while passed < count, try next(&deadline) { passed += 1 }
    return passed
  }

  func documentNumber() throws -> UInt64 {
    if let single { return try single.readEntry().documentNumber }
    if let kindless { return try kindless.documentNumber() }
    return try join.documentNumber()
  }

  /// Whether entries of the branch carry their documents.
  var isCovering: Bool { coveringScan != nil }

  /// Declares that documents are needed too. If entries carry them, the entries in the store are
  /// better than memory, which knows only which entries exist.
  func wantDocuments() {
    if isCovering, scans.count == 1, !isOpen { usesMemory = false }
  }

  /// Returns the entry's document; `nil` if no index of the branch carries it.
  func coveredRecord(notingFields: Bool) throws -> DocumentRecord? {
    guard let coveringScan else { return nil }
    guard let entry = try single ?? join.walkedEntry(ofScan: coveringScan) else { return nil }
    return try entry.coveredRecord(own: view.databaseID, notingFields: notingFields)
  }

  /// Whether the document must decide the match, since the entry holds too little of a value.
  func needsRecheck() throws -> Bool {
    guard mayRecheck else { return false }
    return try join.isAnyCut()
  }

  var statistics: [ScanStatistics] {
    if let kindless {
      var statistics = ScanStatistics(
        entriesRead: kindless.entriesRead, seekCount: kindless.seekCount)
      statistics.deletedEntriesPassed = kindless.deletedEntriesPassed
      return [statistics]
    }
    guard isOpen else { return branch.scans.map { _ in ScanStatistics() } }
    return join.statistics
  }

  /// Throws if anything could not be read. Call it before results are final.
  func checkReads() throws {
    try kindless?.checkReads()
    try join.checkReads()
  }

  /// Adds the keys that the branch has passed. A branch that wasn't opened has passed none.
  func appendReads(to reads: inout ReadSet) throws {
    kindless?.appendReads(to: &reads)
    try join.appendReads(to: &reads)
  }
}

extension ScanBytes {
  /// Returns the scans of a branch. A kindless query has none, since it reads names.
  fileprivate static func scans(
    of index: Int, of query: PlannedQuery, collectionNumber: UInt64?, _ encoder: ValueEncoder
  ) -> [ScanBytes] {
    if case .everyCollection = query.plan.source { return [] }
    let count = query.plan.branches[index].scans.count
    // Most branches have one scan, and a list of one element is faster to make than to grow.
    guard count != 1 else {
      return [ScanBytes(0, of: index, of: query, collectionNumber: collectionNumber, encoder)]
    }
    return (0..<count).map {
      ScanBytes($0, of: index, of: query, collectionNumber: collectionNumber, encoder)
    }
  }

  private init(
    _ scan: Int, of branch: Int, of query: PlannedQuery, collectionNumber: UInt64?,
    _ encoder: ValueEncoder
  ) {
    let source = query.plan.source
    guard let prepared = query.prepared?.scans[scan] else {
      let branch = query.plan.branches[branch]
      self.init(
        branch.scans[scan], of: branch, source: source, collectionNumber: collectionNumber,
        encoder: encoder)
      return
    }
    self.init(
      prepared.layout,
      behind: prepared.indexPrefix
        ?? prepared.layout.indexPrefix(collectionNumber: collectionNumber),
      query.plan.branches[branch].scans[scan].prefix, of: query.plan.branches[branch],
      source: source, encoder: encoder)
  }
}

extension Plan.Branch {
  /// Whether results are ordered by the suffix itself.
  fileprivate var isSortedBySuffix: Bool {
    guard key.count == suffix.count else { return false }
    for (index, column) in key.enumerated() {
      guard case .suffix(index) = column else { return false }
    }
    return true
  }
}

// MARK: Merging

extension BranchEntries {
  /// Replaces the contents of `key` with the values by which the plan's results are ordered, as
  /// bytes that ascend in the order of the query. Entries of one document have the same key in all
  /// branches.
  func readKey(into key: inout [UInt8]) throws {
    if let kindless { return kindless.readPath(into: &key) }
    guard case .parts(let parts) = columns else { return try join.readSuffix(into: &key) }
    try join.readSuffix(into: &suffix)
    let ends = try columnEnds()
    key.removeAll(keepingCapacity: true)
    for part in parts {
      switch part {
      case .suffix(let index):
        key += suffix[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
      case .bytes(let bytes): key += bytes
      }
    }
  }

  /// Returns the end of each column in the suffix, with the name last.
  private func columnEnds() throws -> [Int] {
    let bytes = suffix
    var ends: [Int] = []
    for order in branch.suffix.dropLast() {
      ends.append(
        try OrderedValue.endOfValue(
          in: bytes.span.bytes, at: ends.last ?? 0, ColumnOrder(order.direction)))
    }
    return ends + [bytes.count]
  }

  /// A lower bound of the branch's keys, made of the values that the plan fixes for the first
  /// columns.
  var lowestKey: [UInt8] {
    if case .suffix = columns, let scan = scans.first, scan.hasJoinedSuffix {
      return scan.lowestSuffix
    }
    var key: [UInt8] = []
    for (column, order) in zip(branch.key, orders) {
      guard let point = point(column) else { break }
      encoder.append(point, ColumnOrder(order.direction), to: &key)
    }
    return key
  }

  /// Returns the value of a column, if all keys of the branch have the same one; otherwise `nil`.
  private func point(_ column: Plan.Branch.KeyColumn) -> Value? {
    switch column {
    case .constant(let value): return value
    case .suffix(let index):
      guard let ranges = branch.ranges[index], ranges.count == 1,
        !branch.suffix[index].field.isDocumentID
      else { return nil }
      return ranges[0].point
    }
  }
}

// MARK: Nearest vectors

extension BranchEntries {
  /// Replaces the elements of `vector` with those of the entry. The branch must read a vector index
  /// alone.
  func readVector(into vector: inout [Double]) throws {
    try join.entry(ofScan: 0).readVector(into: &vector)
  }

  /// Returns the name of the entry's document, as bytes that ascend in the order of names and are
  /// the same in all branches.
  func name() throws -> [UInt8] {
    try join.readSuffix(into: &suffix)
    let ends = try columnEnds()
    let name = suffix[(ends.dropLast().last ?? 0)...]
    return branch.suffix.last?.direction == .descending ? name.map { ~$0 } : Array(name)
  }
}

// MARK: Values

/// The position of a field in the entries of a branch.
private struct ColumnPlace {
  let scan: Int
  let column: Int
  /// The stored orders of the index's columns.
  let orders: [ColumnOrder]
}

extension BranchEntries {
  /// Returns the field of the entry's document; `nil` if the entry doesn't hold all of it.
  func value(of field: FieldPath) throws -> Value? {
    let place: ColumnPlace?
    if let known = places.first(where: { $0.field == field }) {
      place = known.place
    } else {
      place = self.place(of: field)
      places.append((field, place))
    }
    guard let place else { return nil }
    return try join.entry(ofScan: place.scan).value(
      ofColumn: place.column, orders: place.orders, own: view.databaseID)
  }

  /// Whether every entry holds the field, unless the value is cut.
  func holds(_ field: FieldPath) -> Bool { place(of: field) != nil }

  private func place(of field: FieldPath) -> ColumnPlace? {
    guard kindless == nil else { return nil }
    for (index, scan) in branch.scans.enumerated() {
      let columns = scan.index.columns
      guard
        let column = columns.firstIndex(where: {
          $0.field == field && $0.mode != .contains && !$0.field.isDocumentID
        })
      else { continue }
      let isComposite = if case .composite = scan.source { true } else { false }
      let orders = columns.map { column -> ColumnOrder in
        isComposite && column.mode == .descending ? .descending : .ascending
      }
      return ColumnPlace(scan: index, column: column, orders: orders)
    }
    return nil
  }
}
