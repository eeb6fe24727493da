import HearthDocumentModel
import HearthFirestoreJSON
import HearthQueryPlanning
import HearthSecurityRules
import TestSupport
import Testing

/// The law of queries: an allowed query returns no document that the same rules refuse to list,
/// once all of it is known.
@Suite struct RulesQueryLawTests {
  private static let documentsPerQuery = 40
  /// The documents to which queries are fixed, so that rules may look at them.
  private static let documents = JSONValue.object([("c/a", .object([])), ("c/b", .object([]))])

  @Test func noAllowedQueryReturnsARefusedDocument() throws {
    let count = GeneratedCases.count(unlessTold: 20_000)
    let seed = GeneratedCases.seed(count: count)
    var mix = (allowed: 0, refused: 0, results: 0, invalid: 0)
    for number in 0..<count {
      let seed = seed &+ UInt64(number)
      var generator = RuleQueryGenerator(seed: seed)
      let query = generator.query()
      let ruleset = try Ruleset(compiling: generator.rules())
      guard let normalized = try? NormalizedQuery(query, in: .default) else {
        mix.invalid += 1
        continue
      }
      guard try decide(ruleset, .list(query)) else {
        mix.refused += 1
        continue
      }
      mix.allowed += 1
      let matcher = QueryMatcher(normalized)
      for _ in 0..<Self.documentsPerQuery {
        let document = try generator.document()
        guard matcher.matches(document) else { continue }
        mix.results += 1
        let result = RulesOperation.list(
          query, result: document.path, fields: document.fields)
        guard try decide(ruleset, result) else {
          Issue.record(
            """
            HEARTH_SEED=\(seed) HEARTH_CASES=1: \(query) returns \(document) under \
            \(ruleset.source)
            """)
          return
        }
      }
    }
    print("Mix: \(mix)")
    guard GeneratedCases.areMany(count) else { return }
    #expect(mix.allowed > count / 20, "\(mix)")
    #expect(mix.refused > count / 5, "\(mix)")
    #expect(mix.results > count / 10, "\(mix)")
    #expect(mix.invalid < count / 3, "\(mix)")
  }

  private func decide(_ ruleset: Ruleset, _ operation: RulesOperation) throws -> Bool {
    let request = RulesRequest(
      by: RulesAuth(claims: ["sub": "a"]), at: try Timestamp(microseconds: 5),
      reading: try CommittedDocuments(seed: Self.documents))
    return try ruleset.decide(operation, of: request).isAllowed
  }
}
