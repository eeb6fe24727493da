import Foundation
import TestSupport
import Testing
import hearth

/// Random command lines from the grammars of all commands; the seed is printed.
///
/// `Tools/argument-law` runs 10,000 of them.
@Suite struct ArgumentLawTests {
  /// A case is a run of the tool, so there are fewer than elsewhere.
  private static let rounds = GeneratedCases.count(per: 200)
  /// Number of runs after which the folder is made anew.
  private static let runsPerFolder = 50

  @Test func everyCommandLineEndsInADocumentedStatus() async throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let commands = try await CommandGrammar.all()
    #expect(commands.count > 30)
    var statuses: [Int32: Int] = [:]
    var round = 0
    while round < Self.rounds {
      try await withFolder { folder in
        try await Self.prepare(folder)
        for _ in 0..<min(Self.runsPerFolder, Self.rounds - round) {
          let command = random.pick(commands)
          var arguments = command.arguments(using: &random)
          // Commands that go on until they are stopped find no database.
          if command.isEndless { arguments.append("--db=data.csv") }
          let run = try await ToolRun.run(
            arguments, environment: ["HEARTH_DB": folder.appending(path: "a.hearth").path],
            in: folder)
          #expect(ExitStatus(rawValue: run.status) != nil, "\(arguments): \(run)")
          #expect(run.status != ExitStatus.fault.rawValue, "\(arguments): \(run)")
          #expect(!run.errors.contains("Fatal error"), "\(arguments): \(run)")
          if run.status >= 64 { #expect(!run.errors.isEmpty, "\(arguments)") }
          statuses[run.status, default: 0] += 1
          round += 1
        }
      }
    }
    let counts = statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    print("Statuses of \(round) command lines: \(counts.joined(separator: ", "))")
    if round >= 1_000 {
      #expect(statuses[0, default: 0] * 20 >= round, "\(statuses)")
      #expect(statuses[64, default: 0] * 4 <= round * 3, "\(statuses)")
    }
  }

  /// Makes the files and the database that the command lines name.
  private static func prepare(_ folder: URL) async throws {
    let files = [
      "data.csv": "id,n,t\na,1,x\nb,2,NA\n", "data.ndjson": #"{"id": "a", "n": [1, "two"]}"# + "\n",
      "query.json": #"{"from": [{"collectionId": "c"}], "limit": 2}"#,
      "queries.txt": "c where n == 1 order by t\n",
      "indexes.json": #"{"indexes": [], "fieldOverrides": []}"#, "writes.json": #"{"writes": []}"#,
      "rules": "rules_version = '2';\nservice cloud.firestore {}\n", "noise": "\u{0}\u{FEFF}{[\"",
    ]
    for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
    let made = try await ToolScript.shell(
      "export HEARTH_DB=a.hearth; hearth import c data.csv --id-field id; hearth set c/a/d/e '{}'",
      in: folder)
    #expect(made.status == 0, "\(made)")
  }
}
