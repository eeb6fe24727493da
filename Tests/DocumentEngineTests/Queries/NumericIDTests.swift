import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import Testing

/// Numeric ids are positions in queries, before all names that are stored (§1.1).
@Suite struct NumericIDTests {
  private static let least = "__id-9223372036854775808__"
  private static let ids = ["\u{0}", "\u{1}", "0", "A", "__", "a"]

  private static func filled() throws -> EngineFixture {
    let fixture = try EngineFixture()
    for id in ids { try fixture.set("c/\(id)", ["n": 1, "r": reference("c/\(id)")]) }
    for path in ["b/z", "c/A/s/x", "c/A/s/y", "c\u{0}/a", "c!/a", "d/a"] {
      try fixture.set(path, [:])
    }
    return fixture
  }

  private static func reference(_ path: String) throws -> Value {
    .reference(DocumentName(unchecked: try ResourcePath(path), in: .default))
  }

  private func paths(_ query: StructuredQuery) throws -> [String] {
    try Self.filled().run(query).map(\.path.description)
  }

  @Test func everythingBelowACollectionLiesBetweenTwoPositions() throws {
    let found = try paths(
      StructuredQuery(
        collectionID: "", allDescendants: true, orders: [Order(.documentID, .ascending)],
        start: Cursor([Self.reference("c/\(Self.least)")], isBefore: true),
        end: Cursor([Self.reference("c\u{0}/\(Self.least)")], isBefore: false)))
    #expect(found == (["\u{0}", "\u{1}", "0", "A", "A/s/x", "A/s/y", "__", "a"]).map { "c/\($0)" })
  }

  @Test(arguments: ["__id-9223372036854775808__", "__id7__", "__id9223372036854775807__"])
  func allNamesComeAfterANumber(id: String) throws {
    let all = Self.ids.map { "c/\($0)" }
    let number = try Self.reference("c/\(id)")
    // The values of a field have the same order.
    let field = FieldPath(unchecked: ["r"])
    for (order, expected) in [
      (Order(.documentID, .ascending), all), (Order(field, .ascending), all),
      (Order(field, .descending), all.reversed()),
    ] {
      for comparison in [Filter.Comparison.greaterThan, .greaterThanOrEqual] {
        let filter = Filter.field(order.field, comparison, number)
        #expect(
          try paths(StructuredQuery(collectionID: "c", filter: filter, orders: [order]))
            == expected)
      }
      for comparison in [Filter.Comparison.lessThan, .lessThanOrEqual, .equal] {
        let filter = Filter.field(order.field, comparison, number)
        #expect(
          try paths(StructuredQuery(collectionID: "c", filter: filter, orders: [order])) == [])
      }
    }
  }

  @Test func noDocumentHasANumber() throws {
    let fixture = try EngineFixture()
    let text = "Resource id \"__id7__\" is invalid because it is reserved."
    let path = try ResourcePath("c/__id7__")
    for write in [
      Write.set(path, [:]), .delete(path),
      .set(try ResourcePath("c/__id7__/d/a"), [:]),
      .set(try ResourcePath("c/a"), ["m": ["r": .array([try Self.reference("c/__id7__")])]]),
    ] {
      let error = #expect(throws: DatabaseError.self) { _ = try fixture.engine.commit([write]) }
      #expect(error?.message == text)
    }
  }
}
