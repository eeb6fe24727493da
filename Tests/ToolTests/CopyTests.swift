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

  /// A field with a time to live keeps the indexes that it inherits.
  @Test func theIndexesOfACopyAreThoseOfItsSource() async throws {
    try await withFolder { folder in
      let made = try await ToolScript.shell(
        """
        export HEARTH_DB=a.hearth
        hearth index create c x:asc y:asc && hearth index create c x:asc z:desc
        hearth index tune c x:asc y:asc --covering && hearth index hide c x:asc z:desc
        hearth index tune c --counts x && hearth ttl set c end && hearth set c/a '{"x": 1}'
        hearth copy a.hearth b.hearth --indexes
        """, in: folder)
      #expect(made.status == 0, "\(made)")
      let lists = try await ToolScript.shell(
        """
        for db in a b; do
          hearth index list --db $db.hearth && hearth ttl list --db $db.hearth; echo end
        done
        """, in: folder)
      let (source, copy) = try lists.output.parts(separatedBy: "end\n")
      #expect(source.contains("COVERING") && source.contains("HIDDEN"), "\(source)")
      #expect(source.contains("counts") && source.contains("ACTIVE"), "\(source)")
      #expect(copy == source)
    }
  }
}

extension String {
  /// Returns the two parts that a text ends.
  fileprivate func parts(separatedBy end: String) throws -> (String, String) {
    let parts = components(separatedBy: end)
    try #require(parts.count == 3, "\(self)")
    return (parts[0], parts[1])
  }
}
