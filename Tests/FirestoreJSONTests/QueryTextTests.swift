import HearthDocumentModel
import HearthFirestoreJSON
import HearthQueryPlanning
import Testing

@Suite struct QueryTextTests {
  private func parse(_ text: String) throws -> AnyQuery {
    try QueryText.parse(text, in: .default)
  }

  private func refusal(_ text: String) -> String? {
    thrown(QueryTextError.self) { _ = try parse(text) }?.description
  }

  @Test func readsWholeQueries() throws {
    let population = try FieldPath("population")
    var query = StructuredQuery(
      collectionID: "cities", filter: .field(try FieldPath("countryCode"), .equal, "JP"),
      orders: [Order(population, .descending)], limit: 5)
    #expect(
      try parse("cities where countryCode == \"JP\" order by population desc limit 5")
        == .documents(query))
    query.start = Cursor([3], isBefore: true)
    query.end = Cursor([1], isBefore: true)
    query.offset = 2
    query.projection = [try FieldPath("name"), try FieldPath("`a b`.c")]
    query.filter = .or([
      .unary(population, .isNotNull), .field(population, .in, [1, 2]),
    ])
    #expect(
      try parse(
        """
        cities LIMIT 5 WHERE population != null or population in [1, 2] ORDER BY population desc \
        START AT 3 END BEFORE 1 OFFSET 2 SELECT name, `a b`.c
        """) == .documents(query))
    #expect(try parse("cities") == .documents(StructuredQuery(collectionID: "cities")))
  }

  @Test func readsWhereQueriesLook() throws {
    let parent = try ResourcePath("users/a")
    #expect(
      try parse("\tusers/a/posts")
        == .documents(StructuredQuery(collectionID: "posts", below: parent)))
    let name = Value.reference(try DocumentName(try ResourcePath("users/a/posts/b")))
    #expect(
      try parse("users/a/posts group where __name__ > 'users/a/posts/b'")
        == .documents(
          StructuredQuery(
            collectionID: "posts", below: parent, allDescendants: true,
            filter: .field(.documentID, .greaterThan, name))))
    #expect(
      try parse("users/a/posts order by __name__ start after \"b\"")
        == .documents(
          StructuredQuery(
            collectionID: "posts", below: parent, orders: [Order(.documentID)],
            start: Cursor([name], isBefore: false))))
  }

  @Test func readsFigures() throws {
    let population = try FieldPath("population")
    #expect(
      try parse("cities where population > 3 aggregate count, sum population, average population")
        == .figures(
          AggregationQuery(
            StructuredQuery(
              collectionID: "cities", filter: .field(population, .greaterThan, 3)),
            [.count(), .sum(population), .average(population)])))
  }

  @Test func clausesMayNameFields() throws {
    let limit = try FieldPath("limit")
    #expect(
      try parse("c where limit == 1 and order == 2 order by limit limit 3")
        == .documents(
          StructuredQuery(
            collectionID: "c",
            filter: .and([
              .field(limit, .equal, 1), .field(try FieldPath("order"), .equal, 2),
            ]), orders: [Order(limit)], limit: 3)))
  }

  @Test(arguments: [
    ("", "^ expected a collection, as in cities where population > 1000000"),
    ("  a/b", "  ^ this is a document: a collection's path has an odd number of parts"),
    ("__x__ limit 1", "^ Collection id \"__x__\" is invalid because it is reserved."),
    (
      "c wher a == 1",
      "  ^ expected the end or one of where, order by, start at, start after, end at, end before, "
        + "offset, limit, select, aggregate"
    ),
    ("c where a == 1 b == 2", "               ^ expected &&, || or the end"),
    ("c where a = 1", "          ^ write == for equality"),
    ("c order by a, b up", "                ^ expected asc, desc or a comma"),
    ("c limit 1 limit 2", "          ^ limit stands there twice"),
    ("c limit 1.5", "        ^ expected a whole number"),
    ("c start at 3", "           ^ there are more values than fields to order by"),
    (
      "c aggregate max a",
      "            ^ expected count, sum or average, as in aggregate count, sum "
        + "population"
    ),
  ])
  func pointsAtTheCharacter(_ text: String, _ caretLine: String) {
    #expect(refusal(text) == "\(text)\n\(caretLine)")
  }

  /// A filter reads the same with any clause after it.
  @Test func everyFilterIsReadBack() throws {
    let scope = NameScope(.default, collection: try ResourcePath("c"))
    for seed in generatedSeeds() {
      var generator = SeededGenerator(seed: seed)
      let filter = try generator.filter()
      let text = "c where \(WhereClause.text(of: filter, in: scope)) limit 1"
      #expect(
        try parse(text)
          == .documents(StructuredQuery(collectionID: "c", filter: filter, limit: 1)),
        "seed \(seed): \(text)")
    }
  }
}

@Suite struct LoggedQueryTests {
  private let query = #"{"from":[{"collectionId":"c"}]}"#
  private let figures = #"{"structuredQuery":{"from":[{"collectionId":"c"}]},"aggregations":[]}"#

  private func read(_ json: String) throws -> LoggedQuery {
    try LoggedQuery(line: Array(json.utf8), in: .default)
  }

  @Test func takesEveryForm() throws {
    let documents = AnyQuery.documents(StructuredQuery(collectionID: "c"))
    let figures = AnyQuery.figures(AggregationQuery(StructuredQuery(collectionID: "c"), []))
    #expect(try read(query).query == documents)
    #expect(try read("  {\"structuredQuery\":\(query)}").query == documents)
    #expect(try read("{\"structured_query\":\(query)}").query == documents)
    #expect(try read(self.figures).query == figures)
    #expect(try read("{\"structuredAggregationQuery\":\(self.figures)}").query == figures)
    #expect(try read("c").query == documents)
    #expect(try read("{}").query == .documents(StructuredQuery(collectionID: "")))
    let request = try read("{\"structuredQuery\":\(query),\"explainOptions\":{\"analyze\":true}}")
    #expect(request.explain == ExplainOptions(analyze: true))
  }

  @Test func aParentNamesADatabase() throws {
    let root = "projects/p/databases/d/documents"
    let database = try DatabaseID(project: "p", database: "d")
    let logged = try read("{\"parent\":\"\(root)/a/b\",\"structuredQuery\":\(query)}")
    #expect(logged.database == database)
    #expect(
      logged.query == .documents(StructuredQuery(collectionID: "c", below: try ResourcePath("a/b")))
    )
    let atRoot = try read("{\"structuredQuery\":\(query),\"parent\":\"\(root)\"}")
    #expect(atRoot.database == database)
    #expect(atRoot.query == .documents(StructuredQuery(collectionID: "c")))
    let refused = thrown(DatabaseError.self) { _ = try read("{\"parent\":\"a/b\"}") }
    #expect(refused?.message == "Document name \"a/b\" lacks \"projects\" at index 0.")
    let short = thrown(DatabaseError.self) { _ = try read("{\"parent\":\"a/b/c/d/e\"}") }
    #expect(short?.message == "Document name \"a/b/c/d/e\" lacks \"projects\" at index 0.")
  }

  @Test func refusesWhatIsNoUTF8() {
    let refused = thrown(DatabaseError.self) {
      _ = try LoggedQuery(line: Array("c where a == ".utf8) + [0xFF], in: .default)
    }
    #expect(refused?.code == .invalidArgument)
  }

  @Test func anEmptyTransactionIsNone() throws {
    let request = try read("{\"structuredQuery\":\(query),\"transaction\":\"\"}")
    #expect(request.consistency == nil)
  }

  @Test func aQueryIsNamedAsInARequest() {
    let refused = thrown(DatabaseError.self) { _ = try read("{\"limit\":\"x\"}") }
    #expect(refused?.message.contains("'structured_query.limit.value'") == true)
  }
}
