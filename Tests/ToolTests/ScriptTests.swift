import Testing

/// Sessions with the tool, as golden scripts.
@Suite struct ScriptTests {
  @Test(arguments: [
    "documents", "import", "queries", "indexes", "indexfile", "replay", "check", "errors", "help",
    "watch", "bench", "builds", "salvage", "hiding", "statistics", "ttl", "merges", "rules",
    "formats", "transfer", "mistakes", "schema",
  ])
  func agrees(script: String) async throws {
    let difference = try await ToolScript.difference(in: "tool/\(script).golden")
    #expect(difference == nil)
  }
}
