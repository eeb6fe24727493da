import Foundation
import Testing
import hearth

/// The shell's lines, which are read from standard input or typed with completion.
@Suite struct ShellTests {
  @Test func linesFromAPipeAreRunAsCommands() async throws {
    try await withFolder { folder in
      let lines = """
        set cities/a '{"n": 1, "c": "x y"}'
        # a comment

        hearth get cities/a --json
        count towns --where "n ==
        exit
        count cities
        """
      let run = try await ToolRun.run(
        ["shell", "--db", "a.hearth"], input: Array(lines.utf8), in: folder)
      #expect(run.output.hasPrefix(#"{"id":"a","path":"cities/a","fields":{"c":"x y","n":1}"#))
      #expect(run.output.split(separator: "\n").count == 1, "\(run)")
      #expect(run.status == 65, "\(run)")
    }
  }

  @Test func theStatusIsThatOfTheLastCommand() async throws {
    let input = Array("set c/a '{}'\nget c/none\n".utf8)
    try await withFolder { folder in
      let run = try await ToolRun.run(["shell", "--db", "a.hearth"], input: input, in: folder)
      #expect(run.status == 1 && run.errors.contains("there is no document c/none"), "\(run)")
    }
  }

  @Test func rowsStandInTablesOrHaveALineForEachField() async throws {
    let input = Array(
      "set c/a '{\"n\": 1}'\n\\x\nquery c\n\\x\nquery c\n\\y\nquery c\n".utf8)
    try await withFolder { folder in
      let run = try await ToolRun.run(["shell", "--db", "a.hearth"], input: input, in: folder)
      #expect(run.output.hasPrefix("─[ 1 ]─\nid  a\nn   1\n1 document, "), "\(run)")
      #expect(run.output.hasSuffix("\n{\"id\":\"a\",\"fields\":{\"n\":1}}\n"), "\(run)")
      #expect(run.errors.contains("\\y is no command") && run.status == 65, "\(run)")
    }
  }

  @Test(arguments: ["\\x\n", " \\x ", "\\x"])
  func aTypedLineMayEnd(line: String) throws {
    var lines = ShellLines(folder: "none")
    guard case .nothing = try lines.run(line), case .end = try lines.run("\\q\n") else {
      Issue.record("The shell's own commands are not known.")
      return
    }
  }

  // MARK: Completion

  @Test(arguments: [
    ("", [], "", false), ("que", [], "que", false), ("query ", ["query"], "", false),
    ("hearth query ci", ["query"], "ci", false),
    (#"query c -w 'a == "J"#, ["query", "c", "-w"], #"a == "J"#, true),
    (#"get "a b"/c"#, ["get"], "a b/c", false),
  ])
  func aLineIsSplitAtTheCursor(text: String, words: [String], word: String, isQuoted: Bool) {
    let line = TypedLine(text)
    #expect(line.words == words && line.word == word && line.isQuoted == isQuoted)
  }

  @Test(
    arguments: [
      ("", .field("")), ("cou", .field("cou")), ("country ", .field("")),
      ("country == ", .value(of: "country", "")),
      (#"country == "J"#, .value(of: "country", #""J"#)),
      (#"country == "New Y"#, .value(of: "country", #""New Y"#)),
      (#"country == "JP" && pop"#, .field("pop")), ("(a > 1 || b", .field("b")),
      (#"country in ["JP", "K"#, .value(of: "country", #""K"#)), ("n>=", .value(of: "n", "")),
    ] as [(String, ConditionPlace)])
  func aConditionTellsWhatComesNext(text: String, place: ConditionPlace) {
    #expect(ConditionPlace(text) == place)
  }

  @Test func commonBeginningsAreInserted() {
    #expect(Completion(typed: "co", candidates: ["count", "compact", "commit"]).insertion == nil)
    #expect(Completion(typed: "com", candidates: ["count", "compact", "commit"]).insertion == nil)
    #expect(Completion(typed: "comp", candidates: ["count", "compact"]).insertion == "act ")
    #expect(Completion(typed: "a", candidates: ["abc", "abd", "b"]).insertion == "b")
    #expect(Completion(typed: "x", candidates: ["a"]).insertion == nil)
    let many = Completion(typed: "", candidates: (0..<120).map { "c\($0)" })
    #expect(many.list(width: 80).hasSuffix("and 20 more\n"))
    #expect(many.list(width: 80).split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func commandsAndOptionsComeFromTheTool() async throws {
    let description = try await ToolRun.run(["--experimental-dump-help"]).output
    let table = CommandTable(description: description)
    guard case .command(let commands) = table.wanted(after: ["index"], typing: "cr") else {
      Issue.record("The commands of index are missing.")
      return
    }
    #expect(commands.contains("create"))
    #expect(table.wanted(after: ["query", "c", "--where"], typing: "") == .value(of: "--where"))
    #expect(table.wanted(after: ["query"], typing: "c") == .positional("collection", 0))
    #expect(table.subject(of: ["query", "--limit", "3", "c", "-w"]) == "c")
    guard case .option(let options) = table.wanted(after: ["query"], typing: "--") else {
      Issue.record("The options of query are missing.")
      return
    }
    #expect(options.contains("--where") && options.contains("-w"))
  }
}
