import Foundation
import TestSupport
import Testing

/// Copies from and to databases that an application has open.
@Suite struct CopyTests {
  @Test func anApplicationsDocumentsAndIndexesAreCopied() async throws {
    try await AdministrationTests.withApplication(40) { _, path, folder in
      let script = """
        hearth index create cities c:asc n:asc --db \(path) &&
        hearth copy \(path) copy.hearth cities --indexes --json &&
        hearth index list --db copy.hearth && hearth count cities --db copy.hearth &&
        hearth verify --db copy.hearth
        """
      let run = try await ToolScript.shell(script, in: folder)
      #expect(run.status == 0, "\(run)")
      let lines = run.output.split(separator: "\n")
      #expect(lines[1] == #"{"copied":40}"#, "\(run)")
      #expect(lines[2].contains("c:asc n:asc"), "\(run)")
      #expect(lines[3] == "40", "\(run)")
    }
  }

  @Test func aCopyIntoAnApplicationNeedsItsConsent() async throws {
    for accepts in [false, true] {
      try await AdministrationTests.withApplication(5, acceptsWrites: accepts) { _, path, folder in
        let script = """
          hearth set added/x '{"of": "added/y"}' --type of:reference --db other.hearth &&
          hearth copy other.hearth \(path)
          """
        let run = try await ToolScript.shell(script, in: folder)
        #expect(run.status == (accepts ? 0 : 78), "\(run)")
        let found = try await ToolScript.shell("hearth get added/x --db \(path)", in: folder)
        #expect(found.status == (accepts ? 0 : 1), "\(found)")
      }
    }
  }
}
