import Foundation
import Testing

/// The page of shapes, whose commands are run in their order, in one folder.
@Suite struct OutputShapeTests {
  /// A command of the page and the shapes of the lines that it prints.
  private struct Example {
    let command: String
    var shapes: [OutputShape] = []
    var matched: Set<Int> = []
  }

  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/Hearth/Hearth.docc/JSONOutput.md")

  @Test func everyOutputHasTheShapeOnThePage() async throws {
    let (examples, named) = try Self.examples()
    try await withFolder { folder in
      for var example in examples {
        let run = try await ToolScript.shell(
          "export HEARTH_DB=a.hearth; " + example.command, in: folder)
        guard !example.shapes.isEmpty else {
          #expect(run.status == 0, "\(example.command): \(run)")
          continue
        }
        let text = run.output.isEmpty ? run.errors : run.output
        for line in text.split(separator: "\n") {
          guard let json = try? JSONSerialization.jsonObject(with: Data(line.utf8)) else {
            Issue.record("\(example.command): no JSON: \(line)")
            continue
          }
          let found = example.shapes.indices.filter { example.shapes[$0].matches(json, named) }
          #expect(!found.isEmpty, "\(example.command): \(line)")
          example.matched.formUnion(found)
        }
        #expect(example.matched.count == example.shapes.count, "\(example.command): \(run)")
      }
    }
  }

  @Test func everyCommandWithJSONIsOnThePage() async throws {
    let commands = try await CommandGrammar.all().filter(\.hasJSON).map {
      $0.path.joined(separator: " ")
    }
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let titles = page.split(separator: "\n").filter { $0.hasPrefix("### ") }
      .flatMap { $0.dropFirst(4).split(separator: ", ").map(String.init) }
    #expect(Set(commands).subtracting(titles).sorted() == [])
    #expect(Set(titles).subtracting(commands).sorted() == [])
  }

  /// Returns the commands of the page with their shapes, and the shapes with names.
  private static func examples() throws -> ([Example], [String: OutputShape]) {
    let page = try String(contentsOf: page, encoding: .utf8)
    var (examples, named): ([Example], [String: OutputShape]) = ([], [:])
    for (place, block) in page.components(separatedBy: "```").enumerated() where place % 2 == 1 {
      for line in block.split(separator: "\n").map(String.init) where line != "json" {
        if line.hasPrefix("$ ") {
          examples.append(Example(command: String(line.dropFirst(2))))
        } else if let match = line.wholeMatch(of: /([a-zA-Z]+) = (.*)/) {
          named[String(match.1)] = try OutputShape(String(match.2))
        } else {
          examples[examples.count - 1].shapes.append(try OutputShape(line))
        }
      }
    }
    return (examples, named)
  }
}
