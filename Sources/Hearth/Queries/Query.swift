import HearthDocumentModel
public import HearthQueryPlanning
import HearthDocumentEngine

/// A query over a collection or a collection group. It is a value: each call returns a refined
/// copy.
///
/// ```swift
/// let japan = try cities.whereField("countryCode", isEqualTo: "JP")
///   .order(by: "population", descending: true).limit(to: 5)
/// for city in try japan.getDocuments().documents { print(city.id) }
/// ```
///
/// Two queries are equal if they ask the same of the same open database.
public struct Query: QueryBuilding, Equatable {
  /// The query as Firestore's wire has it. For a query limited to its last results, it has the
  /// forward order and no limit; the query that runs is the reverse.
  public internal(set) var structuredQuery: StructuredQuery
  var lastCount: Int?
  /// Whether a text that is compared with a document's name is the document's id, as in Firebase's
  /// SDKs. The wire has only references.
  var readsIDs = true
  /// The database that the query reads.
  public let database: Database

  init(_ query: StructuredQuery, in database: Database) {
    structuredQuery = query
    self.database = database
  }

  /// The query itself.
  public var query: Query { self }

  /// Returns the query itself, and gives up this value of it.
  public consuming func takeQuery() -> Query { self }

  /// Whether the query runs as it was built.
  var isRunnable: Bool { lastCount == nil && !namesDocuments }

  /// Returns the query to run: reversed if it is limited to its last results.
  package func runnable() throws(DatabaseError) -> StructuredQuery {
    let query = try namingDocuments()
    guard let lastCount else { return query }
    return try query.limitedToLast(lastCount).query
  }

  public static func == (left: Query, right: Query) -> Bool {
    left.database === right.database && left.structuredQuery == right.structuredQuery
      && left.lastCount == right.lastCount
  }
}
