package import HearthDocumentModel

/// The execution plan of a query: the entries of indexes to read, in values. It contains no bytes.
package struct Plan: Sendable, Equatable {
  /// One index that the plan reads in its stored direction.
  package struct Scan: Sendable, Equatable {
    package typealias Source = IndexSource

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

  /// The scans that find the documents of one alternative of the filter. It is a class, since all
  /// parts of an execution share it.
  package final class Branch: Sendable, Equatable {
    /// The place of a column of the plan's order in the branch.
    package enum KeyColumn: Sendable, Equatable {
      /// A column of the suffix, at this index.
      case suffix(Int)
      /// No column: all entries of the branch have this one value.
      case constant(Value)
    }

    /// The scans of the branch. Several are joined: all have the same suffix, and a document is a
    /// result if each scan has an entry of it.
    package let scans: [Scan]
    /// T of §5.1: the orders of the entries after the prefix, ending with `__name__`.
    package let suffix: [Order]
    /// The ranges that each column of the suffix must be in, one element for each column; `nil` for
    /// no restriction. Ranges of `__name__` hold references below the plan's source.
    package let ranges: [[ValueRange]?]
    /// The position where the branch starts, in values of the suffix's columns and in the order of
    /// the scan; `nil` for the first entry.
    package let start: Cursor?
    /// The position where the branch ends, likewise; `nil` for the last entry.
    package let end: Cursor?
    /// Whether no document can match, so that nothing is read.
    package let isEmpty: Bool
    /// The sort key by which branches are merged, one column for each of the plan's `orders`.
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

    package static func == (left: Branch, right: Branch) -> Bool {
      left.scans == right.scans && left.suffix == right.suffix && left.ranges == right.ranges
        && left.start == right.start && left.end == right.end && left.isEmpty == right.isEmpty
        && left.key == right.key
    }
  }

  package let source: QuerySource
  /// The branches in the order of the filter's alternatives. An alternative has one branch, or up
  /// to three if cursors cut through entries that are not adjacent. Several branches are merged by
  /// `orders`; a document that more than one of them finds is one result. Empty if the limit is 0.
  package let branches: [Branch]
  /// The orders of the results, ending with `__name__`.
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
