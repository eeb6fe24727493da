import Foundation
import TestSupport
import Testing

@Suite struct ToolRunTests {
  @Test func runsTheBuiltTool() async throws {
    #expect(FileManager.default.isExecutableFile(atPath: ToolRun.executable.path))
    let run = try await ToolRun.run(["--version"])
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
  }
}
