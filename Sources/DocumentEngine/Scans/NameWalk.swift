import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
import HearthStorageFormat

/// The documents of all collections below a document, in the order of their paths.
///
/// The names of a collection lie together, under its number. The table of collections, which is in
/// path order too, tells which collection begins next. The collections around that one are kept
/// open, one nested in the other. A missing document can still have collections (§1.1).
///
/// Paths are compared as bytes, with all segments and their ends (`OrderedName`).
final class NameWalk: EntryCursor {
  /// A collection whose documents are being read.
  private struct OpenCollection {
    /// The bytes that the paths of its documents begin with.
    let path: [UInt8]
    /// The keys of their names, each of which begins with the lower bound.
    let keys: KeyRange
    let names: any StoreCursor
    /// The key of the first seek.
    let start: [UInt8]
    /// The path of the document that `names` stands on.
    var document: [UInt8] = []
    var isValid = false
  }

  private let place: ScanPlace
  private let snapshot: any StoreSnapshot
  private let parentSegmentCount: Int
  private let allDescendants: Bool
  /// The paths to read, in order.
  private let ranges: [KeyRange]
  private var rangeIndex = 0
  private var isStarted = false

  private let collections: any StoreCursor
  /// The path of the collection that the table's cursor stands on; `nil` at the end.
  private var nextPath: [UInt8]?
  private var nextNumber: UInt64 = 0

  /// The open collections. Each lies below a document of the one before.
  private var open: [OpenCollection] = []
  private var idleCursors: [any StoreCursor] = []
  /// The names of the collections that were left; `nil` if reads aren't recorded.
  private var leftNames: [KeyRange]?
  /// The rows of the table that were looked up one by one; `nil` if reads aren't recorded.
  private var rowsRead: [[UInt8]]?

  /// The work so far, without the deleted entries that were passed.
  private var work = ScanStatistics()

  init(
    _ branch: Plan.Branch, at place: ScanPlace, below parent: ResourcePath, allDescendants: Bool,
    encoder: ValueEncoder, in view: ReadView
  ) throws {
    self.place = place
    snapshot = view.snapshot
    leftNames = view.recorder == nil ? nil : []
    rowsRead = view.recorder == nil ? nil : []
    self.allDescendants = allDescendants
    parentSegmentCount = parent.segments.count
    var bounds = SuffixBounds(
      branch, source: .everyCollection(below: parent, allDescendants), columns: [.ascending],
      nameLayout: .path, encoder: encoder)
    bounds.narrowByRanges()
    bounds.narrowByCursors()
    ranges = bounds.leading
    collections = try snapshot.makeCursor()
  }

  func next(_ deadline: inout Deadline) throws -> Bool {
    if isStarted {
      guard !open.isEmpty else { return false }
      try open[open.count - 1].names.next()
      arrive()
    } else {
      isStarted = true
      guard !ranges.isEmpty else { return false }
      try enterRange()
    }
    while true {
      try deadline.check()
      if let innermost = open.last, !innermost.isValid {
        leave(innermost)
        open.removeLast()
      } else if rangeIndex == ranges.count {
        return false
      } else if let path = nextPath, isNext(path) {
        try openCollection(path.dropLast(), nextNumber, from: [])
        try leaveTableRow(path)
      } else if let innermost = open.last,
        innermost.document.byteCompare(ranges[rangeIndex].upper) == .less
      {
        return true
      } else {
        rangeIndex += 1
        guard rangeIndex < ranges.count else { return false }
        try enterRange()
      }
    }
  }

  func documentNumber() throws -> UInt64 {
    guard let names = open.last?.names else { throw DatabaseError.damaged("No document here.") }
    return try EntryValue.documentNumber(names.value)
  }

  /// Replaces the contents of `suffix` with the document's path.
  func readSuffix(into suffix: inout [UInt8]) {
    suffix.removeAll(keepingCapacity: true)
    if let path = open.last?.document { suffix += path }
  }

  func value(of field: FieldPath) -> (isHeld: Bool, value: Value?) { (false, nil) }

  func checkReads() throws {
    try collections.checkReads()
    for collection in open { try collection.names.checkReads() }
    for cursor in idleCursors { try cursor.checkReads() }
  }

  // MARK: Collections

  /// Whether the collection's documents come before the current document of the innermost open
  /// collection.
  private func isNext(_ path: [UInt8]) -> Bool {
    guard path.byteCompare(ranges[rangeIndex].upper) == .less else { return false }
    return open.last.map { path.byteCompare($0.document) == .less } ?? true
  }

  /// Goes to the first document of the range, and opens the collections around its lower bound.
  private func enterRange() throws {
    for collection in open { leave(collection) }
    open.removeAll()
    let lower = ranges[rangeIndex].lower
    var segmentCount = 0
    var segmentStart = 0
    for index in lower.indices where lower[index] == 0 {
      guard index > segmentStart else { break }
      segmentCount += 1
      segmentStart = index + 1
      let path = lower[...index]
      if isWanted(segmentCount), let number = try number(ofCollection: path) {
        try openCollection(path, number, from: lower)
      }
    }
    try moveTable(to: StorageKey.collectionsPrefix(below: .root) + lower)
  }

  /// Whether documents of collections at this depth are results.
  private func isWanted(_ segmentCount: Int) -> Bool {
    guard segmentCount % 2 == 1 else { return false }
    return allDescendants
      ? segmentCount > parentSegmentCount : segmentCount == parentSegmentCount + 1
  }

  private func number(ofCollection path: ArraySlice<UInt8>) throws -> UInt64? {
    let key = StorageKey.collectionsPrefix(below: .root) + path + [0]
    rowsRead?.append(key)
    return try snapshot.value(of: key).map { try StorageKey.number(of: $0.span.bytes) }
  }

  /// Opens a collection at its first document that isn't before `bound`.
  private func openCollection(
    _ path: ArraySlice<UInt8>, _ number: UInt64, from bound: [UInt8]
  ) throws {
    let names = try idleCursors.popLast() ?? snapshot.makeCursor()
    let namePrefix = StorageKey.namePrefix(collection: number)
    let id = bound.dropFirst(path.count)
    let end = id.firstIndex(of: 0).map { $0 + 1 } ?? id.endIndex
    let start = namePrefix + id[..<end]
    work.seekCount += 1
    try names.seek(to: start)
    open.append(
      OpenCollection(path: Array(path), keys: .prefix(namePrefix), names: names, start: start))
    arrive()
    while let last = open.last, last.isValid, last.document.byteCompare(bound) == .less {
      try names.next()
      arrive()
    }
  }

  private func leave(_ collection: OpenCollection) {
    idleCursors.append(collection.names)
    leftNames?.append(KeyRange(lower: collection.start, upper: collection.keys.upper))
  }

  /// Reads the path of the document that the innermost collection's cursor stands on.
  private func arrive() {
    let last = open.count - 1
    let names = open[last].names
    let keys = open[last].keys
    open[last].isValid = names.isValid && keys.contains(names.key)
    guard open[last].isValid else { return }
    work.entriesRead += 1
    open[last].document.removeAll(keepingCapacity: true)
    open[last].document += open[last].path
    open[last].document.append(names.key.extracting(droppingFirst: keys.lower.count))
    open[last].document.append(0)
  }

  // MARK: The table

  private func moveTable(to key: [UInt8]) throws {
    work.seekCount += 1
    try collections.seek(to: key)
    try readTable()
  }

  /// Leaves the row of `path`, and all rows below it if they aren't wanted.
  private func leaveTableRow(_ path: [UInt8]) throws {
    guard allDescendants else {
      let below = StorageKey.collectionsPrefix(below: .root) + path.dropLast()
      return try moveTable(to: KeyRange.successor(of: below))
    }
    try collections.next()
    try readTable()
  }

  private func readTable() throws {
    let collections = collections
    let prefix = StorageKey.collectionsPrefix(below: .root)
    while true {
      nextPath = nil
      guard collections.isValid, KeyRange.prefix(prefix).contains(collections.key) else { return }
      let path = [UInt8](copying: collections.key.extracting(droppingFirst: prefix.count))
      guard let wanted = wantedLength(of: path) else {
        nextPath = path
        nextNumber = try StorageKey.number(of: collections.value)
        return
      }
      // The collection is deeper than wanted. The one around it was open already, or never had a
      // document.
      work.seekCount += 1
      try collections.seek(to: KeyRange.successor(of: prefix + path[..<wanted]))
    }
  }

  /// Returns the length of the beginning of `path` that names the collection at the wanted depth;
  /// `nil` if `path` itself is wanted.
  private func wantedLength(of path: [UInt8]) -> Int? {
    guard !allDescendants else { return nil }
    var segmentCount = 0
    for index in path.indices where path[index] == 0 {
      segmentCount += 1
      guard segmentCount == parentSegmentCount + 1 else { continue }
      return index == path.count - 2 ? nil : index + 1
    }
    return nil
  }
}

// MARK: - The end

extension NameWalk {
  /// Adds the names and the rows of the table that the cursor has passed, if reads are recorded.
  func appendReads(to reads: inout ReadSet) {
    guard isStarted, let first = ranges.first, let last = ranges.last else { return }
    for key in rowsRead ?? [] { reads.insert(key) }
    for names in leftNames ?? [] { reads.insertScan(of: names) }
    for collection in open {
      let names = collection.names
      if collection.isValid {
        reads.insertScan(from: collection.start, through: names.key)
      } else {
        reads.insertScan(of: KeyRange(lower: collection.start, upper: collection.keys.upper))
      }
    }
    let prefix = StorageKey.collectionsPrefix(below: .root)
    // Rows after the last range don't matter.
    let rows = KeyRange(lower: prefix + first.lower, upper: prefix + last.upper)
    if let nextPath, rows.contains((prefix + nextPath).span.bytes) {
      reads.insertScan(from: rows.lower, through: (prefix + nextPath).span.bytes)
    } else {
      reads.insertScan(of: rows)
    }
  }

  func forEachWork(_ body: (ScanPlace, ScanStatistics) -> Void) {
    var work = work
    let names = open.map(\.names) + idleCursors
    work.deletedEntriesPassed = names.reduce(collections.skippedCount) { $0 + $1.skippedCount }
    body(place, work)
  }
}
