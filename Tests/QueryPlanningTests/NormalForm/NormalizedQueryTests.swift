import HearthDocumentModel
import HearthQueryPlanning
import Testing

/// The order of a query (§4.4) and the result of its conditions.
struct NormalizedQueryTests {
  private func normalized(_ query: StructuredQuery) throws -> NormalizedQuery {
    try NormalizedQuery(query, in: .default)
  }

  @Test(arguments: [
    (query(), "__name__ ASC"),
    (query(by: "a"), "a ASC, __name__ ASC"),
    (query(by: "a desc"), "a DESC, __name__ DESC"),
    (query(by: "__name__ desc"), "__name__ DESC"),
    (query(above("a")), "a ASC, __name__ ASC"),
    (query(above("sort"), below("key")), "key ASC, sort ASC, __name__ ASC"),
    (
      query(above("key", "a"), above("sort"), by: "v desc"),
      "v DESC, key DESC, sort DESC, __name__ DESC"
    ),
    (
      query(above("key", "a"), above("sort"), by: "v desc, sort"),
      "v DESC, sort ASC, key ASC, __name__ ASC"
    ),
    // A range on the name never moves it forward.
    (query(above("__name__", reference("c/x")), above("a")), "a ASC, __name__ ASC"),
    // Equality and array-contains create no order; an order on them stays.
    (query(equal("a"), contains("t")), "__name__ ASC"),
    (query(equal("a"), by: "a desc"), "a DESC, __name__ DESC"),
    // Segment by segment, by bytes (row 19 of §11).
    (query(above("`b.a`"), above("b.c"), above("B")), "B ASC, b.c ASC, `b.a` ASC, __name__ ASC"),
  ])
  func orders(_ query: StructuredQuery, _ expected: String) throws {
    let orders = try normalized(query).orders
    #expect(orders.map { "\($0)" }.joined(separator: ", ") == expected)
  }

  @Test(arguments: [
    query(equal("a", 1), equal("a", 2)), query(equal("a", .null)), query(equal("a", .double(.nan))),
    query(equal("a", 1), above("a", 1)), query(equal("a", "x"), above("a", 1)),
    query(above("a", 1), below("a", 1)), query(above("a", 3), below("a", 2)),
    query(above("a", 1), below("a", "x")), query(above("a", .null)),
    query(below("a", .double(.nan))),
    query(contains("a", .null)), query(contains("a", .double(.nan))),
    query(.unary(field("a"), .isNull), .unary(field("a"), .isNaN)),
    query(.unary(field("a"), .isNaN), below("a", 1)),
    query(equal("__name__", reference("c/x")), equal("__name__", reference("c/y"))),
  ])
  func contradictionMatchesNothing(_ query: StructuredQuery) throws {
    #expect(try normalized(query).conjunction.matchesNothing)
  }

  @Test(arguments: [
    query(equal("a", 1), equal("a", .double(1))), query(equal("a", 0), equal("a", .double(-0.0))),
    query(equal("a", 2), above("a", 1)), query(.unary(field("a"), .isNaN)),
    query(.unary(field("a"), .isNull), .unary(field("a"), .isNull)),
    query(.field(field("a"), .lessThanOrEqual, 1), .field(field("a"), .greaterThanOrEqual, 1)),
    query(.and([]), .and([.and([equal("a")])])),
  ])
  func agreementStands(_ query: StructuredQuery) throws {
    #expect(try !normalized(query).conjunction.matchesNothing)
  }

  @Test func rangesOnAFieldAreIntersected() throws {
    let conjunction = try normalized(
      query(
        above("a", 1), .field(field("a"), .greaterThanOrEqual, 1), below("a", 9), below("a", 7),
        .field(field("a"), .lessThanOrEqual, 7))
    ).conjunction
    let range = ValueRange(
      .number, lower: .init(1, isInclusive: false), upper: .init(7, isInclusive: false))
    #expect(conjunction.ranges(of: field("a")) == [range])
  }

  /// The verdict doesn't depend on values: contradictions are refused like any other query.
  @Test func contradictionIsRefusedWithoutAnIndexAndReadsNothingWithOne() throws {
    let contradiction = query(equal("a", .null), by: "b")
    #expect(refusal(of: contradiction)?.missingIndex?.index == index("a, b"))
    #expect(try plan(contradiction, IndexSet(index("a, b"))).scans.isEmpty)
    #expect(try plan(query(limit: 0)).scans.isEmpty)
    #expect(refusal(of: query(equal("a"), by: "b", limit: 0))?.missingIndex?.index == index("a, b"))
  }

  @Test func deepNestingIsNoDepthOfTheStack() throws {
    var filter = equal("a")
    for _ in 0..<1000 { filter = .and([filter]) }
    #expect(filter.conditions == [equal("a")])
  }
}

/// `limitToLast` (§4.7).
struct LimitToLastTests {
  @Test func flipsDirectionsAndCursors() throws {
    let asked = query(
      above("b"), by: "a, b desc", start: Cursor([1], isBefore: true),
      end: Cursor([9, 2], isBefore: true))
    let last = try asked.limitedToLast(5).query
    #expect(last.orders == orders("a desc, b"))
    #expect(last.start == Cursor([9, 2], isBefore: false))
    #expect(last.end == Cursor([1], isBefore: false))
    #expect(last.limit == 5)
    #expect(last.filter == asked.filter)
    let normalized = try NormalizedQuery(last, in: .default)
    #expect(normalized.orders == orders("a desc, b, __name__"))
  }

  /// Row 25 of §5.11.
  @Test func needsTheIndexOfTheFlippedOrder() throws {
    let last = try query(equal("userId", "X"), by: "createdTime").limitedToLast(5).query
    let error = try #require(refusal(of: last, IndexSet(index("userId, createdTime"))))
    #expect(error.missingIndex?.index == index("userId, createdTime desc"))
    #expect(error.missingIndex?.smaller == nil)
  }

  @Test func needsAnExplicitOrder() throws {
    let error = #expect(throws: DatabaseError.self) { try query(above("a")).limitedToLast(1) }
    #expect(error?.code == .unimplemented)
    #expect(
      error?.message == "limitToLast() queries require specifying at least one orderBy() clause")
  }
}
