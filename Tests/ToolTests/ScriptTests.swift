import Testing

/// Sessions with the tool, as golden scripts.
@Suite struct ScriptTests {
  @Test(arguments: [
    "documents", "import", "queries", "indexes", "replay", "check", "errors", "help", "watch",
    "bench",
  ])
  func agrees(script: String) async throws {
    let difference = try await ToolScript.difference(in: "tool/\(script).golden")
    #expect(difference == nil)
  }
}
