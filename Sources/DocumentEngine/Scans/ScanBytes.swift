import HearthDocumentModel
import HearthQueryPlanning
import HearthStorageFormat

/// One scan of a plan in bytes: the keys that it reads, its direction, and the parts of its keys.
///
/// A key is the prefix (index, parent, equal values), then the suffix: the remaining columns and
/// the document's name. Automatic indexes are stored ascending only. Their descending twins are the
/// same entries read backwards. Bounds on suffixes are kept as *scan bytes*, which ascend in the
/// scan's direction: the stored bytes, inverted for a backwards scan.
///
/// It is a class, since all parts of an execution share it.
final class ScanBytes {
  /// The form of a key's end.
  enum NameLayout {
    /// The document's id: the index is kept per collection.
    case id
    /// The document's path: the index is kept per collection group.
    case path
    /// The document's path, if only documents directly in one collection are wanted. The bytes are
    /// the scan bytes of the collection's own path, without a terminator.
    case pathInCollection([UInt8])
  }

  let layout: ScanLayout
  let prefix: [UInt8]
  /// The offset in the prefix at which the columns begin.
  let columnsOffset: Int
  /// The ranges of stored keys to read, the prefix included. They are distinct and in the direction
  /// of the scan.
  let ranges: [KeyRange]
  /// A lower bound, in scan bytes, of all suffixes in the ranges.
  let lowestSuffix: [UInt8]
  let isReversed: Bool
  let nameLayout: NameLayout
  /// The conditions on entries that the ranges don't ensure; `nil` if there are none.
  let filter: SuffixFilter?
  /// Whether a bound was cut, so that documents decide on the entries at its edge (§3.6).
  let hasCutBound: Bool

  /// - Parameters:
  ///   - collectionNumber: the number of the plan's collection, for a collection query.
  ///   - prepared: the layout and the index's prefix, as far as they are known.
  init(
    _ scan: Plan.Scan, of branch: Plan.Branch, source: QuerySource, collectionNumber: UInt64?,
    encoder: ValueEncoder, prepared: (layout: ScanLayout?, indexPrefix: [UInt8]?) = (nil, nil)
  ) {
    let layout = prepared.layout ?? ScanLayout(scan, suffix: branch.suffix)
    let indexPrefix =
      prepared.indexPrefix ?? layout.indexPrefix(collectionNumber: collectionNumber)
    self.layout = layout
    isReversed = layout.isReversed
    nameLayout = NameLayout(layout, of: source)
    var prefix: [UInt8] = []
    prefix.reserveCapacity(indexPrefix.count + 48)
    prefix += indexPrefix
    columnsOffset = indexPrefix.count
    var isCut = false
    for index in scan.prefix.indices {
      isCut = encoder.append(scan.prefix[index], layout.columnOrders[index], to: &prefix) || isCut
    }
    self.prefix = prefix

    guard branch.isNarrowed || nameLayout.isNarrowed(by: source) else {
      (filter, hasCutBound, lowestSuffix) = (nil, isCut, [])
      ranges = [ScanBytes.all(behind: prefix, isReversed: isReversed)]
      return
    }
    var bounds = SuffixBounds(
      branch, source: source, columns: layout.suffixOrders, nameLayout: nameLayout,
      encoder: encoder)
    bounds.narrowByRanges()
    bounds.narrowByCursors()
    filter = SuffixFilter(
      bounds.residuals, columns: layout.columns, layout.nameOrder, nameLayout)
    hasCutBound = isCut || bounds.hasCutBound
    lowestSuffix = bounds.leading.first?.lower ?? []
    ranges = bounds.leading.map { [isReversed] range in
      ScanBytes.stored(range, behind: prefix, isReversed: isReversed)
    }
  }

  /// Returns the range of all keys with the prefix.
  private static func all(behind prefix: [UInt8], isReversed: Bool) -> KeyRange {
    if isReversed { return stored(.all, behind: prefix, isReversed: true) }
    var upper: [UInt8] = []
    upper.reserveCapacity(prefix.count + 1)
    upper += prefix
    upper.append(0xFF)
    return KeyRange(lower: prefix, upper: upper)
  }

  /// Returns the range of the keys whose scan bytes lie in `range`.
  private static func stored(
    _ range: KeyRange, behind prefix: [UInt8], isReversed: Bool
  ) -> KeyRange {
    isReversed
      ? KeyRange(
        lower: KeyRange.successor(of: prefix + range.upper.inverted),
        upper: KeyRange.successor(of: prefix + range.lower.inverted))
      : KeyRange(lower: prefix + range.lower, upper: prefix + range.upper)
  }
}

extension ScanBytes.NameLayout {
  init(_ layout: ScanLayout, of source: QuerySource) {
    switch (layout.isGroup, source) {
    case (true, .collection(let path)):
      self = .pathInCollection(OrderedName.prefix(of: path, layout.nameOrder))
    case (true, _): self = .path
    case (false, _): self = .id
    }
  }

  /// Whether some names after the prefix are of other documents than the query's.
  fileprivate func isNarrowed(by source: QuerySource) -> Bool {
    switch (self, source) {
    case (.id, _): false
    case (.path, .collectionGroup(_, below: let ancestor)): !ancestor.isRoot
    default: true
    }
  }
}

extension Plan.Branch {
  /// Whether the branch has bounds on the suffix.
  fileprivate var isNarrowed: Bool {
    if start != nil || end != nil { return true }
    for range in ranges where range != nil { return true }
    return false
  }
}

extension ScanBytes {
  /// Returns the first key, in the direction of the scan, whose scan bytes are at or after
  /// `suffix`. For a backwards scan, returns the key that all of these lie before.
  func key(atSuffix suffix: [UInt8]) -> [UInt8] {
    isReversed ? KeyRange.successor(of: prefix + suffix.inverted) : prefix + suffix
  }

  /// Whether the scan bytes are those that the members of a join share.
  var hasJoinedSuffix: Bool {
    if case .pathInCollection = nameLayout { false } else { true }
  }

  /// Returns the scan bytes for a suffix of a join, which names documents by id.
  func suffix(ofJoined suffix: [UInt8]) throws -> [UInt8] {
    guard case .pathInCollection(let collection) = nameLayout else { return suffix }
    let name = try nameOffset(in: suffix.span.bytes)
    return suffix[..<name] + collection + suffix[name...] + [layout.nameOrder.pathEnd]
  }

  /// Turns an entry's scan bytes into those that the members of a join share.
  func makeJoined(_ suffix: inout [UInt8]) throws {
    guard case .pathInCollection(let collection) = nameLayout else { return }
    let name = try nameOffset(in: suffix.span.bytes)
    // The rest of the path is the id. The path's own end is no part of the id.
    suffix.removeLast()
    suffix.removeSubrange(name..<min(name + collection.count, suffix.count))
  }

  /// Turns the bytes that a stored key has after the prefix into a suffix of a join.
  func makeJoined(stored suffix: inout [UInt8]) throws {
    if isReversed { for index in suffix.indices { suffix[index] = ~suffix[index] } }
    try makeJoined(&suffix)
  }

  /// Returns the key of the entry with this suffix of a join.
  func key(ofJoined suffix: [UInt8]) throws -> [UInt8] {
    let bytes = try self.suffix(ofJoined: suffix)
    return prefix + (isReversed ? bytes.inverted : bytes)
  }

  /// Returns the name in a suffix of a join, as bytes that ascend in the order of names.
  func name(ofJoined suffix: [UInt8]) throws -> [UInt8] {
    let name = suffix[try nameOffset(in: suffix.span.bytes)...]
    return layout.nameOrder == .descending ? name.map { ~$0 } : Array(name)
  }

  /// Adds the scan's keys up to `key`, which is one of them or lies between them; all keys for
  /// `nil`.
  func appendReads(through key: [UInt8]?, to reads: inout ReadSet) {
    for range in ranges {
      guard let key else {
        reads.insertScan(of: range)
        continue
      }
      let isReached =
        isReversed
        ? key.byteCompare(range.upper) == .less : key.byteCompare(range.lower) != .less
      guard isReached else { return }
      if isReversed {
        let lower = key.byteCompare(range.lower) == .greater ? key : range.lower
        reads.insertScan(of: KeyRange(lower: lower, upper: range.upper))
      } else if key.byteCompare(range.upper) == .less {
        reads.insertScan(from: range.lower, through: key.span.bytes)
      } else {
        reads.insertScan(of: range)
      }
    }
  }

  /// Returns the offset of the name in scan bytes.
  private func nameOffset(in suffix: RawSpan) throws -> Int {
    var offset = 0
    for order in layout.columns {
      offset = try OrderedValue.endOfValue(in: suffix, at: offset, order)
    }
    return offset
  }
}

extension ColumnOrder {
  init(_ direction: SortDirection) {
    self = direction == .ascending ? .ascending : .descending
  }

  /// The byte after each segment of a path, the last one included.
  var pathEnd: UInt8 { self == .ascending ? 0x00 : 0xFF }
}

extension OrderedName {
  /// Returns the common prefix of all paths at or below `path`.
  static func prefix(of path: ResourcePath, _ order: ColumnOrder) -> [UInt8] {
    var bytes: [UInt8] = []
    appendPrefix(path: path, order, to: &bytes)
    return bytes
  }
}

extension [UInt8] {
  var inverted: [UInt8] { map { ~$0 } }
}
