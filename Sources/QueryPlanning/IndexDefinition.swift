public import DocumentModel

/// Whether an index, or a query, covers one collection at a time or all of the same id (§3.4).
public enum QueryScope: String, Sendable, Hashable, CaseIterable {
  case collection = "COLLECTION"
  case collectionGroup = "COLLECTION_GROUP"
}

/// How an index holds a field (§3.1).
public enum IndexMode: String, Sendable, Hashable, CaseIterable {
  case ascending = "ASCENDING"
  case descending = "DESCENDING"
  case contains = "CONTAINS"
}

/// One column of an index.
public struct IndexColumn: Sendable, Hashable {
  public let field: FieldPath
  public let mode: IndexMode

  public init(_ field: FieldPath, _ mode: IndexMode) {
    self.field = field
    self.mode = mode
  }
}

/// The column of an index that finds the nearest vectors (§4.10).
public struct VectorColumn: Sendable, Hashable {
  public let field: FieldPath
  /// The index holds vectors of exactly this many elements.
  public let dimension: Int

  public init(_ field: FieldPath, dimension: Int) {
    self.field = field
    self.dimension = dimension
  }
}

/// What an index holds: the columns of the documents of a collection id, sorted.
///
/// The last column is always `__name__` (§3.4). Equal definitions are the same index.
public struct IndexDefinition: Sendable, Hashable {
  public let collectionGroup: String
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
  case creating = "CREATING"
  case ready = "READY"
}
