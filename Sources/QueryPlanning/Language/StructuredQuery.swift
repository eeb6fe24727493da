public import HearthDocumentModel

/// A query in the form of a request: Firestore's `StructuredQuery` (§4.1).
public struct StructuredQuery: Sendable, Equatable {
  /// The document whose collections are searched; the root for top-level collections.
  public var parent: ResourcePath
  /// The id of the collections; empty for the documents of every collection: a kindless query.
  public var collectionID: String
  /// Whether collections of that id at any depth below `parent` are searched: a collection group.
  public var allDescendants: Bool
  /// The condition for every result; `nil` for no condition.
  public var filter: Filter?
  /// The fields of the results: `nil` for all fields, an empty list for names alone (§4.9).
  public var projection: [FieldPath]?
  /// The explicit orders of the results (§4.4).
  public var orders: [Order]
  /// The position at which the results start; `nil` for the first.
  public var start: Cursor?
  /// The position at which the results end; `nil` for the last.
  public var end: Cursor?
  /// The number of matching documents to skip after `start`.
  public var offset: Int
  /// The largest number of results; `nil` for all.
  public var limit: Int?
  /// A search for the nearest vectors among the documents that the filter selects.
  public var nearest: NearestNeighbors?

  /// Creates a query for one collection, or for all collections of an id.
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

/// The direction of a sorted list.
public enum SortDirection: Sendable, Hashable {
  /// From the smallest value.
  case ascending
  /// From the largest value.
  case descending

  /// The opposite direction.
  public var reversed: SortDirection { self == .ascending ? .descending : .ascending }
}

/// One field that results are sorted by, with its direction.
public struct Order: Sendable, Hashable {
  /// The field.
  public let field: FieldPath
  /// The direction.
  public let direction: SortDirection

  /// Creates an order by a field.
  public init(_ field: FieldPath, _ direction: SortDirection = .ascending) {
    self.field = field
    self.direction = direction
  }
}

extension Order: Codable {
  private enum CodingKeys: String, CodingKey { case names, isDescending }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try members.decode(FieldPath.self, forKey: .names),
      try members.decode(Bool.self, forKey: .isDescending) ? .descending : .ascending)
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(field, forKey: .names)
    try members.encode(direction == .descending, forKey: .isDescending)
  }
}

/// A position in a query's order: values for the first fields of the order (§4.6).
public struct Cursor: Sendable, Equatable {
  /// The values, one for each of the first orders.
  public var values: [Value]
  /// Whether the position is before the documents that equal `values`, instead of after them.
  public var isBefore: Bool

  /// Creates a position.
  public init(_ values: [Value], isBefore: Bool) {
    self.values = values
    self.isBefore = isBefore
  }
}
