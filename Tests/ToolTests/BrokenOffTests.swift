import Foundation
import TestSupport
import Testing
import hearth

/// Commands that a signal breaks off.
@Suite struct BrokenOffTests {
  @Test func anImportSaysWhatItKeeps() throws {
    try withFolder { folder in
      let errors = folder.appending(path: "errors").path
      let lines = (0..<200_000).map { #"{"id":"\#($0)","n":\#($0)}"# + "\n" }.joined()
      try Data(lines.utf8).write(to: folder.appending(path: "many.ndjson"))
      let tool = try RunningWriter(
        [
          "import", "c", folder.appending(path: "many.ndjson").path, "--id-field", "id",
          "--print-acknowledged", "--db", folder.appending(path: "a.hearth").path,
        ], program: "hearth", errors: errors)
      #expect(tool.nextLine() == "500")
      tool.send(SIGINT)
      _ = tool.finish()
      #expect(tool.exitStatus == Int(SIGINT))
      let text = try String(contentsOfFile: errors, encoding: .utf8)
      #expect(text.contains("or a batch more, stay. The same import replaces them"), "\(text)")
    }
  }

  @Test func aBenchmarkRemovesItsCopyAndTellsOfOthers() async throws {
    try await withFolder { folder in
      let path = folder.appending(path: "a.hearth").path
      for id in ["a", "b"] {
        let made = try await ToolRun.run(["set", "c/\(id)", #"{"n": 1}"#, "--db", path])
        #expect(made.status == 0)
      }
      try FileManager.default.createDirectory(
        atPath: path + ".bench-7", withIntermediateDirectories: false)
      let errors = folder.appending(path: "errors").path
      let tool = try RunningWriter(
        [
          "bench", "c", "-w", "n == ?", "--writers", "1", "--operations", "1000000000", "--db",
          path,
        ], program: "hearth", errors: errors)
      var text = ""
      while !text.contains("Writing to a copy") {
        text = try String(contentsOfFile: errors, encoding: .utf8)
        await Task.yield()
      }
      #expect(text.contains("there is a copy of another run, \(path).bench-7"), "\(text)")
      tool.send(SIGTERM)
      _ = tool.finish()
      #expect(tool.exitStatus == Int(SIGTERM))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.filter { $0.contains(".bench-") } == ["a.hearth.bench-7"], "\(names)")
    }
  }
}
