import HearthDocumentModel
import HearthQueryPlanning
import HearthStorageFormat

/// The bounds of a branch on the suffixes of one scan, in scan bytes (§5.9).
///
/// The leading columns that are fixed to one value, and the first one that isn't, narrow the keys
/// to read. The ranges of later columns are left to a filter.
struct SuffixBounds {
  private let branch: Plan.Branch
  private let source: QuerySource
  /// The order of every column of the suffix, the name last.
  private let columns: [ColumnOrder]
  private let nameLayout: ScanBytes.NameLayout
  private let encoder: ValueEncoder

  /// The ranges of suffixes to read, in order. No two touch.
  private(set) var leading = [KeyRange.all]
  /// The ranges in which columns must lie, in order, if `leading` doesn't ensure it.
  private(set) var residuals: [[KeyRange]?]
  private(set) var hasCutBound = false

  init(
    _ branch: Plan.Branch, source: QuerySource, columns: [ColumnOrder],
    nameLayout: ScanBytes.NameLayout, encoder: ValueEncoder
  ) {
    self.branch = branch
    self.source = source
    self.columns = columns
    self.nameLayout = nameLayout
    self.encoder = encoder
    residuals = Array(repeating: nil, count: columns.count)
  }

  private var nameOrder: ColumnOrder { columns.last ?? .ascending }

  @discardableResult
  private mutating func append(
    _ value: Value, _ order: ColumnOrder, to bytes: inout [UInt8]
  ) -> Bool {
    let isCut = encoder.append(value, order, to: &bytes)
    hasCutBound = hasCutBound || isCut
    return isCut
  }

  // MARK: Ranges

  mutating func narrowByRanges() {
    var fixed: [UInt8] = []
    var isLeading = true
    for index in columns.indices {
      let isName = index == columns.count - 1
      guard let allowed = isName ? nameRanges() : columnRanges(index) else {
        isLeading = false
        continue
      }
      guard isLeading else {
        residuals[index] = allowed
        continue
      }
      leading = allowed.map { KeyRange(lower: fixed + $0.lower, upper: fixed + $0.upper) }
      if let ranges = branch.ranges[index], ranges.count == 1, let point = ranges[0].point, !isName
      {
        append(point, columns[index], to: &fixed)
      } else {
        isLeading = false
      }
    }
  }

  /// Returns the ranges of bytes that a column may have.
  private mutating func columnRanges(_ index: Int) -> [KeyRange]? {
    guard let ranges = branch.ranges[index] else { return nil }
    let order = columns[index]
    var allowed: [KeyRange] = []
    for range in ranges { allowed.append(keyRange(range, order)) }
    return allowed.joined
  }

  private mutating func keyRange(_ range: ValueRange, _ order: ColumnOrder) -> KeyRange {
    let isAscending = order == .ascending
    let (first, last) = isAscending ? (range.lower, range.upper) : (range.upper, range.lower)
    let (firstClass, lastClass) =
      isAscending ? (range.firstClass, range.lastClass) : (range.lastClass, range.firstClass)
    var lower = OrderedValue.bounds(of: firstClass, order).lower
    var upper = OrderedValue.bounds(of: lastClass, order).upper
    if let first {
      var bytes: [UInt8] = []
      let isCut = append(first.value, order, to: &bytes)
      lower = first.isInclusive || isCut ? bytes : KeyRange.successor(of: bytes)
    }
    if let last {
      var bytes: [UInt8] = []
      let isCut = append(last.value, order, to: &bytes)
      upper = last.isInclusive || isCut ? KeyRange.successor(of: bytes) : bytes
    }
    return KeyRange(lower: lower, upper: upper)
  }

  /// Returns the ranges of bytes that the name may have: the query's bounds on it, below the
  /// collection or ancestor.
  private func nameRanges() -> [KeyRange]? {
    var allowed: KeyRange?
    switch (nameLayout, source) {
    case (.pathInCollection(let collection), _): allowed = .prefix(collection)
    case (.path, .collectionGroup(_, below: let ancestor)) where !ancestor.isRoot,
      (.path, .everyCollection(below: let ancestor, _)) where !ancestor.isRoot:
      allowed = .descendants(of: ancestor, nameOrder)
    default: break
    }
    guard let ranges = branch.ranges.last ?? nil else { return allowed.map { [$0] } }
    return ranges.map { range in
      let bounds = nameRange(range)
      return allowed?.intersection(bounds) ?? bounds
    }
    .joined
  }

  private func nameRange(_ range: ValueRange) -> KeyRange {
    let isAscending = nameOrder == .ascending
    let (first, last) = isAscending ? (range.lower, range.upper) : (range.upper, range.lower)
    var bounds = KeyRange.all
    if let first {
      let bytes = nameBytes(first.value)
      bounds.lower = first.isInclusive ? bytes : KeyRange.successor(of: bytes)
    }
    if let last {
      let bytes = nameBytes(last.value)
      bounds.upper = last.isInclusive ? KeyRange.successor(of: bytes) : bytes
    }
    return bounds
  }

  private func nameBytes(_ value: Value) -> [UInt8] {
    guard case .reference(let name) = value else { return [] }
    var bytes: [UInt8] = []
    appendName(name.path, to: &bytes)
    return bytes
  }

  private func appendName(_ path: ResourcePath, to bytes: inout [UInt8]) {
    if case .id = nameLayout {
      OrderedName.append(documentID: path.lastSegment ?? "", nameOrder, to: &bytes)
    } else {
      OrderedName.append(path: path, nameOrder, to: &bytes)
    }
  }

  // MARK: Cursors

  mutating func narrowByCursors() {
    var window = KeyRange.all
    if let start = branch.start, !start.values.isEmpty {
      let equal = KeyRange.prefix(bytes(of: start))
      window.lower = start.isBefore ? equal.lower : equal.upper
    }
    if let end = branch.end, !end.values.isEmpty {
      let equal = KeyRange.prefix(bytes(of: end))
      window.upper = end.isBefore ? equal.lower : equal.upper
    }
    leading = leading.map { $0.intersection(window) }.filter { !$0.isEmpty }
  }

  /// Returns the common prefix of the suffixes that stand exactly at the cursor.
  private mutating func bytes(of cursor: Cursor) -> [UInt8] {
    var bytes: [UInt8] = []
    let isNamed = cursor.values.count == columns.count
    for (index, value) in cursor.values.enumerated() {
      if index == columns.count - 1, case .reference(let name) = value {
        appendName(name.path, to: &bytes)
      } else if isNamed {
        // A cursor with a name is a position in the order of cut values, so documents decide
        // nothing.
        encoder.append(value, columns[index], to: &bytes)
      } else {
        append(value, columns[index], to: &bytes)
      }
    }
    return bytes
  }
}

extension KeyRange {
  /// Returns the range of the paths below `path`, without `path` itself, whose end follows at once.
  static func descendants(of path: ResourcePath, _ order: ColumnOrder) -> KeyRange {
    let prefix = OrderedName.prefix(of: path, order)
    let all = KeyRange.prefix(prefix)
    return order == .ascending
      ? KeyRange(lower: prefix + [0x01], upper: all.upper)
      : KeyRange(lower: all.lower, upper: prefix + [0xFF])
  }
}

extension [KeyRange] {
  /// The same keys as sorted ranges, merged where they overlap or touch. Bounds that an index cuts
  /// keep their entries on both sides (§3.6).
  fileprivate var joined: [KeyRange] {
    var joined: [KeyRange] = []
    for range in self.sorted(by: { $0.lower.byteCompare($1.lower) == .less }) where !range.isEmpty {
      guard let last = joined.last, range.lower.byteCompare(last.upper) != .greater else {
        joined.append(range)
        continue
      }
      if range.upper.byteCompare(last.upper) == .greater {
        joined[joined.count - 1].upper = range.upper
      }
    }
    return joined
  }
}
