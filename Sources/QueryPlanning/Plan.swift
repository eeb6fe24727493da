package import DocumentModel

/// Where a query looks (§4.1).
package enum QuerySource: Sendable, Hashable {
  case collection(ResourcePath)
  /// All collections of an id below a document.
  case collectionGroup(String, below: ResourcePath)
  /// The collections of every id right below a document, or at any depth: a kindless query.
  case everyCollection(below: ResourcePath, _ allDescendants: Bool)

  package var scope: QueryScope {
    switch self {
    case .collection, .everyCollection(_, false): .collection
    case .collectionGroup, .everyCollection(_, true): .collectionGroup
    }
  }

  /// The collection id; empty for every collection.
  package var collectionGroup: String {
    switch self {
    case .collection(let path): path.lastSegment ?? ""
    case .collectionGroup(let id, below: _): id
    case .everyCollection: ""
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

  /// What finds the documents of one alternative of the filter.
  package struct Branch: Sendable, Equatable {
    /// Where a column of the plan's order stands in the branch.
    package enum KeyColumn: Sendable, Equatable {
      /// In the suffix, at this index.
      case suffix(Int)
      /// Nowhere: all entries of the branch have this one value.
      case constant(Value)
    }

    /// One scan reads alone. Several are joined: all have the same suffix, and a document is a
    /// result when each of them has its entry.
    package let scans: [Scan]
    /// What entries are ordered by behind the prefix, ending with `__name__`: T of §5.1.
    package let suffix: [Order]
    /// What each column of the suffix must lie in, or `nil`: as many as the suffix has columns.
    /// Ranges of `__name__` hold references below the plan's source.
    package let ranges: [[ValueRange]?]
    /// Positions among the suffix's columns, in the order of the scan.
    package let start: Cursor?
    package let end: Cursor?
    /// Whether no document can match, so that nothing is read.
    package let isEmpty: Bool
    /// What branches are merged by, one for each of the plan's `orders`.
    package let key: [KeyColumn]

    package init(
      scans: [Scan], suffix: [Order], ranges: [[ValueRange]?], start: Cursor? = nil,
      end: Cursor? = nil, isEmpty: Bool = false, key: [KeyColumn]
    ) {
      self.scans = scans
      self.suffix = suffix
      self.ranges = ranges
      self.start = start
      self.end = end
      self.isEmpty = isEmpty
      self.key = key
    }
  }

  package let source: QuerySource
  /// In the order of the filter's alternatives, each with one branch or, where cursors cut through
  /// entries that are no neighbours, up to three. Several are merged by `orders`; a document that
  /// more than one of them finds is one result. None: the limit is 0.
  package let branches: [Branch]
  /// What results are ordered by, ending with `__name__`.
  package let orders: [Order]
  package let offset: Int
  package let limit: Int?
  package let nearest: NearestNeighbors?

  package init(
    source: QuerySource, branches: [Branch], orders: [Order], offset: Int, limit: Int?,
    nearest: NearestNeighbors? = nil
  ) {
    self.source = source
    self.branches = branches
    self.orders = orders
    self.offset = offset
    self.limit = limit
    self.nearest = nearest
  }
}
