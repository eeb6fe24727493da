import DocumentModel
public import QueryPlanning
import DocumentEngine

/// A query over a collection or a collection group: a value that each call refines.
///
/// ```swift
/// let japan = try cities.whereField("countryCode", isEqualTo: "JP")
///   .order(by: "population", descending: true).limit(to: 5)
/// for city in try japan.getDocuments().documents { print(city.id) }
/// ```
public struct Query: QueryBuilding {
  /// The query as Firestore's wire has it. A query limited to its last results runs the other way.
  public internal(set) var structuredQuery: StructuredQuery
  var lastCount: Int?
  let database: Database

  init(_ query: StructuredQuery, in database: Database) {
    structuredQuery = query
    self.database = database
  }

  /// The query itself.
  public var query: Query { self }

  /// The query that runs: flipped for one that is limited to its last results.
  func runnable() throws(DatabaseError) -> StructuredQuery {
    guard let lastCount else { return structuredQuery }
    return try structuredQuery.limitedToLast(lastCount).query
  }
}
