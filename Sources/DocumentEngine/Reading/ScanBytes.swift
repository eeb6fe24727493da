import DocumentModel
import QueryPlanning
import StorageFormat

/// One scan of a plan in bytes: which keys it reads, in which direction, and how they are cut up.
///
/// A key is the prefix (index, parent, equal values), then the suffix: the remaining columns and
/// the document's name. Automatic indexes are stored ascending only; their descending twins are the
/// same entries read backwards. What the query says of a suffix is kept in *scan bytes*: those that
/// ascend in the scan's direction, which are the stored ones, inverted for a backwards scan.
struct ScanBytes {
  /// How a key ends.
  enum NameLayout {
    /// With the document's id: the index is kept per collection.
    case id
    /// With the document's path: the index is kept per collection group.
    case path
    /// With a path, of which only documents directly in one collection are wanted. The scan bytes
    /// are those of the collection's own path, with no terminator.
    case pathInCollection([UInt8])
  }

  let prefix: [UInt8]
  /// Where in the prefix the columns begin.
  let columnsOffset: Int
  /// The stored keys to read, the prefix included: distinct ranges in the direction of the scan.
  let ranges: [KeyRange]
  /// Scan bytes that no suffix in the ranges is below.
  let lowestSuffix: [UInt8]
  let isReversed: Bool
  /// The order of each column of the suffix but the name, in scan bytes.
  let columns: [ColumnOrder]
  let nameOrder: ColumnOrder
  let nameLayout: NameLayout
  /// What entries must satisfy beyond lying in the ranges.
  let filter: SuffixFilter?
  /// Whether a bound was cut, so that entries at its edge are decided by their documents (§3.6).
  let hasCutBound: Bool

  /// - Parameter collectionNumber: the number of the plan's collection, for a collection query.
  init(
    _ scan: Plan.Scan, of branch: Plan.Branch, source: QuerySource, collectionNumber: UInt64?,
    encoder: ValueEncoder
  ) {
    let isGroup = scan.index.scope == .collectionGroup
    columns = branch.suffix.dropLast().map { ColumnOrder($0.direction) }
    nameOrder = branch.suffix.last.map { ColumnOrder($0.direction) } ?? .ascending
    switch (isGroup, source) {
    case (true, .collection(let path)):
      nameLayout = .pathInCollection(OrderedName.prefix(of: path, nameOrder))
    case (true, _): nameLayout = .path
    case (false, _): nameLayout = .id
    }
    // Single-field indexes and the key index are stored ascending only.
    let isStoredAscending = if case .composite = scan.source { false } else { true }
    isReversed = isStoredAscending && nameOrder == .descending

    var prefix = ScanBytes.indexPrefix(scan, collectionNumber: collectionNumber)
    columnsOffset = prefix.count
    var isCut = false
    for (value, column) in zip(scan.prefix, scan.index.columns) {
      let isDescending = !isStoredAscending && column.mode == .descending
      isCut = encoder.append(value, isDescending ? .descending : .ascending, to: &prefix) || isCut
    }
    self.prefix = prefix

    var bounds = SuffixBounds(
      branch, source: source, columns: columns + [nameOrder], nameLayout: nameLayout,
      encoder: encoder)
    bounds.narrowByRanges()
    bounds.narrowByCursors()
    filter = SuffixFilter(bounds.residuals, columns: columns, nameOrder, nameLayout)
    hasCutBound = isCut || bounds.hasCutBound
    lowestSuffix = bounds.leading.first?.lower ?? []
    ranges = bounds.leading.map { [isReversed] range in
      isReversed
        ? KeyRange(
          lower: KeyRange.successor(of: prefix + range.upper.inverted),
          upper: KeyRange.successor(of: prefix + range.lower.inverted))
        : KeyRange(lower: prefix + range.lower, upper: prefix + range.upper)
    }
  }

  /// What all entries of the index, or of its part for the collection, begin with.
  private static func indexPrefix(_ scan: Plan.Scan, collectionNumber: UInt64?) -> [UInt8] {
    let group = scan.index.collectionGroup
    let isGroup = scan.index.scope == .collectionGroup
    var prefix: [UInt8] = []
    switch scan.source {
    case .key:
      return isGroup
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
    return prefix
  }
}

extension ScanBytes {
  /// The first key, in the direction of the scan, whose scan bytes are at or behind `suffix`: for a
  /// backwards scan, the key that all of them lie before.
  func key(atSuffix suffix: [UInt8]) -> [UInt8] {
    isReversed ? KeyRange.successor(of: prefix + suffix.inverted) : prefix + suffix
  }

  /// Whether scan bytes are those that the members of a join have in common.
  var hasJoinedSuffix: Bool {
    if case .pathInCollection = nameLayout { false } else { true }
  }

  /// The scan bytes that stand for a suffix of a join, which names documents by id.
  func suffix(ofJoined suffix: [UInt8]) throws -> [UInt8] {
    guard case .pathInCollection(let collection) = nameLayout else { return suffix }
    let name = try nameOffset(in: suffix.span.bytes)
    return suffix[..<name] + collection + suffix[name...] + [nameOrder.pathEnd]
  }

  /// Turns an entry's scan bytes into those that the members of a join have in common.
  func makeJoined(_ suffix: inout [UInt8]) throws {
    guard case .pathInCollection(let collection) = nameLayout else { return }
    let name = try nameOffset(in: suffix.span.bytes)
    // What is left of the path is the id; the path's own end is no part of an id.
    suffix.removeLast()
    suffix.removeSubrange(name..<min(name + collection.count, suffix.count))
  }

  /// Where the name begins in scan bytes.
  private func nameOffset(in suffix: RawSpan) throws -> Int {
    var offset = 0
    for order in columns { offset = try OrderedValue.endOfValue(in: suffix, at: offset, order) }
    return offset
  }
}

extension ColumnOrder {
  init(_ direction: SortDirection) {
    self = direction == .ascending ? .ascending : .descending
  }

  /// The byte behind the last segment of a path, and behind each segment.
  var pathEnd: UInt8 { self == .ascending ? 0x00 : 0xFF }
}

extension OrderedName {
  /// The bytes that every path at or below `path` starts with.
  static func prefix(of path: ResourcePath, _ order: ColumnOrder) -> [UInt8] {
    var bytes: [UInt8] = []
    appendPrefix(path: path, order, to: &bytes)
    return bytes
  }
}

extension [UInt8] {
  var inverted: [UInt8] { map { ~$0 } }
}
