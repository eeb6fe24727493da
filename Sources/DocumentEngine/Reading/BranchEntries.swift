import DocumentModel
import OrderedStore
import QueryPlanning
import StorageFormat

/// What one scan of a branch did.
package struct ScanStatistics: Sendable, Equatable {
  /// Index entries that the scan's cursor stood on.
  package var entriesRead = 0
  /// Jumps of the cursor over entries.
  package var seekCount = 0

  package init(entriesRead: Int = 0, seekCount: Int = 0) {
    self.entriesRead = entriesRead
    self.seekCount = seekCount
  }
}

/// The entries that one branch of a plan finds, in the order of the query.
///
/// Nothing is read before the first entry is asked for.
final class BranchEntries {
  private enum Columns {
    /// The merge key is the suffix as it is.
    case suffix
    case parts([KeyPart])
  }

  private enum KeyPart {
    /// The column of the suffix at this index.
    case suffix(Int)
    /// A constant's bytes.
    case bytes([UInt8])
  }

  let branch: Plan.Branch
  /// Which branch of the plan it is.
  let index: Int
  private let orders: [Order]
  private let view: ReadView
  private let source: QuerySource
  private let encoder: ValueEncoder
  private let scans: [ScanBytes]
  private var join = IndexJoin([])
  private var kindless: KindlessCursor?
  private(set) var isOpen = false
  private let columns: Columns
  private var suffix: [UInt8] = []
  private var places: [(field: FieldPath, place: ColumnPlace?)] = []

  /// The branches of a plan that can have results.
  static func all(of plan: Plan, in view: ReadView) throws -> [BranchEntries] {
    var number: UInt64?
    if case .collection(let path) = plan.source {
      number = try view.collectionNumber(of: path)
      // A collection that no document was ever written to has no entries at all.
      if number == nil { return [] }
    }
    return plan.branches.indices.filter { !plan.branches[$0].isEmpty }.map { index in
      BranchEntries(index, of: plan, collectionNumber: number, in: view)
    }
  }

  /// - Parameter collectionNumber: the number of the plan's collection, for a collection query.
  private init(_ index: Int, of plan: Plan, collectionNumber: UInt64?, in view: ReadView) {
    let branch = plan.branches[index]
    self.branch = branch
    self.index = index
    self.view = view
    orders = plan.orders
    source = plan.source
    let encoder = ValueEncoder(own: view.databaseID)
    self.encoder = encoder
    if case .everyCollection = source {
      scans = []
    } else {
      scans = branch.scans.map { scan in
        ScanBytes(
          scan, of: branch, source: plan.source, collectionNumber: collectionNumber,
          encoder: encoder)
      }
    }
    let isWhole = branch.key == branch.suffix.indices.map { .suffix($0) }
    let parts = zip(branch.key, plan.orders).map { column, order -> KeyPart in
      switch column {
      case .suffix(let index): return .suffix(index)
      case .constant(let value):
        var bytes: [UInt8] = []
        encoder.append(value, ColumnOrder(order.direction), to: &bytes)
        return .bytes(bytes)
      }
    }
    columns = isWhole ? .suffix : .parts(parts)
    mayRecheck = scans.contains(where: \.hasCutBound)
  }

  /// Whether there can be entries that only their documents decide. Where no operand is cut,
  /// entries that are cut still stand on the right side of all of them (§3.6).
  private let mayRecheck: Bool

  private func open() throws {
    isOpen = true
    if case .everyCollection(below: let parent, let allDescendants) = source {
      kindless = try KindlessCursor(
        branch, below: parent, allDescendants: allDescendants, encoder: encoder,
        in: view.snapshot, isRecording: view.recorder != nil)
    } else {
      join = IndexJoin(try scans.map { try IndexCursor($0, in: view.snapshot) })
    }
  }

  /// Moves to the next entry; `false` at the end.
  func next(_ deadline: inout Deadline) throws -> Bool {
    if !isOpen { try open() }
    if let kindless { return try kindless.next(&deadline) }
    return try join.next(&deadline)
  }

  func documentNumber() throws -> UInt64 {
    if let kindless { return try kindless.documentNumber() }
    return try join.cursors[0].readEntry().documentNumber
  }

  /// Whether the entry holds too little of a value to be a match without its document.
  func needsRecheck() throws -> Bool {
    guard mayRecheck else { return false }
    return try join.cursors.contains { try $0.readEntry().anyCut }
  }

  var statistics: [ScanStatistics] {
    if let kindless {
      return [ScanStatistics(entriesRead: kindless.entriesRead, seekCount: kindless.seekCount)]
    }
    guard isOpen else { return branch.scans.map { _ in ScanStatistics() } }
    return join.cursors.map {
      ScanStatistics(entriesRead: $0.entriesRead, seekCount: $0.seekCount)
    }
  }

  /// Throws if anything could not be read; to be called before results are final.
  func checkReads() throws {
    try kindless?.checkReads()
    for cursor in join.cursors { try cursor.checkReads() }
  }

  /// Adds the keys that the branch has passed. One that wasn't opened has looked at none.
  func appendReads(to reads: inout ReadSet) {
    kindless?.appendReads(to: &reads)
    for cursor in join.cursors { cursor.appendReads(to: &reads) }
  }
}

// MARK: Merging

extension BranchEntries {
  /// Replaces the contents of `key` by the values that the plan's results are ordered by, as bytes
  /// that ascend in the order of the query. Entries of one document have one key in all branches.
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

  /// Where each column of the suffix ends, the name last.
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

  /// Bytes that no key of the branch is below: what its plan says of the first columns.
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

  /// The one value that all keys of the branch have in a column.
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
  /// Replaces the elements of `vector` by the entry's: those of the vector index that the branch
  /// reads alone.
  func readVector(into vector: inout [Double]) throws {
    try join.cursors[0].readVector(into: &vector)
  }

  /// The name of the entry's document, as bytes that ascend in the order of names and are the same
  /// in all branches.
  func name() throws -> [UInt8] {
    try join.readSuffix(into: &suffix)
    let ends = try columnEnds()
    let name = suffix[(ends.dropLast().last ?? 0)...]
    return branch.suffix.last?.direction == .descending ? name.map { ~$0 } : Array(name)
  }
}

// MARK: Values

/// Where a branch's entries hold a field.
private struct ColumnPlace {
  let scan: Int
  let column: Int
  /// The stored orders of the index's columns.
  let orders: [ColumnOrder]
}

extension BranchEntries {
  /// The field of the entry's document, or `nil` where the entry doesn't hold all of it.
  func value(of field: FieldPath) throws -> Value? {
    let place: ColumnPlace?
    if let known = places.first(where: { $0.field == field }) {
      place = known.place
    } else {
      place = self.place(of: field)
      places.append((field, place))
    }
    guard let place else { return nil }
    return try join.cursors[place.scan].value(
      ofColumn: place.column, orders: place.orders, own: view.databaseID)
  }

  /// Whether every entry holds the field, as far as it isn't cut.
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
