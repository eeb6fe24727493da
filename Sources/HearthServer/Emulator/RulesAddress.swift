/// The address of a project's security rules or of their coverage, as emulators have them:
/// `/emulator/v1/projects/P:securityRules`. One of a database of the project means the same.
struct RulesAddress {
  enum Verb: String, CaseIterable {
    case rules = "securityRules"
    case coverage = "ruleCoverage"
    case coveragePage = "ruleCoverage.html"
  }

  let project: String
  let verb: Verb

  /// - Parameter target: the address below `/emulator`.
  /// - Returns: `nil` for any other address.
  init?(_ target: String) {
    guard var address = RESTAddress(target),
      let verb = address.removeVerb(of: Verb.allCases.map(\.rawValue)).flatMap(Verb.init),
      let path = address.path, path.count == 3 || path.count == 5, path[0] == "v1",
      path[1] == "projects", path.count == 3 || path[3] == "databases"
    else { return nil }
    (project, self.verb) = (path[2], verb)
  }
}
