import Foundation
import Hearth
import Testing

/// The tool's reports on an application's use of its indexes.
@Suite struct UsageTests {
  private static func withUsedDatabase(_ body: (URL) async throws -> Void) async throws {
    try await withFolder { folder in
      try use(folder.appending(path: "a.hearth").path)
      try await body(folder)
    }
  }

  /// Creates a database of which one index is used.
  private static func use(_ path: String) throws {
    let database = try Database.open(at: path)
    let (a, b) = (try FieldPath("a"), try FieldPath("b"))
    for fields in [[a, b], [b, a]] {
      try database.indexes.create(
        IndexDefinition("c", fields.map { IndexColumn($0, .ascending) }))
    }
    try database.indexes.setOverride(
      [SingleFieldIndex(.ascending)], of: FieldPath("t"), in: "c")
    try database.document("c/1").setData(["a": 1, "b": 1, "t": 1])
    let query = try database.collection("c").whereField("a", isEqualTo: 1).order(by: "b")
    for _ in 1...3 { _ = try query.getDocuments() }
    try database.close()
  }

  @Test func listsWhatWasUsed() async throws {
    try await Self.withUsedDatabase { folder in
      let run = try await ToolScript.shell("hearth index list --usage --db a.hearth", in: folder)
      let rows = run.output.split(separator: "\n").map {
        $0.split(separator: "\t", omittingEmptySubsequences: false)
      }
      #expect(
        rows.map { [$0[3], $0[5], $0[7]] } == [
          ["a:asc b:asc", "3", "1"], ["b:asc a:asc", "0", "1"], ["t:asc", "0", "1"],
        ])
      #expect(rows[0][6].hasPrefix("20") && rows[1][6] == "-")
    }
  }

  @Test func listsWhatWasNotUsed() async throws {
    try await Self.withUsedDatabase { folder in
      let unused = try await ToolScript.shell(
        "hearth index unused --since 0s --db a.hearth | cut -f 1,4", in: folder)
      #expect(unused.output == "composite\ta:asc b:asc\ncomposite\tb:asc a:asc\nfield\tt:asc\n")
      // The whole recorded time is shorter than that.
      let since = try await ToolScript.shell(
        "hearth index unused --since 1h --db a.hearth", in: folder)
      #expect(since.output.isEmpty && since.status == 0)
      #expect(since.errors.hasPrefix("Note: the use of indexes is recorded since 20"))
      let all = try await ToolScript.shell(
        "hearth index unused --since 0s --fields --json --db a.hearth", in: folder)
      #expect(all.output.split(separator: "\n").count == 5)
    }
  }
}
