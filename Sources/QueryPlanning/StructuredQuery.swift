public import DocumentModel

/// A query as it is asked: the shape of Firestore's `StructuredQuery` (§4.1).
public struct StructuredQuery: Sendable, Equatable {
  /// The document whose collections are searched; the root for top-level collections.
  public var parent: ResourcePath
  /// Empty for the documents of every collection: a kindless query.
  public var collectionID: String
  /// Whether collections of that id at any depth below `parent` are searched: a collection group.
  public var allDescendants: Bool
  /// What holds for every result; `nil` is no condition.
  public var filter: Filter?
  /// The fields that results carry; `nil` is all of them, none is names alone (§4.9).
  public var projection: [FieldPath]?
  /// What results are sorted by, as given (§4.4).
  public var orders: [Order]
  /// Where the results begin.
  public var start: Cursor?
  /// Where they end.
  public var end: Cursor?
  /// Matching documents to skip behind `start`.
  public var offset: Int
  /// The most results; `nil` is all of them.
  public var limit: Int?
  /// A search for the nearest neighbours among what the filter leaves.
  public var nearest: NearestNeighbors?

  /// A query for one collection, or for all of an id.
  public init(
    collectionID: String, below parent: ResourcePath = .root, allDescendants: Bool = false,
    filter: Filter? = nil, projection: [FieldPath]? = nil, orders: [Order] = [],
    start: Cursor? = nil, end: Cursor? = nil, offset: Int = 0, limit: Int? = nil,
    nearest: NearestNeighbors? = nil
  ) {
    self.parent = parent
    self.collectionID = collectionID
    self.allDescendants = allDescendants
    self.filter = filter
    self.projection = projection
    self.orders = orders
    self.start = start
    self.end = end
    self.offset = offset
    self.limit = limit
    self.nearest = nearest
  }
}

/// Which end a sorted list begins at.
public enum SortDirection: Sendable, Hashable {
  /// With the smallest value.
  case ascending
  /// With the largest value.
  case descending

  /// The other one.
  public var reversed: SortDirection { self == .ascending ? .descending : .ascending }
}

/// One field that results are sorted by.
public struct Order: Sendable, Hashable {
  /// What is sorted by.
  public let field: FieldPath
  /// Which end comes first.
  public let direction: SortDirection

  /// Sorting by a field.
  public init(_ field: FieldPath, _ direction: SortDirection = .ascending) {
    self.field = field
    self.direction = direction
  }
}

/// A position in a query's order: values for the first fields that it is ordered by (§4.6).
public struct Cursor: Sendable, Equatable {
  /// One for each of the first orders.
  public var values: [Value]
  /// Whether the position lies before documents that equal `values`, or behind them.
  public var isBefore: Bool

  /// A position.
  public init(_ values: [Value], isBefore: Bool) {
    self.values = values
    self.isBefore = isBefore
  }
}
