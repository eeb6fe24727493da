import HearthDocumentModel
import HearthFirestoreJSON
import HearthSecurityRules
import HearthServerCalls
import HearthServerTransport

/// The address of a project's security rules, as emulators have it:
/// `/emulator/v1/projects/P:securityRules`. One of a database of the project means the same.
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
    guard request.method == "PUT" || request.method == "GET",
      let project = RulesUpload.project(in: target)
    else { return nil }
    do throws(DatabaseError) {
      guard request.method == "PUT" else {
        let ruleset = try rules.ruleset(ofProject: project)
        return RESTService.response(200, ruleset.map(RulesUpload.json) ?? .object([]))
      }
      let ruleset = try RulesUpload.ruleset(in: request)
      try rules.replace(ruleset, ofProject: project)
      return RESTService.response(200, .object(RulesUpload.issues(of: ruleset)))
    } catch {
      return RESTService.refusal(error, streams: false)
    }
  }

  private static func project(in target: String) -> String? {
    guard var address = RESTAddress(target), address.removeVerb(of: ["securityRules"]) != nil,
      let path = address.path, path.count == 3 || path.count == 5, path[0] == "v1",
      path[1] == "projects", path.count == 3 || path[3] == "databases"
    else { return nil }
    return path[2]
  }

  /// Compiles the rules of an upload.
  ///
  /// - Throws: `invalidArgument` for a body of another form, and for rules that don't compile, with
  ///   the compiler's text.
  private static func ruleset(in request: HTTPRequest) throws(DatabaseError) -> Ruleset {
    let body = JSONValue.object(try RESTRequest.body(of: request))
    let files = body.member("rules")?.member("files")?.elements ?? []
    guard files.count == 1, case .string(let text)? = files[0].member("content") else {
      throw DatabaseError(
        .invalidArgument,
        "The body must have one file: {\"rules\": {\"files\": [{\"content\": \"…\"}]}}")
    }
    var name: String?
    if case .string(let text)? = files[0].member("name"), !text.isEmpty { name = text }
    do throws(RulesetError) {
      return try Ruleset(compiling: text, fileName: name)
    } catch {
      throw DatabaseError(.invalidArgument, error.description, cause: error)
    }
  }

  private static func json(of ruleset: Ruleset) -> JSONValue {
    var file: [(String, JSONValue)] = []
    if let name = ruleset.fileName { file.append(("name", .string(name))) }
    file.append(("content", .string(ruleset.source)))
    let rules = JSONValue.object([("files", .array([.object(file)]))])
    return .object([("rules", rules)] + issues(of: ruleset))
  }

  private static func issues(of ruleset: Ruleset) -> [(String, JSONValue)] {
    guard !ruleset.warnings.isEmpty else { return [] }
    return [("issues", .array(ruleset.warnings.map { json(of: $0, in: ruleset.fileName) }))]
  }

  private static func json(of issue: RulesIssue, in file: String?) -> JSONValue {
    var place: [(String, JSONValue)] = []
    if issue.position.line > 0 {
      if let file { place.append(("fileName", .string(file))) }
      place += [
        ("line", .integer(Int64(issue.position.line))),
        ("column", .integer(Int64(issue.position.column))),
        ("currentOffset", .integer(Int64(issue.position.offset))),
        ("endOffset", .integer(Int64(issue.endOffset))),
      ]
    }
    return .object([
      ("sourcePosition", .object(place)), ("description", .string(issue.description)),
      ("severity", .string(issue.severity.rawValue)),
    ])
  }
}

extension JSONValue {
  fileprivate func member(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.0 == name }?.1
  }

  fileprivate var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }
}
