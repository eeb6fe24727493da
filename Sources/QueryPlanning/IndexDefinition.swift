public import DocumentModel

/// Whether an index, or a query, covers one collection at a time or all of the same id (§3.4).
public enum QueryScope: String, Sendable, Hashable, CaseIterable {
  /// One collection at a time.
  case collection = "COLLECTION"
  /// All collections of an id at once.
  case collectionGroup = "COLLECTION_GROUP"
}

/// How an index holds a field (§3.1).
public enum IndexMode: String, Sendable, Hashable, CaseIterable {
  /// From the smallest value.
  case ascending = "ASCENDING"
  /// From the largest value.
  case descending = "DESCENDING"
  /// The elements of an array, each by itself.
  case contains = "CONTAINS"
}

/// One column of an index.
public struct IndexColumn: Sendable, Hashable {
  /// Whose values stand in the column.
  public let field: FieldPath
  /// How they are ordered.
  public let mode: IndexMode

  /// A column over a field.
  public init(_ field: FieldPath, _ mode: IndexMode) {
    self.field = field
    self.mode = mode
  }
}

/// The column of an index that finds the nearest vectors (§4.10).
public struct VectorColumn: Sendable, Hashable {
  /// The field of the vectors.
  public let field: FieldPath
  /// The index holds vectors of exactly this many elements.
  public let dimension: Int

  /// A column over vectors of one dimension.
  public init(_ field: FieldPath, dimension: Int) {
    self.field = field
    self.dimension = dimension
  }
}

/// What an index holds: the columns of the documents of a collection id, sorted.
///
/// The last column is always `__name__` (§3.4). Equal definitions are the same index.
public struct IndexDefinition: Sendable, Hashable {
  /// The id of the collections that it is for.
  public let collectionGroup: String
  /// Whether it serves one of them at a time, or all at once.
  public let scope: QueryScope
  /// Ends with `__name__`.
  public let columns: [IndexColumn]
  /// What stands behind `__name__` in a vector index (§3.4).
  public let vector: VectorColumn?

  /// Adds `__name__` where it is not given, in the direction of the last column that has one
  /// (§3.4).
  public init(
    _ collectionGroup: String, _ columns: [IndexColumn], scope: QueryScope = .collection,
    vector: VectorColumn? = nil
  ) {
    self.collectionGroup = collectionGroup
    self.scope = scope
    self.vector = vector
    if columns.last?.field == .documentID {
      self.columns = columns
    } else {
      let directed = columns.last { $0.mode != .contains }
      self.columns = columns + [IndexColumn(.documentID, directed?.mode ?? .ascending)]
    }
  }

  public static func == (left: IndexDefinition, right: IndexDefinition) -> Bool {
    left.collectionGroup.utf8Equal(right.collectionGroup) && left.scope == right.scope
      && left.columns == right.columns && left.vector == right.vector
  }

  public func hash(into hasher: inout Hasher) {
    UTF8Key(collectionGroup).hash(into: &hasher)
    hasher.combine(scope)
    hasher.combine(columns)
    hasher.combine(vector)
  }
}

/// Whether an index is maintained and may be used (§3.7).
public enum IndexState: String, Sendable, Hashable {
  /// It is being built; writes keep it up, queries don't use it.
  case creating = "CREATING"
  /// Queries use it.
  case ready = "READY"
}
