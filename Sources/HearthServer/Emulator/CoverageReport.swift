import HearthDocumentModel
import HearthFirestoreJSON
import HearthSecurityRules
import HearthServerTransport

/// The report on the coverage of a project's rules, as emulators give it.
struct CoverageReport {
  private let coverage: RulesCoverage

  init(_ coverage: RulesCoverage) {
    self.coverage = coverage
  }

  /// Members of the report beside the rules: none before the first request.
  var members: [(String, JSONValue)] {
    guard coverage.hasDecisions else { return [] }
    return [("report", .array(coverage.nodes.map(json)))]
  }

  /// The page for browsers.
  ///
  /// - Parameter project: the project whose rules they are.
  func page(of project: String) -> HTTPResponse {
    let page = CoveragePage(
      of: coverage, title: coverage.ruleset.fileName ?? "security.rules",
      caption: "Requests to the project \(project) since these rules hold.")
    return HTTPResponse(
      200, headers: [("content-type", "text/html; charset=utf-8")], body: Array(page.html.utf8))
  }

  private func json(of node: CoverageNode) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("sourcePosition", .object(node.range.start.members(to: node.range.endOffset)))
    ]
    let values = node.outcomes.map { outcome, count in
      JSONValue.object([
        ("value", json(of: outcome, of: node)), ("count", .integer(Int64(count))),
      ])
    }
    if !values.isEmpty { members.append(("values", .array(values))) }
    if !node.children.isEmpty { members.append(("children", .array(node.children.map(json)))) }
    return .object(members)
  }

  private func json(of outcome: CoverageNode.Outcome, of node: CoverageNode) -> JSONValue {
    switch outcome {
    case .skipped: return .object([])
    case .value(let value): return .object([value.member])
    case .error(let text):
      let place = node.range.start.members(to: node.range.endOffset)
      var members: [(String, JSONValue)] = [("sourcePosition", .object(place))]
      if let text { members.append(("causeMessage", .string(text))) }
      return .object([("undefined", .object(members))])
    }
  }
}

extension SourcePosition {
  /// The members of a place in the emulators' form.
  func members(to endOffset: Int) -> [(String, JSONValue)] {
    [
      ("line", .integer(Int64(line))), ("column", .integer(Int64(column))),
      ("currentOffset", .integer(Int64(offset))), ("endOffset", .integer(Int64(endOffset))),
    ]
  }
}

extension TracedValue {
  /// The value in the emulators' form. One whose contents are not told is an empty object.
  fileprivate var member: (String, JSONValue) {
    switch self {
    case .null: ("nullValue", .null)
    case .bool(let value): ("boolValue", .boolean(value))
    case .int(let value): ("intValue", .string("\(value)"))
    case .float(let value):
      ("floatValue", value.isFinite ? .double(value) : .string("\(value)"))
    case .string(let value): ("stringValue", .string(value))
    case .timestamp(let seconds, let nanoseconds):
      (
        "timestampValue",
        .string(
          Int32(exactly: nanoseconds).flatMap {
            try? Timestamp(seconds: seconds, nanoseconds: $0)
          }?.rfc3339 ?? "\(seconds)")
      )
    case .path(let segments):
      (
        "pathValue",
        .object([
          ("segments", .array(segments.map { .object([("simple", .string($0))]) }))
        ])
      )
    case .list: ("listValue", .object([]))
    case .map: ("mapValue", .object([]))
    case .other(let type): ("\(type)Value", .object([]))
    }
  }
}
