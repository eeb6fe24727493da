import Foundation
import TestSupport
import Testing

/// The commands in the pages, run on the cities that `Tools/demo` imports, print what the pages
/// show.
@Suite struct PageCommandTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let catalogue = "Sources/Hearth/Hearth.docc"
  /// Pages whose commands query the cities.
  private static let demonstrations = [
    "README.md", "\(catalogue)/CommandLine.md", "\(catalogue)/WhyRefused.md",
  ]
  /// Files that the pages' commands read and that no page writes.
  private static let inputs = [
    "queries.ndjson": """
    cities where countryCode == "JP" order by population desc limit 5
    cities where countryCode == "JP" order by name
    """,
    "queries.txt": """
    cities where countryCode == "JP" order by population desc limit 5
    cities where countryCode == "JP" order by name
    cities where countryCode == "JP" order by latitude
    """,
    "firestore.indexes.json": """
    {"indexes": [{"collectionGroup": "cities", "queryScope": "COLLECTION", "fields": [
      {"fieldPath": "countryCode", "order": "ASCENDING"},
      {"fieldPath": "population", "order": "DESCENDING"}]}]}
    """,
    // The rules that the page on their language shows.
    "firestore.rules": """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        function isOwner(owner) { return request.auth != null && request.auth.uid == owner; }

        match /notes/{note} {
          allow read: if resource.data.isPublic == true || isOwner(resource.data.owner);
          allow create: if isOwner(request.resource.data.owner)
            && request.resource.data.title.size() < 100;
          allow update: if isOwner(resource.data.owner)
            && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['title']);
        }
      }
    }
    """,
  ]

  private static func page(_ path: String) throws -> Page {
    Page(try String(contentsOf: root.appending(path: path), encoding: .utf8))
  }

  @Test func printWhatThePagesShow() async throws {
    try await withFolder { folder in
      let cities = Self.root.appending(path: "Tools/Data/cities.ndjson.gz").path
      let imported = try await ToolScript.shell(
        "hearth import cities '\(cities)' --id-field id --no-sync --db cities.hearth", in: folder)
      #expect(imported.status == 0, "\(imported.errors)")
      for path in Self.demonstrations {
        let work = folder.appending(path: path.replacing("/", with: "-"))
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
          at: folder.appending(path: "cities.hearth"), to: work.appending(path: "cities.hearth"))
        let page = try Self.page(path)
        for (name, text) in Self.inputs.merging(page.files, uniquingKeysWith: { $1 }) {
          try Data("\(text)\n".utf8).write(to: work.appending(path: name))
        }
        #expect(page.demonstrated.count >= 4)
        for command in page.demonstrated {
          try await check(command, of: path, in: work)
        }
      }
    }
  }

  private func check(_ command: Page.Command, of path: String, in folder: URL) async throws {
    // The README shows what a terminal shows.
    let session = Session(folder: folder, isTerminal: path == "README.md")
    var (printed, status) = try await session.run(command.text)
    if status == 1, !command.answer.contains("hearth index create"),
      let creation = printed.firstMatch(of: /\n  (hearth index create .*)\n/)?.output.1
    {
      // The page takes the index for granted.
      _ = try await session.run(String(creation))
      (printed, status) = try await session.run(command.text)
      _ = try await session.run(
        String(creation).replacing("index create", with: "index drop") + " --yes")
    }
    let place: Comment = "\(path):\(command.line): \(command.text)\n\(printed)"
    if command.text.hasPrefix("hearth bench"), status == 0 {
      #expect(printed.contains("p99"), place)
    } else {
      #expect(command.shows(printed), place)
    }
  }

  /// The tool understands every other command of the pages: in an empty folder it ends with any
  /// status but 64, that of a wrong command line. Servers begin there.
  @Test func theToolUnderstandsEveryCommand() async throws {
    let pages = try FileManager.default
      .contentsOfDirectory(atPath: Self.root.appending(path: Self.catalogue).path)
      .filter { $0.hasSuffix(".md") }.sorted()
    var count = 0
    for name in pages {
      for command in try Self.page("\(Self.catalogue)/\(name)").plain
      where !command.text.contains("…") {
        count += 1
        let (printed, status) = try await withFolder {
          try await Session(folder: $0, isTerminal: false).run(command.text)
        }
        #expect(status != 64, "\(name):\(command.line): \(command.text)\n\(printed)")
      }
    }
    #expect(count >= 50)
  }

  @Test func aServerInAPageIsStarted() async throws {
    try await withFolder { folder in
      let session = Session(folder: folder, isTerminal: false)
      let (printed, status) = try await session.run("hearth serve --in-memory")
      #expect(status == 0, "\(printed)")
      #expect(try await session.run("hearth serve --in-memory --ports").1 == 64)
    }
  }

  @Test func anAnswerThatDiffersIsNoticed() {
    let page = Page(
      "Text\n```\n$ a\nx … z\n…\n$ b\n```\n"
        + "A line of `in.json`:\n\n```\n{}\n```\n```\nhearth ls\n```\n")
    #expect(page.demonstrated.map(\.text) == ["a", "b"])
    #expect(page.demonstrated.map(\.line) == [3, 6])
    #expect(page.plain.map(\.text) == ["hearth ls"])
    #expect(page.files == ["in.json": "{}"])
    #expect(page.demonstrated[0].shows("x y z\nmore\n"))
    #expect(!page.demonstrated[0].shows("x y\nmore\n"))
    #expect(!page.demonstrated[0].shows("w x y z\nmore\n"))
    #expect(page.demonstrated[1].shows(""))
    #expect(!page.demonstrated[1].shows("x\n"))
    let timed = Page("```\n$ a\n5 documents in 1.2 ms, 5,101/s\n```").demonstrated[0]
    #expect(timed.shows("5 documents in 700 ns, 9/s\n"))
    #expect(!timed.shows("6 documents in 700 ns, 9/s\n"))
  }
}

/// A shell in a folder whose database is `cities.hearth`.
private struct Session {
  let folder: URL
  let isTerminal: Bool

  /// Returns the command's output and errors as they come, and its status.
  func run(_ command: String) async throws -> (String, Int32) {
    let serves = ["hearth serve", "hearth console"].contains { command.hasPrefix($0) }
    let text = serves ? Session.untilServed(command) : command
    try Data("export HEARTH_DB=cities.hearth NO_COLOR=1 EDITOR=true BROWSER=true\n\(text)\n".utf8)
      .write(to: folder.appending(path: "command"))
    let run = try await ToolScript.shell(
      isTerminal ? "script -qec 'sh command' /dev/null" : "sh command 2>&1", in: folder)
    let output = run.output.replacing("\r\n", with: "\n")
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // A terminal's line shows what was written last, after the progress was erased.
      line.replacing("\u{1B}[K", with: "").split(separator: "\r").last ?? ""
    }
    return (lines.joined(separator: "\n"), run.status)
  }

  /// Returns the command of a server with its end: a server never ends by itself. It gets a free
  /// port, and is ended once it has printed a line, or has ended without one.
  private static func untilServed(_ command: String) -> String {
    """
    mkfifo notice
    \(command) --port 0 > notice &
    exec 3< notice
    read -r line <&3 && kill $!
    wait $!
    """
  }
}

/// The fenced commands of a page.
private struct Page {
  struct Command {
    let line: Int
    let text: String
    /// The lines that the page shows below the command. `…` stands for any text.
    fileprivate(set) var answer = ""

    /// Whether the page shows what was printed, apart from times.
    func shows(_ printed: String) -> Bool {
      let shown = Command.steady(answer).components(separatedBy: "…")
      var rest = Command.steady(printed)[...]
      guard let first = shown.first, let last = shown.last, rest.hasPrefix(first) else {
        return false
      }
      rest.removeFirst(first.count)
      guard shown.count > 1 else { return rest.isEmpty }
      for part in shown.dropFirst().dropLast() where !part.isEmpty {
        guard let found = rest.firstRange(of: part) else { return false }
        rest = rest[found.upperBound...]
      }
      return rest.hasSuffix(last)
    }

    private static func steady(_ text: String) -> String {
      text.trimmingCharacters(in: .newlines)
        .replacing(/[0-9][0-9.,]* (?:ns|µs|ms|s)\b/, with: "TIME")
        .replacing(/[0-9][0-9.,]*\/s/, with: "RATE")
        .replacing(/20\d\d-\d\d-\d\dT[0-9:.]+Z/, with: "DATE")
    }
  }

  /// The commands whose answer is shown: those after `$`.
  private(set) var demonstrated: [Command] = []
  /// Commands of the tool in blocks without any answer.
  private(set) var plain: [Command] = []
  /// The contents of files, by name: a block after `A line of` or `Lines of` and the name, and a
  /// block that begins with a comment, which is a file of queries for `bench`.
  private(set) var files: [String: String] = [:]

  init(_ text: String) {
    var block: [Command]?
    var isCode = false
    var named: String?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.hasPrefix("```"), block == nil, !isCode {
        isCode = line != "```"
        if !isCode { block = [] }
      } else if line == "```" {
        if let block { add(block, named: named) }
        (block, isCode, named) = (nil, false, nil)
      } else if block != nil {
        block?.append(Command(line: index + 1, text: String(line)))
      } else if let name = line.firstMatch(of: /^(?:A line|Lines) of `(.+?)`/)?.output.1 {
        named = String(name)
      }
    }
  }

  private mutating func add(_ lines: [Command], named name: String?) {
    let text = lines.map(\.text).joined(separator: "\n")
    if let name { return files[name] = text }
    if text.hasPrefix("# ") { return files["app.queries"] = text }
    guard lines.contains(where: { $0.text.hasPrefix("$ ") }) else {
      plain += lines.filter { $0.text.hasPrefix("hearth ") && !$0.text.hasSuffix("\\") }
      return
    }
    for line in lines {
      if line.text.hasPrefix("$ ") {
        demonstrated.append(Command(line: line.line, text: String(line.text.dropFirst(2))))
      } else if !demonstrated.isEmpty {
        demonstrated[demonstrated.count - 1].answer += line.text + "\n"
      }
    }
  }
}
