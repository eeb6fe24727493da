public import HearthDocumentModel

/// The form in which an index holds a field (§3.1).
public enum IndexMode: String, Sendable, Hashable, CaseIterable, Codable {
  /// The values in ascending order.
  case ascending = "ASCENDING"
  /// The values in descending order.
  case descending = "DESCENDING"
  /// The elements of an array, each in an entry of its own.
  case contains = "CONTAINS"
}

/// One column of an index.
public struct IndexColumn: Sendable, Hashable, Codable {
  private enum CodingKeys: String, CodingKey { case field = "names", mode }

  /// The field whose values are in the column.
  public let field: FieldPath
  /// The form of the values.
  public let mode: IndexMode

  /// Creates a column over a field.
  public init(_ field: FieldPath, _ mode: IndexMode) {
    self.field = field
    self.mode = mode
  }
}

/// The column of an index that finds the nearest vectors (§4.10).
public struct VectorColumn: Sendable, Hashable, Codable {
  private enum CodingKeys: String, CodingKey { case field = "names", dimension }

  /// The field of the vectors.
  public let field: FieldPath
  /// The number of elements of every vector in the index.
  public let dimension: Int

  /// Creates a column over vectors of one dimension.
  public init(_ field: FieldPath, dimension: Int) {
    self.field = field
    self.dimension = dimension
  }
}

/// The definition of an index: the sorted columns of the documents of a collection id.
///
/// The last column is always `__name__` (§3.4). Equal definitions are the same index.
public struct IndexDefinition: Sendable, Hashable, Codable {
  private enum CodingKeys: String, CodingKey {
    case collectionGroup
    case scope = "queryScope"
    case columns, vector
  }

  /// The id of the collections that the index covers.
  public let collectionGroup: String
  /// The scope: one of these collections at a time, or all of them together.
  public let scope: QueryScope
  /// The columns, which end with `__name__`.
  public let columns: [IndexColumn]
  /// The column after `__name__` in a vector index (§3.4); `nil` for any other index.
  public let vector: VectorColumn?

  /// Creates a definition. If `__name__` is not given, it is added in the direction of the last
  /// column that has one (§3.4).
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

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try members.decode(String.self, forKey: .collectionGroup),
      try members.decode([IndexColumn].self, forKey: .columns),
      scope: try members.decode(QueryScope.self, forKey: .scope),
      vector: try members.decodeIfPresent(VectorColumn.self, forKey: .vector))
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

/// The state of an index, which decides whether queries use it (§3.7).
public enum IndexState: String, Sendable, Hashable, Codable {
  /// The index is being built. Writes maintain it; queries don't use it.
  case creating = "CREATING"
  /// The index is complete, and queries use it.
  case ready = "READY"
}
