import DocumentModel
import QueryPlanning
import Testing

/// Queries that can never run, with production's words (§4.8, §6.1).
struct ValidationTests {
  private static let equalities: [Filter] = (0..<101).map { equal("e\($0)") }
  private static let ranges: [Filter] = (0..<11).map { above("f\($0)") }

  static let refusals: [(StructuredQuery, String)] = [
    (
      query(in: "a/b"), "Collection id \"a/b\" is invalid because it contains \"/\"."
    ),
    (query(in: "__x__"), "Collection id \"__x__\" is invalid because it is reserved."),
    (query(in: "."), "Collection id \".\" is invalid because it is reserved."),
    (
      query(in: String(repeating: "q", count: 1501)), "The query kind is longer than 1500 bytes."
    ),
    (
      query(below: "r/r1/g"),
      "Document parent name \"projects/demo-project/databases/(default)/documents/r/r1/g\" lacks "
        + "\"/\" at index 58."
    ),
    (
      query(contains("tags", 1), contains("tags", 2)),
      "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction."
    ),
    (
      StructuredQuery(collectionID: "c", filter: .and(ranges)),
      "The query contains 11 distinct inequality fields: "
        + "[f0, f1, f10, f2, f3, f4, f5, f6, f7, f8, f9]. A query may not have more than 10 "
        + "distinct inequality fields."
    ),
    (
      StructuredQuery(collectionID: "c", filter: .and(equalities)),
      "The query may not have more than 100 filters + sort orders + ancestor total. Currently "
        + "there are 101 filters, 0 sort orders, and no ancestor filter."
    ),
    (
      StructuredQuery(
        collectionID: "c", filter: .and(Array(equalities.prefix(100))), orders: orders("e0")),
      "The query may not have more than 100 filters + sort orders + ancestor total. Currently "
        + "there are 100 filters, 1 sort orders, and no ancestor filter."
    ),
    (
      StructuredQuery(
        collectionID: "c", below: path("p/q"), filter: .and(Array(equalities.prefix(100)))),
      "The query may not have more than 100 filters + sort orders + ancestor total. Currently "
        + "there are 100 filters, 0 sort orders, and one ancestor filter."
    ),
    (
      query(equal("__name__", reference("c/x")), above("a")),
      "Equality on key is not allowed if there are other inequality fields and key does not appear "
        + "in inequalities."
    ),
    (query(by: "n, n desc"), "order by clause cannot contain duplicate fields n"),
    (query(by: "__name__, n"), "order by clause cannot contain more fields after the key"),
    (
      query(below("n", 3), by: "__name__ desc"),
      "order by clause cannot contain more fields after the key"
    ),
    (
      query(contains("__name__", reference("c/x"))), "the name __key__ is reserved"
    ),
    (query(equal("__name__", "x")), "__key__ filter value must be a Key"),
    (query(equal("__name__", .null)), "__key__ filter value must be a Key"),
    (query(.unary(.documentID, .isNull)), "__key__ filter value must be a Key"),
    (
      query(above("__name__", foreign)),
      "The request was for database 'projects/demo-project/databases/(default)' but was attempting "
        + "to access database 'projects/demo-project/databases/other-db'"
    ),
    (
      query(by: "n", start: Cursor([2, 3], isBefore: true)), "Cursor has too many values."
    ),
    (
      query(end: Cursor([reference("c/d3")], isBefore: false)), "Cursor has too many values."
    ),
    (
      query(by: "__name__", start: Cursor(["d3"], isBefore: true)),
      "Cursor __key__ value is not a document reference."
    ),
    (
      query(by: "n, __name__", end: Cursor([1, foreign], isBefore: true)),
      "The cursor key is in a different database than the query"
    ),
    (query(limit: -1), "limit is negative"),
    (query(offset: -1), "offset is negative"),
  ]

  private static var foreign: Value {
    do {
      let database = try DatabaseID(project: "demo-project", database: "other-db")
      return .reference(DocumentName(unchecked: path("c/d3"), in: database))
    } catch {
      preconditionFailure("\(error)")
    }
  }

  @Test(arguments: refusals.indices)
  func refused(_ row: Int) throws {
    let (query, message) = ValidationTests.refusals[row]
    let error = try #require(refusal(of: query))
    #expect(error.code == .invalidArgument)
    #expect(error.message == message)
  }

  @Test(arguments: [
    StructuredQuery(collectionID: "c", filter: .and(Array(equalities.prefix(100)))),
    StructuredQuery(
      collectionID: "c", below: path("p/q"), filter: .and(Array(equalities.prefix(99)))),
    StructuredQuery(collectionID: "c", filter: .and(Array(ranges.prefix(10)))),
    query(
      equal("__name__", reference("c/x")), above("__name__", reference("c/a")), above("a")),
    query(equal("__name__", reference("c/x")), equal("a")),
    query(by: "n", start: Cursor([], isBefore: true)),
    query(equal("__name__", reference("e/x"))),
    query(below: "p/q", group: true),
  ])
  func accepted(_ query: StructuredQuery) throws {
    _ = try NormalizedQuery(query, in: .default)
  }

  /// Production runs these over the documents of all collections (§4.1).
  @Test func emptyCollectionIDIsNotSupported() {
    #expect(refusal(of: query(in: ""))?.code == .unimplemented)
  }
}
