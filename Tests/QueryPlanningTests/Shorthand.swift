import HearthDocumentModel
import HearthQueryPlanning

// Short spellings for the tables of cases below.

/// Returns a field path from the wire's syntax.
func field(_ text: String) -> FieldPath {
  do { return try FieldPath(text) } catch { preconditionFailure("\(text): \(error)") }
}

func path(_ text: String) -> ResourcePath {
  ResourcePath(unchecked: text.split(separator: "/").map(String.init))
}

/// Returns a reference to a document of the default database.
func reference(_ text: String) -> Value {
  .reference(DocumentName(unchecked: path(text), in: .default))
}

func equal(_ name: String, _ value: Value = 1) -> Filter { .field(field(name), .equal, value) }

func above(_ name: String, _ value: Value = 1) -> Filter {
  .field(field(name), .greaterThan, value)
}

func below(_ name: String, _ value: Value = 1) -> Filter { .field(field(name), .lessThan, value) }

func contains(_ name: String, _ value: Value = 1) -> Filter {
  .field(field(name), .arrayContains, value)
}

func not(_ name: String, _ value: Value = 1) -> Filter { .field(field(name), .notEqual, value) }

func anyOf(_ name: String, _ values: [Value]) -> Filter {
  .field(field(name), .in, .array(values))
}

func none(_ name: String, _ values: [Value]) -> Filter {
  .field(field(name), .notIn, .array(values))
}

func containsAny(_ name: String, _ values: [Value]) -> Filter {
  .field(field(name), .arrayContainsAny, .array(values))
}

func sum(_ name: String) -> Aggregation { .sum(field(name)) }

/// Returns `a, b desc` as a list of orders.
func orders(_ text: String) -> [Order] {
  text.split(separator: ",").map { part in
    let words = part.split(separator: " ")
    return Order(field(String(words[0])), words.last == "desc" ? .descending : .ascending)
  }
}

/// Returns a query on collection `c`.
func query(
  _ filters: Filter..., by order: String = "", in collectionID: String = "c",
  below parent: String = "", group: Bool = false, start: Cursor? = nil, end: Cursor? = nil,
  offset: Int = 0, limit: Int? = nil
) -> StructuredQuery {
  StructuredQuery(
    collectionID: collectionID, below: path(parent), allDescendants: group,
    filter: filters.isEmpty ? nil : .and(filters), orders: orders(order), start: start, end: end,
    offset: offset, limit: limit)
}

/// Returns a query for the two vectors of `c` in `emb` that are closest to (1, 0, 0).
func nearest(_ filters: Filter..., group: Bool = false) -> StructuredQuery {
  StructuredQuery(
    collectionID: "c", allDescendants: group, filter: filters.isEmpty ? nil : .and(filters),
    nearest: NearestNeighbors(field("emb"), to: [1, 0, 0], by: .euclidean, limit: 2))
}

/// Returns an index of the vectors in `emb`.
func vectorIndex(_ text: String, dimension: Int = 3) -> IndexDefinition {
  IndexDefinition(
    "c", index(text).columns, vector: VectorColumn(field("emb"), dimension: dimension))
}

/// Returns `a, tags contains, b desc` as an index on collection group `c`.
func index(
  _ text: String, in collectionGroup: String = "c", scope: QueryScope = .collection
) -> IndexDefinition {
  IndexDefinition(
    collectionGroup,
    text.split(separator: ",").map { part in
      let words = part.split(separator: " ")
      switch words.last {
      case "desc": return IndexColumn(field(String(words[0])), .descending)
      case "contains": return IndexColumn(field(String(words[0])), .contains)
      default: return IndexColumn(field(String(words[0])), .ascending)
      }
    }, scope: scope)
}

extension IndexSet {
  /// Creates a set of indexes that are all ready.
  init(_ definitions: IndexDefinition..., overrides: [FieldOverride] = []) {
    self.init(
      composites: definitions.enumerated().map {
        CompositeIndex(id: UInt64($0.offset + 1), definition: $0.element, state: .ready)
      }, overrides: overrides)
  }
}

/// Returns an override of a field of `c` with exactly these single-field indexes; `nil` is `*`.
func override(_ name: String?, _ indexes: SingleFieldIndex...) -> FieldOverride {
  FieldOverride(
    "c", name.map { field($0) }, Dictionary(uniqueKeysWithValues: indexes.map { ($0, .ready) }))
}

/// Plans a query of the default database.
func plan(_ query: StructuredQuery, _ indexes: IndexSet = IndexSet()) throws(DatabaseError) -> Plan
{
  try Planner.plan(NormalizedQuery(query, in: .default), indexes: indexes)
}

/// Returns the error for which the query is refused; `nil` if it is served.
func refusal(of query: StructuredQuery, _ indexes: IndexSet = IndexSet()) -> DatabaseError? {
  do {
    _ = try plan(query, indexes)
    return nil
  } catch {
    return error
  }
}

extension Plan {
  /// Branches that read entries.
  var readingBranches: [Branch] { branches.filter { !$0.isEmpty } }

  /// Scans of all branches.
  var scans: [Scan] { readingBranches.flatMap(\.scans) }
}

extension NormalizedQuery {
  /// The only alternative of the filter.
  var conjunction: Conjunction {
    precondition(disjuncts.count == 1, "\(disjuncts.count) alternatives")
    return disjuncts[0]
  }
}
