import HearthDocumentModel
import HearthQueryPlanning
import HearthSecurityRules
import Testing

/// The outcomes of expressions over several decisions.
@Suite struct RulesCoverageTests {
  private static let text = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{db}/documents {
        function isOwner(id) { let user = request.auth.uid; return user == id; }
        function unused(a) { return a == 1; }
        match /c/{id} {
          allow get: if request.auth != null && isOwner(resource.data.owner);
          allow list: if resource.data.x == 1 || id == 'a';
          allow delete: if true;
          allow update: if exists(/databases/$(db)/documents/c/b);
        }
      }
    }
    """

  private static func coverage() throws -> RulesCoverage {
    let coverage = RulesCoverage(of: try Ruleset(compiling: text))
    let path = try ResourcePath("c/a")
    func decide(_ uid: String?, _ operation: RulesOperation) throws -> Bool {
      let request = RulesRequest(
        by: uid.map { RulesAuth(claims: ["sub": .string($0)]) }, at: try Timestamp(microseconds: 0),
        reading: try CommittedDocuments(seed: nil))
      return try coverage.decide(operation, of: request).isAllowed
    }
    #expect(try decide("ann", .get(path, document: ["owner": "ann"])))
    #expect(try !decide("bob", .get(path, document: ["owner": "ann"])))
    #expect(try !decide(nil, .get(path, document: ["owner": "ann"])))
    #expect(try !decide("ann", .get(path, document: nil)))
    #expect(try !decide(nil, .list(StructuredQuery(collectionID: "c"))))
    #expect(try decide(nil, .write(.delete, path, before: nil, after: nil)))
    return coverage
  }

  private static func lines(_ nodes: [CoverageNode], _ indent: String = "") -> [String] {
    nodes.flatMap { node -> [String] in
      let units = Array(text.utf16)[node.range.start.offset...node.range.endOffset]
      let outcomes = node.outcomes.map { outcome, count in
        switch outcome {
        case .value(.bool(let value)): "\(count) \(value)"
        case .value(.string(let value)): "\(count) '\(value)'"
        case .value(.other(let type)): "\(count) \(type)"
        case .value(let value): "\(count) \(value)"
        case .error(let text): "\(count) error \(text ?? "unknown")"
        case .skipped: "\(count) skipped"
        }
      }
      let told = outcomes.isEmpty ? "-" : outcomes.joined(separator: ", ")
      let line = "\(indent)\(String(decoding: units, as: UTF16.self)): \(told)"
      return [line] + lines(node.children, indent + "  ")
    }
  }

  @Test func functionsAndConditionsAreATree() throws {
    let lines = Self.lines(try Self.coverage().nodes)
    #expect(
      lines.joined(separator: "\n")
        == """
        let user = request.auth.uid; return user == id: 1 true, 1 false, 1 error Null value error.
          request.auth.uid: 2 'ann', 1 'bob'
            request.auth: 3 map
              request: 3 map
          user == id: 1 true, 1 false, 1 error Null value error.
            user: 2 'ann', 1 'bob'
            id: 2 'ann', 1 error Null value error.
        request.auth != null && isOwner(resource.data.owner): 1 true, 2 false, \
        1 error Null value error.
          request.auth != null: 3 true, 1 false
            request.auth: 3 map, 1 null
              request: 4 map
          isOwner(resource.data.owner): 1 true, 1 false, 1 error Null value error., 1 skipped
            resource.data.owner: 2 'ann', 1 error Null value error.
              resource.data: 2 map, 1 error Null value error.
                resource: 2 map, 1 null
        resource.data.x == 1 || id == 'a': 1 error Property x is undefined on object.
          resource.data.x == 1: 1 error Property x is undefined on object.
            resource.data.x: 1 error Property x is undefined on object.
              resource.data: 1 map
                resource: 1 map
          id == 'a': 1 error Null value error.
            id: 1 error Null value error.
        true: 1 true
        exists(/databases/$(db)/documents/c/b): -
          /databases/$(db)/documents/c/b: -
            db: -
        """)
  }

  @Test func statesAreThoseOfTheOutcomes() throws {
    let coverage = try Self.coverage()
    let states = CoveredExpression.notable(in: coverage.expressions).map {
      "\($0.range.start.line):\($0.range.start.column) \($0.state.rawValue)"
    }
    #expect(
      states == [
        "4:64 both", "5:33 never", "7:21 both", "7:21 both", "7:45 both", "8:22 only errors",
        "10:24 never",
      ])
    #expect(coverage.expressions.map(\.range) == coverage.ruleset.expressions)
    #expect(CoveredExpression.count(.unreached, in: coverage.expressions) == 5)
  }

  /// Neither values nor texts fill the memory.
  @Test func differentOutcomesAreBounded() throws {
    let ruleset = try Ruleset(
      compiling: """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{db}/documents/c/{id} {
            allow get: if resource.data.a == resource.data.b;
          }
        }
        """)
    let coverage = RulesCoverage(of: ruleset)
    #expect(!coverage.hasDecisions && coverage.nodes.allSatisfy(\.outcomes.isEmpty))
    #expect(coverage.nodes.count == 1)
    let long = String(repeating: "é", count: 10_000)
    for number in 0..<100 {
      let request = RulesRequest(
        by: nil, at: try Timestamp(microseconds: 0), reading: try CommittedDocuments(seed: nil))
      let fields: MapValue = ["a": .integer(Int64(number)), "b": .string(long)]
      _ = try coverage.decide(.get(try ResourcePath("c/a"), document: fields), of: request)
    }
    let parts = try #require(coverage.nodes.first).children
    #expect(parts.map(\.outcomes.count) == [20, 1])
    #expect(coverage.expressions.map(\.outcomes.otherCount).max() == 100)
    guard case .value(.string(let text))? = parts[1].outcomes.first?.outcome else {
      Issue.record("\(parts[1].outcomes)")
      return
    }
    #expect(text.count == 101)
  }
}
