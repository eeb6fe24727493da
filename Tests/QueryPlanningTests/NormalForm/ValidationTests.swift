import HearthDocumentModel
import HearthQueryPlanning
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
        + "[f8, f9, f6, f7, f4, f5, f2, f3, f0, f1, f10]. A query may not have more than 10 "
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

  /// Refusals of lists, negations and alternatives.
  static let listRefusals: [(StructuredQuery, String)] = [
    (query(.field(field("a"), .in, 1)), "'IN' requires an ArrayValue."),
    (query(anyOf("a", [])), "'IN' requires an non-empty ArrayValue."),
    (query(none("a", [])), "'NOT_IN' requires an non-empty ArrayValue."),
    (query(containsAny("a", [])), "'ARRAY_CONTAINS_ANY' requires an non-empty ArrayValue."),
    (query(anyOf("a", numbers(31))), "'IN' supports up to 30 comparison values."),
    (
      query(containsAny("a", numbers(31))),
      "'ARRAY_CONTAINS_ANY' supports up to 30 comparison values."
    ),
    (query(none("a", numbers(11))), "'NOT_IN' supports up to 10 comparison values."),
    (
      query(anyOf("a", numbers(16)), anyOf("b", numbers(2))),
      "Too many disjunctions after normalization. Result had 32 disjunctions which is more than "
        + "the maximum of 30"
    ),
    (
      query(not("a"), .unary(field("b"), .isNotNull)),
      "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per "
        + "query."
    ),
    (
      query(none("a", [1]), anyOf("b", [1])),
      "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'."
    ),
    (
      query(none("a", [1]), .or([equal("b"), equal("d")])),
      "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'."
    ),
    (
      query(containsAny("a", [1, 2]), contains("b")),
      "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction."
    ),
    (query(.or([])), "Composite filter must have at least one sub-filter."),
  ]

  private static func numbers(_ count: Int) -> [Value] { (0..<count).map { .integer(Int64($0)) } }

  @Test(arguments: listRefusals.indices)
  func refusedList(_ row: Int) {
    let (query, message) = ValidationTests.listRefusals[row]
    #expect(refusal(of: query)?.message == message)
  }

  @Test(arguments: [
    query(anyOf("a", numbers(15)), anyOf("b", numbers(2)), equal("d")),
    query(anyOf("a", numbers(30))), query(none("a", numbers(10))), query(anyOf("a", [[1], [2]])),
    query(.or([contains("a"), contains("b")])), query(not("a"), above("a"), above("b")),
    query(.or([not("a"), equal("b")])), query(.or([equal("a")]), .and([])),
  ])
  func acceptedList(_ query: StructuredQuery) throws {
    _ = try NormalizedQuery(query, in: .default)
  }

  /// The recorded texts of a list of fields in the order of a hash table.
  @Test(arguments: [
    ("a b c d e f g h i j k", "g, f, e, d, c, b, a, k, j, i, h"),
    (
      "g11 g10 g9 g8 g7 g6 g5 g4 g3 g2 g1 g0",
      "g9, g7, g8, g5, g6, g3, g4, g1, g2, g10, g11, g0"
    ),
    ("f0 f1 f2 f3 f4 f5 f6 f7 f8 f9 f10", "f8, f9, f6, f7, f4, f5, f2, f3, f0, f1, f10"),
  ])
  func inequalityFieldsStandInHashOrder(_ names: String, _ expected: String) throws {
    let filters = names.split(separator: " ").map { above(String($0)) }
    let message = refusal(of: StructuredQuery(collectionID: "c", filter: .and(filters)))?.message
    #expect(
      message == "The query contains \(filters.count) distinct inequality fields: [\(expected)]. "
        + "A query may not have more than 10 distinct inequality fields.")
  }

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

  /// A query for documents of all collections (§4.1) may ask only for names.
  @Test func kindless() {
    let name = reference("c/x")
    #expect(refusal(of: query(above("__name__", name), by: "__name__", in: "")) == nil)
    #expect(refusal(of: query(equal("n"), in: ""))?.message == "kind is required for filter: n")
    let sum = AggregationQuery(query(in: ""), [.sum(field("n"))])
    #expect(throws: DatabaseError.self) { try NormalizedAggregation(sum, in: .default) }
    for order in ["n", "__name__ desc"] {
      #expect(
        refusal(of: query(by: order, in: ""))?.message
          == "kind is required for all orders except __key__ ascending")
    }
  }
}
