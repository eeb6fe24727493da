import DocumentModel
import QueryPlanning
import Testing

/// Why an index is not used.
struct RejectionTests {
  private func reasons(
    _ query: StructuredQuery, _ indexes: IndexSet
  ) throws -> [String: String] {
    let normalized = try NormalizedQuery(query, in: .default)
    let rejections = Planner.rejections(of: normalized, indexes: indexes)
    return Dictionary(uniqueKeysWithValues: rejections.map { ("\($0.index)", "\($0.reason)") })
  }

  @Test func compositesOfARefusedQuery() throws {
    let query = query(equal("a"), by: "b desc")
    let indexes = IndexSet(
      composites: [
        CompositeIndex(id: 1, definition: index("a, b"), state: .ready),
        CompositeIndex(id: 2, definition: index("a, b desc, d desc"), state: .ready),
        CompositeIndex(id: 3, definition: index("a, b desc"), state: .creating),
        CompositeIndex(id: 4, definition: index("a, __name__ desc"), state: .ready),
        CompositeIndex(id: 5, definition: index("b desc, a desc"), state: .ready),
        CompositeIndex(id: 6, definition: index("a, b", in: "other"), state: .ready),
      ])
    let reasons = try reasons(query, indexes)
    #expect(reasons["(a ASC, b ASC, __name__ ASC)"] == "has b ASC where the query needs b DESC")
    #expect(
      reasons["(a ASC, b DESC, d DESC, __name__ DESC)"]
        == "holds d, which the query doesn't require: documents without d are missing from it")
    #expect(reasons["(a ASC, b DESC, __name__ DESC)"] == "is still being built")
    #expect(
      reasons["(a ASC, __name__ DESC)"] == "has __name__ DESC where the query needs b DESC")
    #expect(
      reasons["(b DESC, a DESC, __name__ DESC)"]
        == "has a DESC where the query needs __name__ DESC")
    #expect(reasons["(b DESC, __name__ DESC)"] == "does not cover a")
    #expect(reasons["(a DESC, __name__ DESC)"] == "has __name__ DESC where the query needs b DESC")
    #expect(reasons.count == 9)
  }

  @Test func indexesOfAServedQuery() throws {
    let reasons = try reasons(
      query(equal("a"), equal("b")), IndexSet(index("a, b"), overrides: [override("b")]))
    #expect(reasons["(a ASC, b ASC, __name__ ASC)"] == nil)
    #expect(reasons["(a ASC, __name__ ASC)"] == "does not cover b")
    #expect(reasons["(b ASC, __name__ ASC)"] == "is not enabled for the field")
    let single = try self.reasons(query(equal("a")), IndexSet(index("a desc, __name__")))
    #expect(
      single["(a DESC, __name__ ASC)"] == "could serve, but the plan's choice is preferred")
  }

  @Test func collectionScopeForAGroup() throws {
    let reasons = try reasons(query(equal("a"), by: "b", group: true), IndexSet(index("a, b")))
    #expect(
      reasons["(a ASC, b ASC, __name__ ASC)"]
        == "has scope COLLECTION, which can't serve a collection group")
    #expect(reasons["(a ASC, __name__ ASC)"] == "is not enabled for the field")
  }
}
