import Foundation
import TestSupport
import Testing

/// The forms of `hearth stats`.
@Suite struct StatisticsFormatTests {
  private static func stats(_ options: String) async throws -> [Substring] {
    let text = try await withFolder { folder in
      let run = try await ToolScript.shell(
        """
        hearth index create c x:asc y:asc --db a.hearth
        hearth set c/a '{"x": 1}' --db a.hearth && hearth stats --db a.hearth \(options)
        """, in: folder)
      #expect(run.status == 0, "\(run)")
      return run.output
    }
    // The first lines are those of the other commands.
    return Array(
      text.split(separator: "\n").drop { !$0.contains("documents") && !$0.contains("kind") })
  }

  @Test func valuesInCommasAreThoseOfTheIndexes() async throws {
    let lines = try await Self.stats("--format csv")
    #expect(
      lines.first
        == "kind,collection,scope,fields,state,entries,bytes,on disk,queries,last used,writes")
    let isThere = lines.contains { $0.hasPrefix("composite,c,COLLECTION,x:asc y:asc,READY,") }
    #expect(isThere, "\(lines)")
    #expect(lines.allSatisfy { $0.split(separator: ",").count == 11 }, "\(lines)")
  }

  @Test func recordsHaveALineForEachFigure() async throws {
    let lines = try await Self.stats("--complete --format vertical")
    #expect(lines.contains("documents           1"), "\(lines)")
    #expect(lines.contains("─[ index 1 ]─") && lines.contains("fields      x:asc y:asc"))
  }

  @Test func tablesComeWithoutATerminalToo() async throws {
    let lines = try await Self.stats("--format table")
    #expect(lines.contains { $0.hasPrefix("kind  ") } && lines.contains { $0.contains("───") })
  }

  @Test func bothNamesOfJSONAreTheSame() async throws {
    for option in ["--json", "--format json"] {
      let lines = try await Self.stats(option)
      #expect(lines.count == 1 && lines[0].hasPrefix(#"{"commits":"#), "\(lines)")
    }
  }
}
