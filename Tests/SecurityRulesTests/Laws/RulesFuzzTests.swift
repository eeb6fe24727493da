import HearthDocumentModel
import HearthQueryPlanning
import HearthSecurityRules
import TestSupport
import Testing

/// Damaged files of rules end no process and take no long time, neither to compile nor to judge by.
@Suite struct RulesFuzzTests {
  private static let words = [
    "match", "allow", "function", "return", "let", "if", "in", "is", "true", "null", "resource",
    "request", "/", "/a", "{", "}", "(", ")", "[", "]", "$(", "'", "\"", "\\", "b'", ".", ",", ";",
    ":", "?", "==", "&&", "||", "!", "-", "--", "**", "=", "9223372036854775807", "1.5", "é",
    "\u{0}",
    "\r\n", "/*", "*/", "//", ".size()", ".split('')", "[1:2]", "int", "/{x=**}", "%", "#", "😀",
  ]

  @Test func damagedFilesAreReadOrRefused() throws {
    let count = GeneratedCases.count
    let seed = GeneratedCases.seed(count: count)
    let sources = try RulesCase.areas.flatMap { try RulesCase.all(in: $0) }.map(\.rules)
      .filter { $0.utf8.count < 10_000 }
    var compiled = 0
    var slowest = Duration.zero
    for number in 0..<count {
      var random = SplitMix64(seed: seed &+ UInt64(number))
      var text = Array(random.pick(sources).unicodeScalars)
      for _ in 0..<Int.random(in: 0...2, using: &random) { damage(&text, &random) }
      var view = String.UnicodeScalarView()
      view.append(contentsOf: text)
      let time = try ContinuousClock().measure {
        guard let ruleset = try? Ruleset(compiling: String(view)) else { return }
        compiled += 1
        try judge(by: ruleset)
      }
      slowest = max(slowest, time)
    }
    print("\(compiled) of \(count) files compile; the slowest took \(slowest)")
    guard GeneratedCases.areMany(count) else { return }
    #expect(compiled > count / 10)
    #expect(compiled < count)
  }

  private func damage(_ text: inout [Unicode.Scalar], _ random: inout SplitMix64) {
    let place = Int.random(in: 0...text.count, using: &random)
    let other = Int.random(in: 0...text.count, using: &random)
    let range = min(place, other)..<min(max(place, other), min(place, other) + 30)
    switch Int.random(in: 0..<8, using: &random) {
    case 0..<4: replaceNumber(in: &text, from: place, &random)
    case 4: text.removeSubrange(range)
    case 5: text.insert(contentsOf: text[range], at: place)
    case 6: text.replaceSubrange(range, with: random.pick(Self.words).unicodeScalars)
    default: text.insert(contentsOf: random.pick(Self.words).unicodeScalars, at: place)
    }
  }

  /// Replaces the first digit after a place, so that the file still compiles.
  private func replaceNumber(
    in text: inout [Unicode.Scalar], from place: Int, _ random: inout SplitMix64
  ) {
    let digits = text.indices.filter { ("0"..."9").contains(text[$0]) }
    guard let digit = digits.first(where: { $0 >= place }) ?? digits.last else { return }
    let number = random.pick(["-1", "0", "1", "2", "7", "9223372036854775807", "0.5", "null"])
    text.replaceSubrange(digit...digit, with: number.unicodeScalars)
  }

  private func judge(by ruleset: Ruleset) throws {
    let fields: MapValue = ["x": 1, "s": "ab", "t": ["a"], "m": ["k": 1]]
    let path = try ResourcePath("c/a")
    let filter = Filter.field(FieldPath(unchecked: ["x"]), .greaterThan, 0)
    let operations: [RulesOperation] = [
      .get(try ResourcePath("t/x"), document: fields), .get(path, document: nil),
      .write(.update, path, before: fields, after: ["x": 2]),
      .write(.delete, path, before: fields, after: nil),
      .list(StructuredQuery(collectionID: "c", filter: filter)),
      .list(StructuredQuery(collectionID: "c", allDescendants: true, limit: 3)),
    ]
    let request = RulesRequest(
      by: RulesAuth(claims: ["sub": "u1"]), at: .minimum,
      reading: try CommittedDocuments(seed: nil))
    for operation in operations {
      let decision = try ruleset.decide(operation, of: request, tracing: true)
      #expect(decision.isAllowed || !decision.explanation.isEmpty)
    }
  }
}
