import Foundation
import HearthDocumentModel
import HearthSecurityRules

// The decisions of security rules alone, on one core. It reads a file of rules and judges the read
// of a document by a rule of ten conditions:
//
//     RulesCost FILE

/// Documents that no rule asks for.
struct NoDocuments: RulesDocuments {
  func fields(at path: ResourcePath) -> MapValue? { nil }
  func fieldsAfter(at path: ResourcePath) -> MapValue? { nil }
  func writes(_ path: ResourcePath) -> Bool { false }
}

guard let file = CommandLine.arguments.dropFirst().first else {
  FileHandle.standardError.write(Data("RulesCost: give a file of rules.\n".utf8))
  exit(64)
}
let ruleset = try Ruleset(compiling: String(contentsOfFile: file, encoding: .utf8))
let path = try ResourcePath("tasks/t1")
let document: MapValue = [
  "user": "user1", "time": 1, "title": "Buy milk and bread for the weekend", "done": false,
  "priority": 1, "estimate": 0.25,
]
let user = RulesAuth(claims: [
  "sub": "user1", "user_id": "user1", "email": "user1@example.com", "email_verified": true,
])
let least = 200_000.0

/// Returns the decisions a second over a part of a second, each of a request of its own.
func rate(_ decide: (RulesRequest) throws -> Decision) rethrows -> Double {
  let start = ContinuousClock.now
  var count = 0
  while ContinuousClock.now - start < .milliseconds(500) {
    for _ in 0..<1_000 {
      let request = RulesRequest(by: user, at: .minimum, reading: NoDocuments())
      let decision = try decide(request)
      precondition(decision.isAllowed)
    }
    count += 1_000
  }
  return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
}

let operation = RulesOperation.get(path, document: document)
let coverage = RulesCoverage(of: ruleset)
let rates = try (0..<7).map { _ in try rate { try ruleset.decide(operation, of: $0) } }
let covered = try (0..<7).map { _ in try rate { try coverage.decide(operation, of: $0) } }
for (name, rates) in [("", rates), (", with coverage", covered)] {
  print("\(Int(rates.sorted()[3])) decisions a second by ten conditions\(name), on one core")
}
print("At least \(Int(least)) decisions a second: \(rates.sorted()[3] >= least ? "met" : "missed")")
if rates.sorted()[3] < least { exit(1) }
