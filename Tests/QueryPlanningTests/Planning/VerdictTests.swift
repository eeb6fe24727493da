import HearthDocumentModel
import HearthQueryPlanning
import Testing

/// The queries that production serves and refuses, and its proposals (§5.11).
struct VerdictTests {
  static let table: [Verdict] =
    keyRows + equalityRows + rangeRows + negationRows + orderRows + scopeRows + listRows
    + alternativeRows + aggregationRows + vectorRows

  @Test(arguments: table)
  func row(_ row: Verdict) throws {
    let query = try row.normalized()
    switch row.outcome {
    case .served(let expected):
      let plan = try Planner.plan(query, indexes: row.indexes)
      #expect(plan.indexesUsed.map { "\($0)" } == expected)
    case .refused(let expected, let smaller):
      let error = try #require(
        #expect(throws: DatabaseError.self) { try Planner.plan(query, indexes: row.indexes) })
      #expect(error.code == .failedPrecondition)
      let missing = try #require(error.missingIndex)
      #expect("\(missing.index)" == expected)
      #expect(missing.smaller.map { "\($0)" } == smaller)
      #expect(missing.index.scope == (row.query.allDescendants ? .collectionGroup : .collection))
      #expect(!missing.isBuilding)
      guard missing.index.vector == nil else { return }
      let text = try #require(RefusalText(error.message))
      #expect(text.token.index == missing.index)
      #expect(text.template == RefusalText.template(for: missing.index, row.query))
    }
  }

  /// Every row of the table is in one of the lists.
  @Test func tableIsWhole() {
    let rows = Set(VerdictTests.table.map(\.row))
    for number in 1...62 { #expect(rows.contains("\(number)"), "row \(number)") }
  }

  /// Rows 57 and 58, word for word (§6.1).
  @Test func vectorIndexIsProposedAsACommand() {
    func message(_ query: StructuredQuery) -> String? { refusal(of: query)?.message }
    let head =
      "Missing vector index configuration. Please create the required index with the following "
      + "gcloud command: gcloud firestore indexes composite create --project=demo-project "
      + "--collection-group=c --query-scope="
    let vector =
      "--field-config=vector-config='{\"dimension\":\"3\",\"flat\": \"{}\"}',field-path=emb"
    #expect(message(nearest()) == head + "COLLECTION " + vector)
    #expect(
      message(nearest(equal("n"), group: true))
        == head + "COLLECTION_GROUP --field-config=order=ASCENDING,field-path=n " + vector)
  }

  static let keyRows: [Verdict] = [
    Verdict("1", query(), .init(), .served(["(__name__ ASC)"])),
    Verdict("2", query(by: "__name__ desc"), .init(), .refused("(__name__ DESC)")),
    Verdict(
      "3", query(above("__name__", reference("c/x")), by: "__name__ desc"), .init(),
      .refused("(__name__ DESC)")),
    Verdict(
      "2 with it", query(by: "__name__ desc"), IndexSet(index("__name__ desc")),
      .served(["(__name__ DESC)"])),
    Verdict(
      "36", query(equal("a"), by: "__name__ desc"), .init(), .served(["(a DESC, __name__ DESC)"])),
    Verdict(
      "37", query(equal("a"), above("__name__", reference("c/x"))), .init(),
      .served(["(a ASC, __name__ ASC)"])),
    Verdict(
      "38", query(above("c"), by: "c, __name__ desc"), .init(), .refused("(c ASC, __name__ DESC)")),
    Verdict(
      "39", query(by: "n desc, __name__"), IndexSet(index("n, __name__ desc")),
      .refused("(n DESC, __name__ ASC)")),
  ]

  static let equalityRows: [Verdict] = [
    Verdict("4", query(equal("a")), .init(), .served(["(a ASC, __name__ ASC)"])),
    Verdict(
      "5", query(equal("a"), equal("b", 2)), .init(),
      .served(["(a ASC, __name__ ASC)", "(b ASC, __name__ ASC)"])),
    Verdict(
      "6", query(equal("a"), equal("b", 2), equal("d", 3)), .init(),
      .served(["(a ASC, __name__ ASC)", "(b ASC, __name__ ASC)", "(d ASC, __name__ ASC)"])),
    Verdict(
      "8", query(equal("a"), equal("b", 2)), IndexSet(index("a, b")),
      .served(["(a ASC, b ASC, __name__ ASC)"])),
    Verdict(
      "9", query(equal("b", 2), equal("a")), IndexSet(index("a desc, b desc, __name__")),
      .served(["(a DESC, b DESC, __name__ ASC)"])),
    Verdict(
      "16", query(contains("tags", "x")), .init(),
      .served(["(tags ARRAY_CONTAINS, __name__ ASC)"])),
    Verdict(
      "17", query(contains("tags", "x"), equal("a")), .init(),
      .served(["(a ASC, __name__ ASC)", "(tags ARRAY_CONTAINS, __name__ ASC)"])),
    Verdict(
      "17 desc", query(contains("tags", "x"), equal("a"), by: "__name__ desc"), .init(),
      .served(["(a DESC, __name__ DESC)", "(tags ARRAY_CONTAINS, __name__ DESC)"])),
    Verdict("33", query(equal("a"), by: "a"), .init(), .served(["(a ASC, __name__ ASC)"])),
    Verdict(
      "34", query(equal("a"), equal("b", 2), by: "a"), .init(),
      .refused("(a ASC, b ASC, __name__ ASC)")),
    Verdict(
      "35", query(equal("t"), equal("a", 2), by: "a"), IndexSet(index("t, a")),
      .served(["(t ASC, a ASC, __name__ ASC)"])),
    Verdict(
      "59", query(equal("a"), .unary(field("b"), .isNull), .unary(field("d"), .isNaN)), .init(),
      .served(["(a ASC, __name__ ASC)", "(b ASC, __name__ ASC)", "(d ASC, __name__ ASC)"])),
  ]

  static let rangeRows: [Verdict] = [
    Verdict("10", query(above("a"), below("a", 9)), .init(), .served(["(a ASC, __name__ ASC)"])),
    Verdict("11", query(above("a"), by: "a desc"), .init(), .served(["(a DESC, __name__ DESC)"])),
    Verdict("12", query(by: "a desc"), .init(), .served(["(a DESC, __name__ DESC)"])),
    Verdict(
      "28", query(equal("s"), above("c", 2)), .init(), .refused("(s ASC, c ASC, __name__ ASC)")),
    Verdict(
      "29", query(above("a"), above("b", 2)), .init(), .refused("(a ASC, b ASC, __name__ ASC)")),
    Verdict(
      "30", query(above("a"), above("b", 2), by: "b"), IndexSet(index("a, b")),
      .refused("(b ASC, a ASC, __name__ ASC)")),
    Verdict(
      "31", query(above("a"), by: "b desc"), .init(), .refused("(b DESC, a DESC, __name__ DESC)")),
    Verdict(
      "32", query(above("a"), equal("b", 2)), IndexSet(index("a, b")),
      .refused("(b ASC, a ASC, __name__ ASC)")),
    // Row 27 of §11: the order on a field that is compared and equated stays.
    Verdict(
      "row 27 of §11", query(equal("a"), above("a", 0), equal("b", 2)), .init(),
      .refused("(a ASC, b ASC, __name__ ASC)")),
    Verdict(
      "row 27 of §11 with it", query(equal("a"), above("a", 0), equal("b", 2)),
      IndexSet(index("b, a")),
      .served(["(b ASC, a ASC, __name__ ASC)"])),
    Verdict(
      "row 27 of §11 alone", query(equal("a"), above("a", 0)), .init(),
      .served(["(a ASC, __name__ ASC)"])),
  ]

  static let orderRows: [Verdict] = [
    Verdict(
      "19", query(equal("userId", "X"), by: "createdTime", in: "todos"), .init(),
      .refused("(userId ASC, createdTime ASC, __name__ ASC)")),
    Verdict(
      "20", query(equal("userId", "X"), by: "createdTime", in: "todos"),
      IndexSet(index("userId desc, createdTime", in: "todos")),
      .served(["(userId DESC, createdTime ASC, __name__ ASC)"])),
    Verdict(
      "21", query(equal("userId", "X"), by: "createdTime desc", in: "todos"),
      IndexSet(index("userId, createdTime", in: "todos")),
      .refused("(userId ASC, createdTime DESC, __name__ DESC)")),
    Verdict(
      "22", query(equal("userId", "X"), above("createdTime", 5), in: "todos"),
      IndexSet(index("userId, createdTime", in: "todos")),
      .served(["(userId ASC, createdTime ASC, __name__ ASC)"])),
    Verdict(
      "23", query(equal("userId", "X"), equal("done", false), by: "createdTime", in: "todos"),
      IndexSet(index("userId, createdTime", in: "todos"), index("done, createdTime", in: "todos")),
      .served([
        "(done ASC, createdTime ASC, __name__ ASC)", "(userId ASC, createdTime ASC, __name__ ASC)",
      ])),
    Verdict(
      "24", query(equal("userId", "X"), equal("done", false), by: "createdTime", in: "todos"),
      IndexSet(index("userId, createdTime", in: "todos")),
      .refused(
        "(done ASC, userId ASC, createdTime ASC, __name__ ASC)",
        smaller: "(done ASC, createdTime ASC, __name__ ASC)")),
    Verdict(
      "25",
      StructuredQuery(
        collectionID: "todos", filter: equal("userId", "X"), orders: orders("createdTime desc"),
        limit: 5), IndexSet(index("userId, createdTime", in: "todos")),
      .refused("(userId ASC, createdTime DESC, __name__ DESC)")),
    Verdict(
      "26", query(equal("userId", "X"), in: "todos"),
      IndexSet(index("userId, createdTime", in: "todos")),
      .served(["(userId ASC, __name__ ASC)"])),
    Verdict(
      "27", query(equal("a")), IndexSet(index("a, b"), overrides: [override("a")]),
      .refused("(a ASC, __name__ ASC)")),
    Verdict(
      "40", query(by: "g, n desc"), IndexSet(index("g, n"), index("g, n desc")),
      .served(["(g ASC, n DESC, __name__ DESC)"])),
    Verdict(
      "41", query(equal("a"), by: "b"), IndexSet(index("a, b, d")),
      .refused("(a ASC, b ASC, __name__ ASC)")),
  ]

  static let scopeRows: [Verdict] = [
    Verdict("46", query(group: true), .init(), .served(["(__name__ ASC)"])),
    Verdict("47", query(equal("a"), group: true), .init(), .refused("(a ASC, __name__ ASC)")),
    Verdict(
      "47 desc", query(by: "a desc", group: true), .init(), .refused("(a DESC, __name__ DESC)")),
    Verdict(
      "47 contains", query(contains("tags"), group: true), .init(),
      .refused("(tags ARRAY_CONTAINS, __name__ ASC)")),
    Verdict(
      "48", query(equal("a"), by: "b", group: true), IndexSet(index("a, b")),
      .refused("(a ASC, b ASC, __name__ ASC)")),
    Verdict(
      "49", query(equal("a"), by: "b"), IndexSet(index("a, b", scope: .collectionGroup)),
      .served(["(a ASC, b ASC, __name__ ASC)"])),
    Verdict(
      "50", query(equal("n")),
      IndexSet(overrides: [override("n", SingleFieldIndex(.ascending, scope: .collectionGroup))]),
      .refused("(n ASC, __name__ ASC)")),
    Verdict(
      "50 group", query(equal("n"), group: true),
      IndexSet(overrides: [override("n", SingleFieldIndex(.ascending, scope: .collectionGroup))]),
      .served(["(n ASC, __name__ ASC)"])),
  ]
}
