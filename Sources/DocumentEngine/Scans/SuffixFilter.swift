import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The ranges in which the columns of a suffix must lie, after the first one that isn't fixed.
/// Tells how far to jump if a column doesn't (§5.9).
struct SuffixFilter {
  enum Verdict: Equatable {
    case isAllowed
    /// No suffix before these bytes is allowed.
    case isBefore([UInt8])
    case isBehindAll
  }

  private let columns: [ColumnOrder]
  /// The ranges by column, without the name.
  private let allowed: [[KeyRange]?]
  private let allowedNames: [KeyRange]?
  /// The collection whose own documents alone are wanted, and the byte that ends their ids.
  private let collection: (prefixCount: Int, idEnd: UInt8)?
  /// The number of columns to look at.
  private let columnCount: Int

  /// Returns `nil` if every suffix is allowed.
  ///
  /// - Parameter allowed: the ranges by column, the name last.
  init?(
    _ allowed: [[KeyRange]?], columns: [ColumnOrder], _ nameOrder: ColumnOrder,
    _ nameLayout: ScanBytes.NameLayout
  ) {
    if case .pathInCollection(let prefix) = nameLayout {
      collection = (prefix.count, nameOrder.pathEnd)
    } else {
      collection = nil
    }
    guard let last = allowed.lastIndex(where: { $0 != nil }) ?? (collection == nil ? nil : 0)
    else { return nil }
    self.columns = columns
    self.allowed = allowed.dropLast()
    allowedNames = allowed.last ?? nil
    columnCount = collection == nil ? min(last + 1, columns.count) : columns.count
  }

  /// Returns whether a suffix is allowed. If it isn't, says where to go on: at the next range of
  /// the violating column, or after all suffixes with the same columns before it.
  func verdict(on suffix: RawSpan) throws -> Verdict {
    var offset = 0
    for index in 0..<columnCount {
      let end = try OrderedValue.endOfValue(in: suffix, at: offset, columns[index])
      if let ranges = allowed[index] {
        let verdict = verdict(on: offset..<end, of: suffix, ranges)
        guard verdict == .isAllowed else { return verdict }
      }
      offset = end
    }
    guard columnCount == columns.count else { return .isAllowed }
    if let allowedNames {
      let verdict = verdict(on: offset..<suffix.byteCount, of: suffix, allowedNames)
      guard verdict == .isAllowed else { return verdict }
    }
    return verdict(onPathAt: offset, in: suffix)
  }

  private func verdict(
    on column: Range<Int>, of suffix: RawSpan, _ ranges: [KeyRange]
  ) -> Verdict {
    let value = suffix.extracting(column)
    for range in ranges where value.compare(range.upper.span.bytes) == .less {
      if range.lower.span.bytes.compare(value) != .greater { return .isAllowed }
      return .isBefore([UInt8](copying: suffix.extracting(first: column.lowerBound)) + range.lower)
    }
    guard column.lowerBound > 0 else { return .isBehindAll }
    return .isBefore(.successor(of: suffix.extracting(first: column.lowerBound)))
  }

  /// Returns the verdict on a path. In an index of group scope a path may also lead through the
  /// wanted collection, to a document below one of its own. Such a path comes after the own
  /// document's, or before it if names descend.
  private func verdict(onPathAt offset: Int, in suffix: RawSpan) -> Verdict {
    guard let collection else { return .isAllowed }
    var end = offset + collection.prefixCount
    while end < suffix.byteCount,
      suffix.unsafeLoad(fromByteOffset: end, as: UInt8.self) != collection.idEnd
    { end += 1 }
    if end == suffix.byteCount - 2 { return .isAllowed }
    let own = suffix.extracting(first: min(end + 1, suffix.byteCount))
    return .isBefore(
      collection.idEnd == 0 ? .successor(of: own) : [UInt8](copying: own) + [collection.idEnd])
  }
}

extension [UInt8] {
  fileprivate static func successor(of prefix: RawSpan) -> [UInt8] {
    KeyRange.successor(of: [UInt8](copying: prefix))
  }
}
