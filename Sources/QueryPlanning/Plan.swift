package import DocumentModel

/// Where a query looks: one collection, or all collections of an id below a document (§4.1).
package enum QuerySource: Sendable, Equatable {
  case collection(ResourcePath)
  case collectionGroup(String, below: ResourcePath)

  package var scope: QueryScope {
    switch self {
    case .collection: .collection
    case .collectionGroup: .collectionGroup
    }
  }

  package var collectionGroup: String {
    switch self {
    case .collection(let path): path.lastSegment ?? ""
    case .collectionGroup(let id, below: _): id
    }
  }
}

/// How a query runs: which entries of which indexes are read, in values. It contains no bytes.
package struct Plan: Sendable, Equatable {
  /// One index that the plan reads in its stored direction.
  package struct Scan: Sendable, Equatable {
    package enum Source: Sendable, Equatable {
      /// The built-in index of names.
      case key
      /// A single-field index.
      case automatic
      case composite(id: UInt64)
    }

    package let source: Source
    /// The index as it is defined, `__name__` included.
    package let index: IndexDefinition
    /// The values of the first columns, in the index's order. The other columns are the suffix.
    package let prefix: [Value]

    package init(source: Source, index: IndexDefinition, prefix: [Value]) {
      self.source = source
      self.index = index
      self.prefix = prefix
    }
  }

  package let source: QuerySource
  /// One scan reads alone. Several are joined: all have the same suffix, and a document is a result
  /// when each of them has its entry. None: no document can match, and nothing is read.
  package let scans: [Scan]
  /// What entries are ordered by behind the prefix, ending with `__name__`: T of §5.1.
  package let suffix: [Order]
  /// What each column of the suffix must lie in, or `nil`: as many as the suffix has columns.
  /// A range on `__name__` holds references below `source`.
  package let ranges: [ValueRange?]
  /// Positions among the suffix's columns, in the order of the scan.
  package let start: Cursor?
  package let end: Cursor?
  package let offset: Int
  package let limit: Int?

  package init(
    source: QuerySource, scans: [Scan], suffix: [Order], ranges: [ValueRange?],
    start: Cursor?, end: Cursor?, offset: Int, limit: Int?
  ) {
    self.source = source
    self.scans = scans
    self.suffix = suffix
    self.ranges = ranges
    self.start = start
    self.end = end
    self.offset = offset
    self.limit = limit
  }
}
