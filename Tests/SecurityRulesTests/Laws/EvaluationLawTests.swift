import HearthDocumentModel
import HearthSecurityRules
import TestSupport
import Testing

/// The law of evaluation: a compiled program has the outcome of a plain evaluator.
@Suite struct EvaluationLawTests {
  private static let document = MapValue(
    ProgramGenerator.fields.map { ($0.0, $0.1.field) })

  @Test func programsHaveTheOutcomeOfThePlainEvaluator() throws {
    let count = GeneratedCases.count(unlessTold: 20_000)
    let seed = GeneratedCases.seed(count: count)
    var mix = (values: 0, errors: 0, allowed: 0)
    for number in 0..<count {
      let seed = seed &+ UInt64(number)
      var generator = ProgramGenerator(seed: seed)
      let condition = generator.condition()
      let evaluator = PlainEvaluator(
        functions: generator.functions,
        names: [
          "resource": .map(["data": .map(Dictionary(uniqueKeysWithValues: ProgramGenerator.fields))]
          )
        ],
        locals: ["id": { .string("x") }])
      let wanted = try? evaluator.value(of: condition)
      let decision = try decision(on: condition, generator.functions)
      if decision.trace.isEmpty || tooLong(decision) { continue }
      let found = outcome(of: decision)
      guard isSame(found, wanted), decision.isAllowed == (wanted == .bool(true)) else {
        Issue.record(
          """
          HEARTH_SEED=\(seed) HEARTH_CASES=1: \(String(describing: found)), not \
          \(String(describing: wanted)): \(generator.functions.map(\.text)) \(condition.text)
          """)
        return
      }
      mix.values += wanted == nil ? 0 : 1
      mix.errors += wanted == nil ? 1 : 0
      mix.allowed += decision.isAllowed ? 1 : 0
    }
    guard GeneratedCases.areMany(count) else { return }
    #expect(mix.values > count / 10, "\(mix)")
    #expect(mix.errors > count / 10, "\(mix)")
    #expect(mix.allowed > count / 100, "\(mix)")
  }

  private func decision(
    on condition: PlainExpression, _ functions: [PlainFunction]
  ) throws -> Decision {
    let text = """
      rules_version = '2';
      service cloud.firestore { match /databases/{db}/documents {
        \(functions.map(\.text).joined(separator: "\n  "))
        match /t/{id} { allow get: if \(condition.text); }
      } }
      """
    let path = try ResourcePath("t/x")
    let ruleset = try Ruleset(compiling: text)
    let operation = RulesOperation.get(path, document: Self.document)
    let decision = try ruleset.decide(operation, of: try request(), tracing: true)
    // Tracing changes nothing but the places in the trace.
    let plain = try ruleset.decide(operation, of: try request())
    #expect(plain.isAllowed == decision.isAllowed)
    #expect(plain.items.count == decision.items.count)
    #expect(plain.explanation == decision.explanation)
    return decision
  }

  private func request() throws -> RulesRequest {
    RulesRequest(
      by: nil, at: try Timestamp(microseconds: 0), reading: try CommittedDocuments(seed: nil))
  }

  /// Whether the program ran into the limit of expressions, which the plain evaluator lacks.
  private func tooLong(_ decision: Decision) -> Bool {
    decision.items.contains { $0.reason?.contains("maximum of 1000") ?? false }
  }

  /// The outcome of the condition, which ends after all of its parts.
  private func outcome(of decision: Decision) -> TracedValue? {
    guard case .value(let value)? = decision.trace.last?.outcome else { return nil }
    return value
  }

  private func isSame(_ found: TracedValue?, _ wanted: PlainValue?) -> Bool {
    switch (found, wanted) {
    case (nil, nil), (.null?, .null?), (.other("set")?, .set?), (.other("map")?, .map?): true
    case (.bool(let left)?, .bool(let right)?): left == right
    case (.int(let left)?, .int(let right)?): left == right
    case (.float(let left)?, .float(let right)?): left == right || left.isNaN && right.isNaN
    case (.string(let left)?, .string(let right)?): left == right
    case (.list(let left)?, .list(let right)?):
      left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
    case (.map(let left)?, .map(let right)?):
      Set(left.keys) == Set(right.keys) && left.allSatisfy { isSame($1, right[$0]) }
    default: false
    }
  }
}
