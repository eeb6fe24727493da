import Hearth
import HearthSecurityRules

/// A request to judge, with the documents around it and the outcome that is expected.
struct RulesCase {
  /// The name for people; without one, the method and the place.
  let name: String
  /// The number of the case's line in its file; `nil` for a file of one case.
  let line: Int?
  let database: String
  let operation: RulesOperation
  let auth: RulesAuth?
  let time: Timestamp
  let documents: CaseDocuments
  /// Whether the request should be allowed; `nil` if the case doesn't say.
  let expectsAllowed: Bool?

  /// Returns the decision of rules on the request.
  func decision(by ruleset: Ruleset, tracing: Bool = false) throws -> Decision {
    try ruleset.decide(operation, of: request, tracing: tracing)
  }

  /// Returns the decision of rules on the request, and counts its outcomes.
  func decision(in coverage: RulesCoverage) throws -> Decision {
    try coverage.decide(operation, of: request)
  }

  private var request: RulesRequest {
    RulesRequest(in: database, by: auth, at: time, reading: documents)
  }
}

/// The documents around a case: as they are, and as the request leaves them.
struct CaseDocuments: RulesDocuments {
  var before: [ResourcePath: MapValue] = [:]
  /// The documents that the request writes; `nil` for one that it deletes.
  var written: [ResourcePath: MapValue?] = [:]

  func fields(at path: ResourcePath) -> MapValue? { before[path] }

  func fieldsAfter(at path: ResourcePath) -> MapValue? { written[path] ?? before[path] }

  func writes(_ path: ResourcePath) -> Bool { written[path] != nil }
}
