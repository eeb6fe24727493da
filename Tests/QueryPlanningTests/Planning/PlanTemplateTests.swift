import HearthDocumentModel
import HearthQueryPlanning
import TestSupport
import Testing

/// Shapes and plans that are made once for all queries which differ only in values.
struct PlanTemplateTests {
  private let generator = QueryGenerator()

  /// For any values, a kept shape and template give what the planner makes of the query alone.
  @Test func keptPlansAreThePlannersOwn() throws {
    let seed = GeneratedCases.seed()
    var mix = TemplateMix()
    for round in 0..<GeneratedCases.count {
      var random = SplitMix64(seed: seed &+ UInt64(round))
      let query = generator.query(using: &random)
      let indexes = generator.indexes(for: query, using: &random)
      let fields = aggregatedFields(using: &random)
      guard let own = try? normalForm(query, fields),
        let template = try? Planner.template(for: own, indexes: indexes)
      else { continue }
      mix.planned += 1
      guard let shape = QueryShape(query, own) else { continue }
      mix.kept += 1
      for number in 0..<6 {
        let other = number == 0 ? query : generator.sibling(of: query, using: &random)
        let name: Comment = "seed \(seed) round \(round)\n\(query)\n\(other)"
        let isOfShape = other.parent.isRoot == query.parent.isRoot
        try #require((other.shapeHash(aggregating: fields) == shape.hash) == isOfShape, name)
        let found = shape.normalForm(of: other, aggregating: fields)
        let expected = isOfShape && other.limit != 0 ? try? normalForm(other, fields) : nil
        try #require(found == expected, name)
        mix.siblings += 1
        guard let found else { continue }
        mix.bound += 1
        let plan = try Planner.plan(normalForm(other, fields), indexes: indexes)
        try #require(template.bind(found) == plan, name)
      }
      let stranger = generator.query(using: &random)
      guard let found = shape.normalForm(of: stranger, aggregating: fields) else { continue }
      try #require(try found == normalForm(stranger, fields), "seed \(seed) round \(round)")
    }
    mix.check()
  }

  private func aggregatedFields(using random: inout SplitMix64) -> [FieldPath] {
    random.oneIn(5) ? [field(random.pick(["a", "b", "m.x"]))] : []
  }

  private func normalForm(
    _ query: StructuredQuery, _ fields: [FieldPath] = []
  ) throws -> NormalizedQuery {
    try NormalizedQuery(query, aggregating: fields, in: .default)
  }

  // MARK: Shapes

  private func shape(_ query: StructuredQuery) throws -> QueryShape? {
    QueryShape(query, try normalForm(query))
  }

  @Test(arguments: [
    query(), query(equal("a")), query(equal("a"), by: "b desc"), query(above("a"), below("a", 9)),
    query(.unary(field("a"), .isNull), by: "b desc"), query(contains("a"), equal("b")),
    query(not("a")), query(by: "a, __name__", start: Cursor([1], isBefore: true)),
    query(equal("a"), above("a")), query(equal("__name__", reference("c/d"))),
    query(equal("a"), equal("a", 2)),
  ])
  func conjunctionsAreKept(_ query: StructuredQuery) throws {
    let shape = try #require(try shape(query))
    #expect(try shape.normalForm(of: query) == normalForm(query))
  }

  @Test(arguments: [
    query(anyOf("a", [1, 2])), query(.or([equal("a"), equal("b")])), query(none("a", [1])),
    query(.and([.and([equal("a")])])), query(in: ""),
  ])
  func listsAndAlternativesAreNot(_ query: StructuredQuery) throws {
    #expect(try shape(query) == nil)
  }

  @Test func otherShapesAndRefusedValuesAreLeftToThePlanner() throws {
    let shape = try #require(try shape(query(above("a"), below("a", 9), limit: 1)))
    #expect(shape.normalForm(of: query(above("a", .null), below("a", "x"))) != nil)
    for other in [
      query(above("a"), below("a", 9), limit: 0),
      query(above("a"), below("a", 9), limit: -1), query(above("a"), below("a", 9), offset: -1),
      query(above("a"), below("b", 9)), query(above("a"), above("a", 9)), query(above("a")),
      query(above("a"), below("a", 9), by: "a"), query(above("a"), below("a", 9), in: "e"),
      query(above("a"), below("a", 9), group: true), query(above("a"), below("a", 9), below: "p/x"),
      query(above("a"), below("a", 9), start: Cursor([1], isBefore: true)),
    ] {
      #expect(shape.normalForm(of: other) == nil, "\(other)")
    }
    let names = try #require(try self.shape(query(above("__name__", reference("c/d")))))
    #expect(names.normalForm(of: query(above("__name__", 1))) == nil)
  }

  /// A kept count must not answer for a condition that nothing meets.
  @Test func operandsMayExcludeEverything() throws {
    let shape = try #require(try shape(query(equal("a"))))
    #expect(shape.mayMatch(query(equal("a", 2))))
    for value in [.null, .double(.nan)] as [Value] {
      #expect(!shape.mayMatch(query(equal("a", value))))
    }
    #expect(!shape.mayMatch(query(equal("b"))))
    #expect(!shape.mayMatch(query(equal("a"), limit: 0)))
    let twice = try #require(try self.shape(query(equal("a"), equal("a"))))
    #expect(!twice.mayMatch(query(equal("a", 1), equal("a", 2))))
    #expect(twice.mayMatch(query(equal("a", 1), equal("a", .double(1)))))
  }
}

private struct TemplateMix {
  var planned = 0
  var kept = 0
  var siblings = 0
  var bound = 0

  func check() {
    print("planned \(planned), kept \(kept), siblings \(siblings), bound \(bound)")
    guard GeneratedCases.areMany() else { return }
    #expect(kept * 5 >= planned)
    #expect(bound * 10 >= siblings * 5)
  }
}

extension QueryShape {
  /// Returns the normal form of a query; `nil` if the query doesn't have the shape.
  fileprivate func normalForm(
    of query: StructuredQuery, aggregating fields: [FieldPath] = []
  ) -> NormalizedQuery? {
    conditions(of: query, aggregating: fields).map { normalForm(of: query, $0) }
  }
}
