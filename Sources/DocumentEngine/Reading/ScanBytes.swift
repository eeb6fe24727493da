import DocumentModel
import QueryPlanning
import StorageFormat

/// One scan of a plan in bytes: which keys it reads, in which direction, and how they are cut up.
///
/// A key is the prefix (index, parent, equal values), then the suffix: the remaining columns and
/// the document's name. Automatic indexes are stored ascending only; their descending twins are the
/// same entries read backwards.
struct ScanBytes {
  /// How a key ends.
  enum NameLayout {
    /// With the document's id: the index is kept per collection.
    case id
    /// With the document's path: the index is kept per collection group.
    case path
    /// With a path, of which only documents directly in one collection are wanted. The bytes are
    /// those of the collection's own path, with no terminator.
    case pathInCollection([UInt8])
  }

  let prefix: [UInt8]
  /// The keys to read, the prefix included.
  let range: KeyRange
  let isReversed: Bool
  /// The stored order of each column of the suffix but the name.
  let columns: [ColumnOrder]
  let nameOrder: ColumnOrder
  let nameLayout: NameLayout
  /// What single columns of the suffix must lie in, by column, where `range` doesn't ensure it.
  let residuals: [KeyRange?]
  let hasResiduals: Bool
  /// Whether a bound was cut, so that entries at its edge are decided by their documents (§3.6).
  let hasCutBound: Bool
}

extension ScanBytes {
  /// - Parameter collectionNumber: the number of the plan's collection, for a collection query.
  init(_ scan: Plan.Scan, of plan: Plan, collectionNumber: UInt64?, encoder: ValueEncoder) {
    var builder = ScanBytesBuilder(plan: plan, scan: scan, encoder: encoder)
    builder.appendPrefix(collectionNumber: collectionNumber)
    builder.narrowByRanges()
    builder.narrowByCursors()
    self = builder.build()
  }
}

/// Narrows the keys of one scan step by step.
private struct ScanBytesBuilder {
  private let plan: Plan
  private let scan: Plan.Scan
  private let encoder: ValueEncoder
  private let isReversed: Bool
  /// The stored order of every column of the suffix, the name last.
  private let orders: [ColumnOrder]
  private let nameLayout: ScanBytes.NameLayout

  private var prefix: [UInt8] = []
  private var range = KeyRange.all
  private var residuals: [KeyRange?]
  private var hasCutBound = false

  init(plan: Plan, scan: Plan.Scan, encoder: ValueEncoder) {
    self.plan = plan
    self.scan = scan
    self.encoder = encoder
    // Single-field indexes and the key index are stored ascending only.
    let isStoredAscending = if case .composite = scan.source { false } else { true }
    isReversed = isStoredAscending && plan.suffix.last?.direction == .descending
    orders = plan.suffix.map { order in
      isStoredAscending || order.direction == .ascending ? .ascending : .descending
    }
    residuals = Array(repeating: nil, count: plan.suffix.count)
    switch (scan.index.scope, plan.source) {
    case (.collection, _): nameLayout = .id
    case (.collectionGroup, .collection(let path)):
      nameLayout = .pathInCollection(
        ScanBytesBuilder.pathBytes(path, orders.last ?? .ascending))
    case (.collectionGroup, .collectionGroup): nameLayout = .path
    }
  }

  /// The bytes that every path at or below `path` starts with.
  private static func pathBytes(_ path: ResourcePath, _ order: ColumnOrder) -> [UInt8] {
    var bytes: [UInt8] = []
    OrderedName.appendPrefix(path: path, order, to: &bytes)
    return bytes
  }

  /// The bytes of the paths below `path`, without its own: there the terminator follows at once.
  private static func descendants(of path: ResourcePath, _ order: ColumnOrder) -> KeyRange {
    let prefix = pathBytes(path, order)
    let all = KeyRange.prefix(prefix)
    return order == .ascending
      ? KeyRange(lower: prefix + [0x01], upper: all.upper)
      : KeyRange(lower: all.lower, upper: prefix + [0xFF])
  }

  mutating func appendPrefix(collectionNumber: UInt64?) {
    let group = scan.index.collectionGroup
    let isGroup = scan.index.scope == .collectionGroup
    switch scan.source {
    case .key:
      prefix =
        isGroup
        ? StorageKey.groupNamePrefix(collectionID: group)
        : StorageKey.namePrefix(collection: collectionNumber ?? 0)
    case .composite(let id):
      StorageKey.appendCompositePrefix(
        id: id, collection: isGroup ? nil : collectionNumber, to: &prefix)
    case .automatic:
      let column = scan.index.columns[0]
      let kind: StorageKey.AutomaticKind = column.mode == .contains ? .contains : .ordered
      if isGroup {
        StorageKey.appendGroupAutomaticPrefix(
          collectionID: group, kind: kind, field: column.field, to: &prefix)
      } else {
        StorageKey.appendAutomaticPrefix(
          collection: collectionNumber ?? 0, kind: kind, field: column.field, to: &prefix)
      }
    }
    for (value, column) in zip(scan.prefix, scan.index.columns) {
      let isDescending =
        if case .composite = scan.source { column.mode == .descending } else { false }
      hasCutBound =
        encoder.append(value, isDescending ? .descending : .ascending, to: &prefix) || hasCutBound
    }
    range = .prefix(prefix)
  }

  @discardableResult
  private mutating func append(
    _ value: Value, _ order: ColumnOrder, to bytes: inout [UInt8]
  ) -> Bool {
    let isCut = encoder.append(value, order, to: &bytes)
    hasCutBound = hasCutBound || isCut
    return isCut
  }

  // MARK: Ranges

  /// The columns in front that are fixed to one value, and the first that isn't, narrow the keys;
  /// the ranges behind become residual.
  mutating func narrowByRanges() {
    var fixed = prefix
    var isContiguous = true
    for index in plan.suffix.indices {
      let isName = index == plan.suffix.count - 1
      guard let allowed = isName ? nameRange() : columnRange(index) else {
        isContiguous = false
        continue
      }
      guard isContiguous else {
        residuals[index] = allowed
        continue
      }
      range = range.intersection(
        KeyRange(lower: fixed + allowed.lower, upper: fixed + allowed.upper))
      if let point = isName ? nil : pointBytes(index) {
        fixed += point
      } else {
        isContiguous = false
      }
    }
  }

  private mutating func pointBytes(_ index: Int) -> [UInt8]? {
    guard let range = plan.ranges[index], let lower = range.lower, lower == range.upper else {
      return nil
    }
    var bytes: [UInt8] = []
    append(lower.value, orders[index], to: &bytes)
    return bytes
  }

  /// The bytes that a column may have.
  private mutating func columnRange(_ index: Int) -> KeyRange? {
    guard let range = plan.ranges[index] else { return nil }
    let order = orders[index]
    var (lower, upper) = OrderedValue.bounds(of: range.typeClass, order)
    let (first, last) =
      order == .ascending ? (range.lower, range.upper) : (range.upper, range.lower)
    if let first {
      var bytes: [UInt8] = []
      let isCut = append(first.value, order, to: &bytes)
      lower = first.isInclusive || isCut ? bytes : KeyRange.prefix(bytes).upper
    }
    if let last {
      var bytes: [UInt8] = []
      let isCut = append(last.value, order, to: &bytes)
      upper = last.isInclusive || isCut ? KeyRange.prefix(bytes).upper : bytes
    }
    return KeyRange(lower: lower, upper: upper)
  }

  /// The bytes that the name may have: what the query says of it, below the collection or ancestor.
  private func nameRange() -> KeyRange? {
    let order = orders.last ?? .ascending
    var allowed: KeyRange?
    switch (nameLayout, plan.source) {
    case (.pathInCollection(let collection), _): allowed = .prefix(collection)
    case (.path, .collectionGroup(_, below: let ancestor)) where !ancestor.isRoot:
      allowed = ScanBytesBuilder.descendants(of: ancestor, order)
    default: break
    }
    guard let range = plan.ranges.last ?? nil else { return allowed }
    let (first, last) =
      order == .ascending ? (range.lower, range.upper) : (range.upper, range.lower)
    var bounds = KeyRange.all
    if let first {
      let bytes = nameBytes(first.value)
      bounds.lower = first.isInclusive ? bytes : KeyRange.prefix(bytes).upper
    }
    if let last {
      let bytes = nameBytes(last.value)
      bounds.upper = last.isInclusive ? KeyRange.prefix(bytes).upper : bytes
    }
    return allowed?.intersection(bounds) ?? bounds
  }

  private func nameBytes(_ value: Value) -> [UInt8] {
    guard case .reference(let name) = value else { return [] }
    var bytes: [UInt8] = []
    appendName(name.path, to: &bytes)
    return bytes
  }

  private func appendName(_ path: ResourcePath, to bytes: inout [UInt8]) {
    let order = orders.last ?? .ascending
    if case .id = nameLayout {
      OrderedName.append(documentID: path.lastSegment ?? "", order, to: &bytes)
    } else {
      OrderedName.append(path: path, order, to: &bytes)
    }
  }

  // MARK: Cursors

  mutating func narrowByCursors() {
    if let start = plan.start, !start.values.isEmpty {
      let position = cursorBytes(start)
      narrow(from: start.isBefore ? position.before : position.behind)
    }
    if let end = plan.end, !end.values.isEmpty {
      let position = cursorBytes(end)
      narrow(to: end.isBefore ? position.before : position.behind)
    }
  }

  /// The stored keys next to the entries that stand exactly at the cursor, in the scan's order.
  private func cursorBytes(_ cursor: Cursor) -> (before: [UInt8], behind: [UInt8]) {
    var bytes = prefix
    for (index, value) in cursor.values.enumerated() {
      if index == plan.suffix.count - 1, case .reference(let name) = value {
        appendName(name.path, to: &bytes)
      } else {
        // A cursor is a position in the cut order: nothing is decided by documents.
        encoder.append(value, orders[index], to: &bytes)
      }
    }
    let equal = KeyRange.prefix(bytes)
    return isReversed ? (equal.upper, equal.lower) : (equal.lower, equal.upper)
  }

  private mutating func narrow(from position: [UInt8]) {
    let side =
      isReversed
      ? KeyRange(lower: prefix, upper: position)
      : KeyRange(lower: position, upper: KeyRange.prefix(prefix).upper)
    range = range.intersection(side)
  }

  private mutating func narrow(to position: [UInt8]) {
    let side =
      isReversed
      ? KeyRange(lower: position, upper: KeyRange.prefix(prefix).upper)
      : KeyRange(lower: prefix, upper: position)
    range = range.intersection(side)
  }

  func build() -> ScanBytes {
    ScanBytes(
      prefix: prefix, range: range, isReversed: isReversed, columns: Array(orders.dropLast()),
      nameOrder: orders.last ?? .ascending, nameLayout: nameLayout, residuals: residuals,
      hasResiduals: residuals.contains { $0 != nil },
      hasCutBound: hasCutBound)
  }
}
