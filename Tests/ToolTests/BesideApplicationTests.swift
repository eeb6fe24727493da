import Foundation
import TestSupport
import Testing

/// Documents read and written by the tool while an application has the database open.
@Suite struct BesideApplicationTests {
  /// A database to run commands on.
  private struct Place {
    let path: String
    let folder: URL

    func hearth(_ command: String) async throws -> ToolRun {
      try await AdministrationTests.hearth(command, path, in: folder)
    }

    func write(_ text: String, to name: String) throws {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
  }

  private static func withApplication(
    acceptsWrites: Bool, _ body: (RunningWriter, Place) async throws -> Void
  ) async throws {
    try await AdministrationTests.withApplication(40, acceptsWrites: acceptsWrites) {
      application, path, folder in
      try await body(application, Place(path: path, folder: folder))
    }
  }

  @Test func documentsAndCollectionsAreRead() async throws {
    try await Self.withApplication(acceptsWrites: false) { _, place in
      let document = try await place.hearth("get cities/city7 --json")
      #expect(document.output.contains(#""path":"cities/city7","fields":{"c":7,"n":7"#))
      #expect(try await place.hearth("get cities/none").status == 1)
      #expect(try await place.hearth("ls").output == "cities\ntowns\n")
      let listed = try await place.hearth("ls cities --limit 2")
      #expect(listed.output == "cities/city0\ncities/city1\n")
      #expect(try await place.hearth("ls cities/city1").output == "")
      #expect(try await place.hearth("stats --json").status == 0)
    }
  }

  @Test func writesNeedTheApplicationsConsent() async throws {
    try await Self.withApplication(acceptsWrites: false) { application, place in
      try place.write("id,n\na,1\n", to: "new.csv")
      try place.write(#"{"writes": []}"#, to: "writes.json")
      let commands = [
        "set cities/x '{}'", "update cities/city1 '{\"n\": 0}'", "delete cities/city1",
        "delete cities --recursive --yes", "commit writes.json", "commit --batch writes.json",
        "import cities new.csv --id-field id",
      ]
      for command in commands {
        let run = try await place.hearth(command)
        #expect(run.status == 78, "\(command): \(run)")
        let name = "process \(application.processIdentifier) (AdminHost)"
        #expect(run.errors.contains("\(name) has the database open"), "\(run)")
        #expect(run.errors.contains("acceptsToolWrites"), "\(run)")
      }
      #expect(try await place.hearth("count cities").output == "40\n")
    }
  }

  @Test func writesGoThroughTheApplication() async throws {
    try await Self.withApplication(acceptsWrites: true) { _, place in
      #expect(try await place.hearth("set cities/x '{\"n\": 1}' --merge").status == 0)
      let updated = try await place.hearth("update cities/x '{\"n\": 2, \"m.a\": \"é\"}' --json")
      #expect(updated.output.hasPrefix(#"{"path":"cities/x","updateTime":"#), "\(updated)")
      let document = try await place.hearth("get cities/x --json")
      #expect(document.output.contains(#""fields":{"m":{"a":"é"},"n":2}"#), "\(document)")
      #expect(try await place.hearth("delete cities/x").output == "1 document deleted\n")
      try place.write("id,n\na,1\nb,2\n", to: "new.csv")
      let imported = try await place.hearth("import new new.csv --id-field id --batch-size 1")
      #expect(imported.errors.hasPrefix("2 documents imported into new"), "\(imported)")
      let deleted = try await place.hearth("delete new --recursive --yes")
      #expect(deleted.output == "2 documents deleted\n", "\(deleted)")
    }
  }

  @Test func preconditionsHoldThroughTheApplication() async throws {
    try await Self.withApplication(acceptsWrites: true) { _, place in
      let missing = try await place.hearth("update cities/none '{}' --delete a")
      #expect(missing.status == 1 && missing.errors.contains("there is no document cities/none"))
      let name = "projects/demo-project/databases/(default)/documents/cities/city1"
      try place.write(
        #"{"writes": [{"delete": "\#(name)", "currentDocument": {"exists": false}}]}"#,
        to: "writes.json")
      let refused = try await place.hearth("commit writes.json")
      #expect(refused.status == 1, "\(refused)")
      let each = try await place.hearth("commit --batch writes.json")
      #expect(each.status == 1 && each.output.contains(#""status":[{"code":"#), "\(each)")
      #expect(try await place.hearth("count cities").output == "40\n")
    }
  }
}
