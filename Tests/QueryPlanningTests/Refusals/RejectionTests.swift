import HearthDocumentModel
import HearthQueryPlanning
import Testing

/// The reasons why an index is not used.
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

  @Test func aHiddenIndexIsNamedWhereItWouldServe() throws {
    let query = query(equal("a"), equal("x"), by: "b desc")
    let hidden = CompositeIndex(
      id: 1, definition: index("a, b desc"), state: .ready, isHidden: true)
    let other = CompositeIndex(id: 2, definition: index("x, b desc"), state: .ready)
    let both = IndexSet(composites: [hidden, other])
    #expect(try reasons(query, both)["(a ASC, b DESC, __name__ DESC)"] == "is hidden")
    let normalized = try NormalizedQuery(query, in: .default)
    let edits = Planner.rejections(of: normalized, indexes: both)
      .first { $0.index == hidden.definition }?.edits
    #expect(edits == [.unhide])

    // The words are the same as for a database without such an index.
    let refused = try refusal(query, both)
    #expect(try refused?.message == refusal(query, IndexSet(composites: [other]))?.message)
    #expect(refused?.missingIndex?.hidden == [hidden.definition])
    #expect(refused?.missingIndex?.smaller == index("a, b desc"))
    // Shown again, it would not be enough alone.
    #expect(try refusal(query, IndexSet(composites: [hidden]))?.missingIndex?.isHidden == false)
    var shown = hidden
    shown.isHidden = false
    #expect(try refusal(query, IndexSet(composites: [shown, other])) == nil)
  }

  private func refusal(_ query: StructuredQuery, _ indexes: IndexSet) throws -> DatabaseError? {
    let normalized = try NormalizedQuery(query, in: .default)
    do throws(DatabaseError) {
      _ = try Planner.plan(normalized, indexes: indexes)
      return nil
    } catch { return error }
  }

  /// To create it would succeed, and change nothing.
  @Test func aHiddenIndexThatIsBeingBuiltIsShownAgain() throws {
    let hidden = CompositeIndex(
      id: 1, definition: index("a, b desc"), state: .creating, isHidden: true)
    let query = query(equal("a"), by: "b desc")
    let missing = try refusal(query, IndexSet(composites: [hidden]))?.missingIndex
    #expect(missing?.hidden == [hidden.definition])
    // No query waits for it while it is hidden.
    #expect(missing?.building == [])
  }

  /// If an index that is being built will do, the query waits for it, and no other index is
  /// proposed.
  @Test func indexesThatAreBeingBuiltAreNamedWhereTheyWillServe() throws {
    func composite(_ id: UInt64, _ text: String, _ state: IndexState) -> CompositeIndex {
      CompositeIndex(id: id, definition: index(text), state: state)
    }
    let wanted = query(equal("a"), equal("x"), by: "b desc")
    func missing(_ composites: CompositeIndex...) throws -> MissingIndex? {
      try refusal(wanted, IndexSet(composites: composites))?.missingIndex
    }
    let (first, second) = (composite(1, "a, b desc", .creating), composite(2, "x, b desc", .ready))
    #expect(try missing(first, second)?.building == [first.definition])
    #expect(try missing(first, second)?.smaller == nil)
    let third = composite(2, "x, b desc", .creating)
    #expect(try missing(first, third)?.building == [first.definition, third.definition])
    // A part of the index that it needs.
    #expect(try missing(first)?.building == [])
    #expect(try missing(first)?.smaller == index("x, b desc"))
    let perfect = composite(3, "a, x, b desc", .creating)
    #expect(try missing(first, third, perfect)?.building == [perfect.definition])
    // Production mentions a build only if its own proposal is being built (§5.3).
    let alone = try refusal(wanted, IndexSet())?.message
    #expect(try refusal(wanted, IndexSet(composites: [first, third]))?.message == alone)
    let built = try refusal(wanted, IndexSet(composites: [first, third, perfect]))?.message
    #expect(built?.contains("currently building") == true)
  }

  @Test func collectionScopeForAGroup() throws {
    let reasons = try reasons(query(equal("a"), by: "b", group: true), IndexSet(index("a, b")))
    #expect(
      reasons["(a ASC, b ASC, __name__ ASC)"]
        == "has scope COLLECTION, which can't serve a collection group")
    #expect(reasons["(a ASC, __name__ ASC)"] == "is not enabled for the field")
  }
}
