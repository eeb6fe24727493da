import HearthDocumentModel
import HearthFirestoreJSON
import HearthSecurityRules
import HearthServerCalls
import HearthServerTransport

/// The answers at the addresses of a project's security rules: the rules, their replacement, and
/// their coverage.
struct RulesUpload: Sendable {
  private let rules: ServedRules

  init(_ rules: ServedRules) {
    self.rules = rules
  }

  /// Answers a request.
  ///
  /// - Parameter target: the address below `/emulator`.
  /// - Returns: `nil` for an address that nothing answers.
  func answer(_ request: HTTPRequest, at target: String) -> HTTPResponse? {
    guard let address = RulesAddress(target) else { return nil }
    do throws(DatabaseError) {
      switch (request.method, address.verb) {
      case ("PUT", .rules):
        let ruleset = try RulesUpload.ruleset(in: request)
        try rules.replace(ruleset, ofProject: address.project)
        return RESTService.response(200, .object(RulesUpload.issues(of: ruleset)))
      case ("GET", .rules):
        let ruleset = try rules.ruleset(ofProject: address.project)
        return RESTService.response(
          200, .object(ruleset.map { RulesUpload.members($0) + RulesUpload.issues(of: $0) } ?? []))
      case ("GET", .coverage):
        let coverage = try rules.coverage(ofProject: address.project)
        let members = coverage.map {
          RulesUpload.members($0.ruleset) + CoverageReport($0).members
        }
        return RESTService.response(200, .object(members ?? []))
      case ("GET", .coveragePage):
        return try rules.coverage(ofProject: address.project).map {
          CoverageReport($0).page(of: address.project)
        }
      default: return nil
      }
    } catch {
      return RESTService.refusal(error, streams: false)
    }
  }

  /// Compiles the rules of an upload.
  ///
  /// - Throws: `invalidArgument` for a body of another form, and for rules that don't compile, with
  ///   the compiler's text.
  private static func ruleset(in request: HTTPRequest) throws(DatabaseError) -> Ruleset {
    let body = JSONValue.object(try RESTRequest.body(of: request))
    let files = body["rules"]?["files"]?.elements ?? []
    guard files.count == 1, let text = files[0]["content"]?.string else {
      throw DatabaseError(
        .invalidArgument,
        "The body must have one file: {\"rules\": {\"files\": [{\"content\": \"…\"}]}}")
    }
    let name = files[0]["name"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    do throws(RulesetError) {
      return try Ruleset(compiling: text, fileName: name)
    } catch {
      throw DatabaseError(.invalidArgument, error.description, cause: error)
    }
  }

  /// The member that holds the text of rules.
  private static func members(_ ruleset: Ruleset) -> [(String, JSONValue)] {
    var file: [(String, JSONValue)] = []
    if let name = ruleset.fileName { file.append(("name", .string(name))) }
    file.append(("content", .string(ruleset.source)))
    return [("rules", .object([("files", .array([.object(file)]))]))]
  }

  private static func issues(of ruleset: Ruleset) -> [(String, JSONValue)] {
    guard !ruleset.warnings.isEmpty else { return [] }
    return [("issues", .array(ruleset.warnings.map { json(of: $0, in: ruleset.fileName) }))]
  }

  private static func json(of issue: RulesIssue, in file: String?) -> JSONValue {
    var place: [(String, JSONValue)] = []
    if issue.position.line > 0 {
      if let file { place.append(("fileName", .string(file))) }
      place += issue.position.members(to: issue.endOffset)
    }
    return .object([
      ("sourcePosition", .object(place)), ("description", .string(issue.description)),
      ("severity", .string(issue.severity.rawValue)),
    ])
  }
}
