import HearthFirestoreJSON
import HearthSecurityRules
import Testing

/// The verdicts of rules compared with recorded ones (`Tests/Fixtures/rules`).
@Suite struct RecordedVerdictTests {
  @Test func everyCaseHasItsPlace() throws {
    let cases = try RulesCase.areas.flatMap { try RulesCase.all(in: $0) }
    #expect(cases.count == 2_721)
    #expect(Set(cases.map(\.id)).count == cases.count)
    #expect(cases.count { $0.isCompilation } == 326)
    let skipped = cases.filter { SkippedCases.reason($0) != nil }
    #expect(skipped.count == SkippedCases.count)
    let doubtful = cases.filter { $0.isDoubtful }
    #expect(doubtful.count == 61)
    #expect(DoubtfulCases.allowed.isSubset(of: doubtful.map(\.id)))
    #expect(Set(DoubtfulCases.others.keys).isSubset(of: cases.map(\.id)))
  }

  @Test(arguments: RulesCase.areas) func verdictsAreTheRecordedOnes(_ area: String) throws {
    try forEachRequest(in: area) { row, decisions in
      guard let recorded = row.expect["allow"]?.boolean else { return }
      let isAllowed = decisions.allSatisfy(\.isAllowed)
      let expected =
        row.isDoubtful
        ? DoubtfulCases.allowed.contains(row.id) : DoubtfulCases.others[row.id] ?? recorded
      if isAllowed != expected {
        Issue.record("\(row): \(isAllowed), not \(expected); \(decisions.map(\.explanation))")
      }
    }
  }

  /// The emulator's text has the reasons of a first pass without documents too, and calls unknown
  /// what is false to it.
  @Test func reasonsAreInTheRecordedTexts() throws {
    var same = 0
    var others = 0
    for area in RulesCase.areas {
      try forEachRequest(in: area) { row, decisions in
        let refusals = decisions.filter { !$0.isAllowed }
        guard !refusals.isEmpty, row.expect["allow"]?.boolean == false else { return }
        let texts = refusals.flatMap { decision in
          decision.items.isEmpty
            ? [decision.explanation]
            : decision.items.compactMap { item in
              item.reason.map { "\($0) for '\(item.method)' @ L\(item.line)" }
            }
        }
        if texts.allSatisfy(row.message.contains) { same += 1 } else { others += 1 }
      }
    }
    print("\(same) refusals have the recorded reasons, \(others) have others")
    #expect(same > 1_000)
    #expect(others < 60)
  }

  private func forEachRequest(
    in area: String, _ body: (RulesCase, [Decision]) throws -> Void
  ) throws {
    var ruleset: Ruleset?
    for row in try RulesCase.all(in: area)
    where !row.isCompilation && SkippedCases.reason(row) == nil {
      if ruleset?.source != row.rules { ruleset = try Ruleset(compiling: row.rules) }
      let request = try CaseRequest(row)
      let decisions = try request.operations.map { operation in
        try #require(ruleset).decide(operation, of: request.request)
      }
      try body(row, decisions)
    }
  }
}
