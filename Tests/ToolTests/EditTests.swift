import Foundation
import Testing
import hearth

/// `hearth edit`, with scripts for editors.
@Suite struct EditTests {
  /// Runs `hearth edit c/a`. The editor is a script of the shell, whose `$1` is the file.
  private static func edit(
    by script: String, _ options: String = "", in folder: URL
  ) async throws -> ToolRun {
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: folder.appending(path: "editor"))
    return try await ToolScript.shell(
      "VISUAL= EDITOR='sh ./editor' TMPDIR=. hearth edit c/a \(options) --db a.hearth", in: folder)
  }

  private static func withDocument(_ body: (URL) async throws -> Void) async throws {
    try await withFolder { folder in
      let run = try await ToolScript.shell(
        """
        hearth set c/a '{"at": "2000-01-31T09:30:00Z", "n": 1, "tags": ["x", {"y": "aGk="}]}' \
          --type at:timestamp --db a.hearth
        """, in: folder)
      #expect(run.status == 0, "\(run)")
      try await body(folder)
    }
  }

  private static func document(in folder: URL) async throws -> String {
    let run = try await ToolScript.shell("hearth get c/a --typed --db a.hearth", in: folder)
    let start = run.output.firstRange(of: "\"fields\":")?.upperBound ?? run.output.startIndex
    let end = run.output.firstRange(of: ",\"createTime\"")?.lowerBound ?? run.output.endIndex
    return String(run.output[start..<end])
  }

  private static func texts(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("hearth-edit-") }
  }

  @Test func theEditorSeesALineForEachField() async throws {
    try await Self.withDocument { folder in
      let run = try await Self.edit(by: "cp \"$1\" seen.json", in: folder)
      #expect(run.status == 0 && run.errors == "nothing was changed\n", "\(run)")
      let seen = try String(contentsOf: folder.appending(path: "seen.json"), encoding: .utf8)
      #expect(
        seen == """
          {
            "at": "2000-01-31T09:30:00Z",
            "n": 1,
            "tags": [
              "x",
              {
                "y": "aGk="
              }
            ]
          }

          """)
      #expect(try Self.texts(in: folder).isEmpty)
    }
  }

  @Test func changesAreWrittenAndTypesKept() async throws {
    try await Self.withDocument { folder in
      let run = try await Self.edit(
        by: "sed -i 's/\"n\": 1/\"n\": 2, \"m\": true/; s/2000-01/2001-01/' \"$1\"", "--json",
        in: folder)
      #expect(run.status == 0 && run.output.hasPrefix(#"{"path":"c/a","updateTime":"#), "\(run)")
      let document = try await Self.document(in: folder)
      #expect(document.contains(#""at":{"timestampValue":"2001-01-31T09:30:00Z"}"#), "\(document)")
      #expect(document.contains(#""n":{"integerValue":"2"}"#), "\(document)")
      #expect(document.contains(#""m":{"booleanValue":true}"#), "\(document)")
      #expect(try Self.texts(in: folder).isEmpty)
      let typed = try await Self.edit(
        by: "sed -i 's/\"integerValue\": \"2\"/\"stringValue\": \"z\"/' \"$1\"", "--typed",
        in: folder)
      #expect(typed.status == 0, "\(typed)")
      #expect(try await Self.document(in: folder).contains(#""n":{"stringValue":"z"}"#))
    }
  }

  @Test(
    .serialized,
    arguments: [
      ("echo '{' > \"$1\"", "The text is not understood", Int32(65)),
      ("sed -i 's/2000-01-31T09:30:00Z/soon/' \"$1\"", "field \"at\": \"soon\"", 65),
      ("exit 3", "ended with 3", 1),
      (
        "hearth set c/a '{}' --db a.hearth; sed -i 's/1,/2,/' \"$1\"",
        "has been changed or deleted since it was read", 1
      ),
      ("hearth delete c/a --db a.hearth; sed -i 's/1,/2,/' \"$1\"", "changed or deleted", 1),
    ])
  func textThatCannotBeWrittenIsKept(script: String, message: String, status: Int32) async throws {
    try await Self.withDocument { folder in
      let run = try await Self.edit(by: script, in: folder)
      #expect(run.status == status && run.errors.contains(message), "\(run)")
      let kept = try Self.texts(in: folder)
      #expect(kept.count == 1 && run.errors.contains("\(kept.first ?? "none")/a.json"), "\(run)")
    }
  }

  @Test func aMissingDocumentIsNotEdited() async throws {
    try await Self.withDocument { folder in
      let run = try await ToolScript.shell(
        "EDITOR=false hearth edit c/none --db a.hearth", in: folder)
      #expect(run.status == 1 && run.errors.contains("there is no document c/none"), "\(run)")
    }
  }

  @Test func withoutATerminalAnEditorIsNeeded() async throws {
    try await Self.withDocument { folder in
      let run = try await ToolScript.shell("hearth edit c/a --db a.hearth", in: folder)
      #expect(run.status == 64 && run.errors.contains("name an editor"), "\(run)")
    }
  }

  @Test func theApplicationWritesTheDocument() async throws {
    for accepts in [true, false] {
      try await AdministrationTests.withApplication(3, acceptsWrites: accepts) { _, path, folder in
        try Data("sed -i 's/\"n\": 1/\"n\": 100/' \"$1\"\n".utf8)
          .write(to: folder.appending(path: "editor"))
        let run = try await ToolScript.shell(
          "VISUAL= EDITOR='sh ./editor' TMPDIR=. hearth edit cities/city1 --db \(path)", in: folder)
        #expect(run.status == (accepts ? 0 : 78), "\(run)")
        #expect(try Self.texts(in: folder).isEmpty == accepts, "\(run)")
        let document = try await ToolScript.shell(
          "hearth get cities/city1 --json --db \(path)", in: folder)
        #expect(document.output.contains("\"n\":100") == accepts, "\(document)")
      }
    }
  }

  @Test(arguments: [
    ("{}", "{}\n"), ("[]", "[]\n"), (#"{"a":[],"b":{}}"#, "{\n  \"a\": [],\n  \"b\": {}\n}\n"),
    (#"{"a":"{\"[:,\\"}"#, "{\n  \"a\": \"{\\\"[:,\\\\\"\n}\n"),
    ("[1,[2]]", "[\n  1,\n  [\n    2\n  ]\n]\n"),
  ])
  func jsonIsIndented(line: String, text: String) {
    #expect(String(decoding: IndentedJSON.text(of: Array(line.utf8)), as: UTF8.self) == text)
  }
}
