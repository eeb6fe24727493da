import Foundation
import HearthDocumentModel
import HearthSecurityRules
import TestSupport
import Testing

/// Rules that are made to take long, much memory or a deep stack are refused, or deny.
@Suite struct RulesLimitTests {
  private static func file(_ condition: String, functions: String = "") -> String {
    """
    rules_version = '2';
    service cloud.firestore { match /databases/{db}/documents {
    \(functions)
    match /t/{id} { allow get: if \(condition); } } }
    """
  }

  private static func repeated(_ text: String, _ count: Int = 40_000) -> String {
    String(repeating: text, count: count)
  }

  @Test(arguments: [
    repeated("(") + "true", repeated("!") + "true", repeated("[") + "1", repeated("{'a':") + "1",
    "true" + repeated(" && true", 20_000), "1" + repeated("+1"), "a" + repeated(".a"),
    "a" + repeated("[0]"), repeated("true ? ", 20_000), repeated("f("), repeated("/$(", 20_000),
    repeated("- ") + "1", "true" + repeated(" ? true : true", 15_000), repeated("'"),
    repeated("/* ") + "x", "true" + repeated(" is bool", 20_000), repeated("a[1:", 30_000),
  ])
  func deepAndLongExpressionsAreRefused(_ condition: String) {
    let time = ContinuousClock().measure {
      #expect(throws: RulesetError.self) { try Ruleset(compiling: Self.file(condition)) }
    }
    #expect(time < .seconds(5))
  }

  @Test func deepBlocksAndLongChainsOfCallsAreRefused() {
    let calls = (1...4_000).map { "function f\($0)() { return f\($0 - 1)(); }" }.joined()
    let texts = [
      "service cloud.firestore { " + Self.repeated("match /a/{b} { ", 10_000),
      Self.file("f4000()", functions: "function f0() { return true; }" + calls),
      Self.file("f4000()", functions: "function f0() { return f4000(); }" + calls),
      Self.file("true") + Self.repeated(" ", Ruleset.sizeLimit),
    ]
    for text in texts {
      #expect(throws: RulesetError.self) { try Ruleset(compiling: text) }
    }
  }

  @Test func manyPlainBlocksCompile() throws {
    let blocks = Self.repeated("match /a/{b} { allow read: if b == 'x' && b != 'y'; } ", 4_000)
    let text = "rules_version = '2'; service cloud.firestore { \(blocks)}"
    let time = try ContinuousClock().measure { _ = try Ruleset(compiling: text) }
    #expect(time < .seconds(10))
  }

  /// Functions whose variables double their parameter, one after another.
  private static func doubling(_ double: (String) -> String, by count: Int = 11) -> String {
    (0..<15).map { number in
      let variables = (1...count).map { "let a\($0) = \(double("a\($0 - 1)")); " }.joined()
      let next = number == 14 ? "a\(count)" : "f\(number + 1)(a\(count))"
      return "function f\(number)(a0) { \(variables)return \(next); }"
    }.joined(separator: "\n")
  }

  @Test(arguments: [
    (doubling { "\($0) + \($0)" }, "f0('abcdefgh') == 'x'"),
    (doubling { "\($0).concat(\($0))" }, "f0([1, 2]).size() == 0"),
    (doubling { "[\($0), \($0)]" }, "f0(1) == f0(1)"),
    (doubling { "{'a': \($0), 'b': \($0)}" }, "f0(1) == f0(1)"),
    (doubling { "/a/$(\($0))/$(\($0))" }, "f0(/a) == f0(/b)"),
    (doubling { "\($0).replace('', \($0))" }, "f0('ab').size() == 0"),
  ])
  func valuesThatDoubleEndTheJudgement(functions: String, condition: String) throws {
    let ruleset = try Ruleset(compiling: Self.file(condition, functions: functions))
    let time = try ContinuousClock().measure {
      let decision = try decide(by: ruleset, [:])
      #expect(!decision.isAllowed)
      #expect(decision.explanation.contains("Unable to evaluate"))
    }
    #expect(time < .seconds(10))
  }

  @Test func largePatternsAndListsEndTheJudgement() throws {
    let text = String(repeating: "ab", count: 400_000)
    let list = Value.array((0..<20_000).map { .integer($0) })
    let conditions = [
      "resource.data.s.matches('(?:a|b)*a(?:a|b){500}c')",
      "resource.data.s.split('') == resource.data.s.split('').concat([]) || true",
      "resource.data.l.toSet().size() == 0 || true",
      "resource.data.l.hasAll(resource.data.l) || true",
    ]
    for condition in conditions {
      let ruleset = try Ruleset(compiling: Self.file(condition))
      let time = try ContinuousClock().measure {
        let decision = try decide(by: ruleset, ["s": .string(text), "l": list])
        #expect(!decision.isAllowed, "\(condition)")
      }
      #expect(time < .seconds(10), "\(condition)")
    }
  }

  /// A judgement nests as deep as its expressions may, on a thread with a usual stack. Optimised
  /// code takes an eighth of it.
  @Test func deepJudgementsFitAStack() async throws {
    let variables = (1...10).map {
      "let a\($0) = \(String(repeating: "!", count: 90))a\($0 - 1); "
    }.joined()
    let functions = "function f(a0) { \(variables)return a10; }"
    let ruleset = try Ruleset(compiling: Self.file("f(true)", functions: functions))
    let isAllowed = await withCheckedContinuation { continuation in
      let thread = Thread {
        continuation.resume(returning: try? decide(by: ruleset, [:]).isAllowed)
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    #expect(isAllowed == true)
  }

  private func decide(by ruleset: Ruleset, _ fields: MapValue) throws -> Decision {
    let request = RulesRequest(
      by: nil, at: .minimum, reading: try CommittedDocuments(seed: nil))
    return try ruleset.decide(
      .get(try ResourcePath("t/x"), document: fields), of: request, tracing: false)
  }
}
