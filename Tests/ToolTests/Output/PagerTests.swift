import Foundation
import Testing
import hearth

/// The program that shows long output page by page.
@Suite struct PagerTests {
  private func pager(_ environment: [String: String], less: Bool = true) -> Pager? {
    Pager(environment: environment, height: 4, width: 10) { less && $0 == "/bin/less" }
  }

  @Test func isTheUsersOrLess() {
    #expect(pager(["PAGER": "more -s", "PATH": "/bin"])?.command == "more -s")
    #expect(pager(["PATH": "/sbin:/bin"])?.command == "less -FRX")
    #expect(pager(["PATH": "/sbin"]) == nil && pager([:]) == nil)
    #expect(pager(["PATH": "/bin"], less: false) == nil)
    #expect(pager(["PATH": "/bin", "TERM": "dumb"]) == nil)
    #expect(pager(["PATH": "/bin", "PAGER": ""]) == nil)
    #expect(pager(["PATH": "/bin", "PAGER": "cat"]) == nil)
  }

  @Test(arguments: [
    ("", false), ("1\n2\n3\n", false), ("1\n2\n3\n4\n", true), ("1\n12345678901\n3\n", true),
    ("1\n1234567890\n3\n", false),
  ])
  func isForWhatTheTerminalDoesNotShowAtOnce(text: String, isNeeded: Bool) {
    #expect(pager(["PATH": "/bin"])?.needs(Array(text.utf8)) == isNeeded)
  }

  /// Runs a command on a terminal of 24 lines, with a pager that keeps what it is given.
  private static func onTerminal(
    _ command: String, pager: String = "cat > page", in folder: URL
  ) async throws -> (run: ToolRun, page: String?) {
    let page = folder.appending(path: "page")
    try? FileManager.default.removeItem(at: page)
    try Data("export NO_COLOR=1 PAGER='\(pager)' HEARTH_DB=a.hearth\n\(command)\n".utf8)
      .write(to: folder.appending(path: "command"))
    let run = try await ToolScript.shell(
      "script -qec 'stty rows 24 cols 80; sh command' /dev/null", in: folder)
    let data = try? Data(contentsOf: page)
    return (run, data.map { String(decoding: $0, as: UTF8.self) })
  }

  private static func withDocuments(
    _ count: Int, _ body: (URL) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      let lines = (100..<100 + count).map { #"{"id":"\#($0)","n":\#($0)}"# + "\n" }.joined()
      try Data(lines.utf8).write(to: folder.appending(path: "c.ndjson"))
      let run = try await ToolScript.shell(
        "hearth import c c.ndjson --id-field id --no-sync --db a.hearth", in: folder)
      #expect(run.status == 0, "\(run)")
      try await body(folder)
    }
  }

  @Test(.serialized, arguments: ["query c", "ls c", "query c --format vertical"])
  func aLongAnswerGoesThroughIt(command: String) async throws {
    try await Self.withDocuments(40) { folder in
      let (run, page) = try await Self.onTerminal("hearth \(command)", in: folder)
      #expect(page?.contains("139") == true && run.output.isEmpty && run.status == 0, "\(run)")
      let unpaged = try await Self.onTerminal("hearth \(command) --no-pager", in: folder)
      #expect(unpaged.page == nil && unpaged.run.output.contains("139"), "\(unpaged)")
      let piped = try await Self.onTerminal("hearth \(command) | cat", in: folder)
      #expect(piped.page == nil && piped.run.output.contains("139"), "\(piped)")
    }
  }

  @Test func aShortAnswerDoesNot() async throws {
    try await Self.withDocuments(3) { folder in
      let (run, page) = try await Self.onTerminal("hearth query c", in: folder)
      #expect(page == nil && run.output.contains("3 documents"), "\(run)")
    }
  }

  @Test func aPagerThatIsLeftEndsTheCommandQuietly() async throws {
    try await Self.withDocuments(900) { folder in
      let (run, _) = try await Self.onTerminal(
        "hearth query c", pager: "head -n 3", in: folder)
      let lines = run.output.replacing("\r\n", with: "\n").split(separator: "\n")
      #expect(lines.count == 3 && lines[2].hasPrefix("100  100") && run.status == 0, "\(run)")
      let piped = try await ToolScript.shell(
        "hearth query c --db a.hearth | head -n 1", in: folder)
      #expect(piped.errors.isEmpty && piped.output.split(separator: "\n").count == 1, "\(piped)")
    }
  }

  @Test func aRefusalIsShownAfterThePager() async throws {
    try await Self.withDocuments(3) { folder in
      let (run, page) = try await Self.onTerminal("hearth query c -w 'n > 1 && m > 2'", in: folder)
      #expect(page == nil && run.status == 1 && run.output.contains("index create"), "\(run)")
    }
  }
}
