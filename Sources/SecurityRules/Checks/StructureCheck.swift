import HearthDocumentModel

/// The checks of a file's blocks that need no names of functions: paths, nesting and numbers.
struct StructureCheck {
  private static let matchDepthLimit = 10
  private static let pathLengthLimit = 100
  private static let wildcardLimit = 20
  private static let variableLimit = 10

  private let version: Int
  private var issues: [RulesIssue] = []

  private init(version: Int) {
    self.version = version
  }

  /// Returns the faults in the blocks of `file`.
  static func issues(in file: RulesFile) -> [RulesIssue] {
    var check = StructureCheck(version: file.version)
    for function in file.functions { check.visit(function) }
    for service in file.services {
      for function in service.functions { check.visit(function) }
      for match in service.matches { check.visit(match, within: Enclosure()) }
    }
    return check.issues
  }

  /// The blocks around a block, as far as the limits count them.
  private struct Enclosure {
    var depth = 0
    var segmentCount = 0
    var wildcardCount = 0
    var hasGlob = false
  }

  private mutating func report(_ description: String, at range: SourceRange) {
    issues.append(RulesIssue(.error, description, at: range))
  }

  private mutating func visit(_ function: FunctionSyntax) {
    // Production takes one variable more than it says.
    let limit = Self.variableLimit + 1
    guard function.variables.count > limit else { return }
    let isNext = function.variables.count > limit + 1
    report(
      "Maximum allowed variable count of 10 for a given function has been reached.",
      at: isNext ? function.variables[limit + 1].range : function.result.range)
  }

  private mutating func visit(_ match: MatchSyntax, within outer: Enclosure) {
    var inner = outer
    inner.depth += 1
    // The block of the database is not counted.
    guard inner.depth <= Self.matchDepthLimit + 1 else {
      report(
        "Maximum allowed resource rule depth of 10 is reached.", at: match.range)
      return
    }
    inner.segmentCount += match.path.count
    if inner.segmentCount > Self.pathLengthLimit {
      report("Maximum allowed path length of 100 is reached.", at: match.range)
    }
    let names = match.path.compactMap(\.segment.name)
    inner.wildcardCount += names.count
    if inner.wildcardCount > Self.wildcardLimit {
      report("Maximum allowed amount of 20 match field variables is reached.", at: match.range)
    }
    for (index, name) in names.enumerated()
    where names[..<index].contains(where: { $0.text.utf8Equal(name.text) }) {
      report("Variable \(name.text) already exists in the PathTemplate.", at: name.range)
    }
    inner.hasGlob = visitGlobs(of: match, isWithinGlob: outer.hasGlob)
    for function in match.functions { visit(function) }
    for match in match.matches { visit(match, within: inner) }
  }

  /// - Returns: whether the composed path has a glob.
  private mutating func visitGlobs(of match: MatchSyntax, isWithinGlob: Bool) -> Bool {
    let globs = match.path.indices.filter { match.path[$0].segment.isGlob }
    guard !globs.isEmpty else { return isWithinGlob }
    if version == 1 {
      for glob in globs where glob != match.path.count - 1 {
        report(
          "Invalid glob match expression. Glob matches are permitted as the last segment in a "
            + "match declaration path.", at: match.path[glob].range)
      }
      return true
    }
    let only =
      "Invalid glob match expression. Only one glob match is permitted in a match "
      + "declaration path."
    if globs.count > 1 {
      report(only, at: match.path[globs[1]].range)
    } else if isWithinGlob {
      report(only, at: match.range)
    }
    return true
  }
}

extension MatchSyntax.Segment {
  /// The variable that the segment binds; `nil` for a text.
  var name: Name? {
    switch self {
    case .text: nil
    case .variable(let name), .glob(let name): name
    }
  }

  /// Whether the segment stands for any number of segments.
  var isGlob: Bool {
    if case .glob = self { true } else { false }
  }
}
