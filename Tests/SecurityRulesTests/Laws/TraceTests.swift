import HearthSecurityRules
import Testing

/// The traces of decisions on the recorded requests.
@Suite struct TraceTests {
  @Test(arguments: ["scenario", "queries", "functions-limits", "methods-errors"])
  func everyTracedExpressionIsListed(_ area: String) throws {
    var (tracedCount, statementCount) = (0, 0)
    for row in try RulesCase.all(in: area)
    where !row.isCompilation && SkippedCases.reason(row) == nil {
      let ruleset = try Ruleset(compiling: row.rules)
      let expressions = Set(ruleset.expressions)
      let request = try CaseRequest(row)
      for operation in request.operations {
        let decision = try ruleset.decide(operation, of: request.request, tracing: true)
        for expression in decision.trace where !expression.isConstant {
          #expect(expressions.contains(expression.range), "\(row)")
        }
        // The parts of the trace follow one another, and nothing is between them.
        var end = 0
        for item in decision.items {
          #expect(item.traced.lowerBound == end, "\(row)")
          end = item.traced.upperBound
        }
        #expect(end == decision.trace.count, "\(row)")
        tracedCount += decision.trace.count
        statementCount += decision.items.count
      }
    }
    #expect(tracedCount > statementCount && statementCount > 20)
  }

  @Test func expressionsAreInTheOrderOfTheText() throws {
    let ruleset = try Ruleset(
      compiling: """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{db}/documents {
            function isOwn(a) { let b = a.c; return (b == 'x') && resource.data.d in [1, 2]; }
            match /e/{f} { allow get: if true; allow list: if isOwn(resource); }
          }
        }
        """)
    let places = ruleset.expressions.map { "\($0.start.line):\($0.start.column)" }
    #expect(
      places == [
        // The value of b, and a in it.
        "4:33", "4:33",
        // The result, the comparison, b.
        "4:45", "4:46", "4:46",
        // The test, and the members up to resource.
        "4:59", "4:59", "4:59", "4:59",
        // The constant condition, the call and its argument.
        "5:34", "5:55", "5:61",
      ])
    let ends = ruleset.expressions.map(\.endOffset)
    #expect(ends[0] > ends[1] && ends[5] > ends[6])
  }
}
