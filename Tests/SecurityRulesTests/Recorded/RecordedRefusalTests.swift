import HearthFirestoreJSON
import HearthSecurityRules
import Testing

/// The files that don't compile, and the faults of all files, compared with recorded ones.
@Suite struct RecordedRefusalTests {
  /// Files whose first fault the emulator's parser sees at another place.
  private static let otherPlaces: Set<String> = ["invalid-031", "invalid-050", "invalid-206"]

  /// Words of messages that come from the emulator's parser. Only their place counts.
  private static let syntaxWords = [
    "Unexpected", "mismatched", "missing '", "missing IDENT", "token recognition",
    "Missing 'match'", "Missing a closing",
  ]

  @Test func filesAreRefusedAsRecorded() throws {
    var refused = 0
    for area in RulesCase.areas {
      for row in try RulesCase.all(in: area) where row.isCompilation {
        let isGood = row.expect["ok"]?.boolean ?? false
        do {
          _ = try Ruleset(compiling: row.rules)
          if !isGood { Issue.record("\(row) compiles, not \(row.message)") }
        } catch {
          refused += 1
          if isGood { Issue.record("\(row): \(error)") } else { compare(error, row) }
        }
      }
    }
    #expect(refused == 218)
  }

  private func compare(_ error: RulesetError, _ row: RulesCase) {
    guard Self.syntaxWords.contains(where: row.message.contains) else {
      #expect(error.description == row.message, "\(row)")
      return
    }
    let place = { (text: String) in text.split(separator: "\n")[1].prefix { $0 != " " } }
    let isSame = place(error.description) == place(row.message)
    #expect(isSame != Self.otherPlaces.contains(row.id), "\(row): \(error), not \(row.message)")
  }

  @Test func warningsAreTheRecordedOnes() throws {
    var count = 0
    for area in RulesCase.areas {
      for row in try RulesCase.all(in: area) {
        guard let ruleset = try? Ruleset(compiling: row.rules) else { continue }
        let wanted = row.expect["issues"]?.elements.compactMap(\.string) ?? []
        // The warnings of a request's rules are recorded if there are any.
        guard row.isCompilation || !wanted.isEmpty else { continue }
        count += 1
        let texts = ruleset.warnings.map { issue in
          "\(issue.severity.rawValue) \(issue.position.line):\(issue.position.column) "
            + issue.description
        }
        #expect(texts == wanted.filter { !DoubtfulCases.isUnheeded($0) }, "\(row)")
      }
    }
    #expect(count > 200)
  }
}
