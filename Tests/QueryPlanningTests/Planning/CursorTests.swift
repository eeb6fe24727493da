import HearthDocumentModel
import HearthQueryPlanning
import Testing

/// The places of cursors and names in a plan (§4.6, §4.8).
struct CursorTests {
  /// The part of a cursor that the plan keeps.
  enum Outcome: Equatable {
    case unrestricted
    case position([Value], isBefore: Bool)
    case nothing
  }

  private func outcome(
    _ cursor: Cursor, isStart: Bool, _ query: StructuredQuery, _ indexes: IndexSet
  ) throws -> Outcome {
    var query = query
    if isStart { query.start = cursor } else { query.end = cursor }
    let plan = try plan(query, indexes)
    guard let branch = plan.readingBranches.first else { return .nothing }
    guard let cursor = isStart ? branch.start : branch.end else { return .unrestricted }
    return .position(cursor.values, isBefore: cursor.isBefore)
  }

  // MARK: Orders that the index leaves out

  /// a == 5, ordered by a, then b, on (a, b): the cursor's first slot meets a constant.
  @Test(arguments: [
    (Cursor([5, 7], isBefore: true), Outcome.position([7], isBefore: true)),
    (Cursor([5, 7], isBefore: false), .position([7], isBefore: false)),
    (Cursor([5], isBefore: true), .unrestricted), (Cursor([5], isBefore: false), .nothing),
    (Cursor([.double(5), 7], isBefore: true), .position([7], isBefore: true)),
    (Cursor([4, 7], isBefore: true), .unrestricted), (Cursor([4], isBefore: false), .unrestricted),
    (Cursor([6, 7], isBefore: true), .nothing), (Cursor(["x"], isBefore: true), .nothing),
    (Cursor([.null], isBefore: false), .unrestricted),
  ])
  func startOnAConstant(_ cursor: Cursor, _ expected: Outcome) throws {
    let query = query(equal("a", 5), by: "a, b")
    let indexes = IndexSet(index("a, b"))
    #expect(try outcome(cursor, isStart: true, query, indexes) == expected)
  }

  @Test(arguments: [
    (Cursor([5, 7], isBefore: false), Outcome.position([7], isBefore: false)),
    (Cursor([5], isBefore: true), .nothing), (Cursor([5], isBefore: false), .unrestricted),
    (Cursor([4], isBefore: false), .nothing), (Cursor([6], isBefore: true), .unrestricted),
  ])
  func endOnAConstant(_ cursor: Cursor, _ expected: Outcome) throws {
    let query = query(equal("a", 5), by: "a, b")
    #expect(try outcome(cursor, isStart: false, query, IndexSet(index("a, b"))) == expected)
  }

  /// Ordered by b first, a constant after it cuts off at b's value.
  @Test(arguments: [
    (Cursor([7, 4], isBefore: true), Outcome.position([7], isBefore: false)),
    (Cursor([7, 6], isBefore: true), .position([7], isBefore: true)),
    (Cursor([7, 5], isBefore: false), .position([7], isBefore: false)),
    (
      Cursor([7, 5, reference("c/x")], isBefore: true),
      .position([7, reference("c/x")], isBefore: true)
    ),
  ])
  func startOnAConstantAfterAnotherOrder(_ cursor: Cursor, _ expected: Outcome) throws {
    let query = query(equal("a", 5), by: "b, a desc, __name__")
    let plan = try plan(query, IndexSet(index("a, b, __name__")))
    #expect(plan.branches.map(\.suffix) == [orders("b, __name__")])
    #expect(
      try outcome(cursor, isStart: true, query, IndexSet(index("a, b, __name__"))) == expected)
  }

  // MARK: Names

  @Test(arguments: [
    (
      Cursor([reference("c/m")], isBefore: true),
      Outcome.position([reference("c/m")], isBefore: true)
    ),
    (
      Cursor([reference("c/m/sub/x")], isBefore: true),
      .position([reference("c/m")], isBefore: false)
    ),
    (Cursor([reference("b/x")], isBefore: false), .unrestricted),
    (Cursor([reference("d/x")], isBefore: true), .nothing),
  ])
  func startOnAName(_ cursor: Cursor, _ expected: Outcome) throws {
    #expect(try outcome(cursor, isStart: true, query(by: "__name__"), IndexSet()) == expected)
  }

  @Test(arguments: [
    (
      Cursor([1, reference("c/m/sub/x")], isBefore: false),
      Outcome.position([1, reference("c/m")], isBefore: true)
    ),
    (Cursor([1, reference("b/x")], isBefore: true), .position([1], isBefore: false)),
    (Cursor([1, reference("d/x")], isBefore: false), .position([1], isBefore: true)),
  ])
  func startOnANameDescending(_ cursor: Cursor, _ expected: Outcome) throws {
    let query = query(by: "a desc, __name__ desc")
    #expect(try outcome(cursor, isStart: true, query, IndexSet()) == expected)
  }

  @Test(arguments: [
    ("p/x/c/m", Outcome.position([reference("p/x/c/m")], isBefore: true)),
    ("p/x/e/m", .position([reference("p/x/e/m")], isBefore: true)),
    ("p/x", .unrestricted), ("p/a/c/m", .unrestricted), ("p/y", .nothing), ("p/xx/c/m", .nothing),
  ])
  func startOnANameBelowAnAncestor(_ name: String, _ expected: Outcome) throws {
    let query = query(by: "__name__", below: "p/x", group: true)
    let cursor = Cursor([reference(name)], isBefore: true)
    #expect(try outcome(cursor, isStart: true, query, IndexSet()) == expected)
  }

  // MARK: Conditions on names

  @Test func nameConditionsAreClampedToTheCollection() throws {
    func range(_ filters: Filter...) throws -> ValueRange?? {
      let plan = try plan(StructuredQuery(collectionID: "c", filter: .and(filters)))
      return plan.readingBranches.first.map { branch in branch.ranges[0].map { $0[0] } }
    }
    let name = reference("c/m")
    #expect(try range(above("__name__", name)) == ValueRange(from: name, isInclusive: false))
    #expect(
      try range(above("__name__", reference("c/m/sub/x")))
        == ValueRange(from: name, isInclusive: false))
    #expect(
      try range(below("__name__", reference("c/m/sub/x")))
        == ValueRange(upTo: name, isInclusive: true))
    #expect(try range(above("__name__", reference("b/x"))) == .some(nil))
    #expect(try range(below("__name__", reference("d/x"))) == .some(nil))
    #expect(try range(above("__name__", reference("d/x"))) == nil)
    #expect(try range(below("__name__", reference("b/x"))) == nil)
    #expect(try range(equal("__name__", name)) == ValueRange.point(name))
    #expect(try range(equal("__name__", reference("c/m/sub/x"))) == nil)
    #expect(try range(equal("__name__", reference("b/x"))) == nil)
    // Between a document and the one below it there is no document of the collection.
    #expect(
      try range(above("__name__", name), below("__name__", reference("c/m/sub/x"))) == nil)
  }

  @Test func cursorsOfMergesStandAsTheyAre() throws {
    let cursor = Cursor([1, 7, reference("c/m")], isBefore: true)
    let plan = try plan(
      query(equal("a"), equal("b"), equal("d"), by: "a, c, __name__", start: cursor),
      IndexSet(index("b, a, c"), index("d, a, c")))
    #expect(plan.branches.map(\.start) == [cursor])
    #expect(plan.branches.map(\.ranges) == [[[.point(1)], nil, nil]])
  }
}
