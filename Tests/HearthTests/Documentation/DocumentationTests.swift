import Foundation
import Testing

/// The Swift code of the pages is the code of the example files, which are compiled and tested.
@Suite struct DocumentationTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let catalogue = "Sources/Hearth/Hearth.docc"
  private static let catalogues = [
    catalogue, "\(catalogue)/Architecture", "Sources/HearthFirebase/HearthFirebase.docc",
  ]
  private static let tests = [
    "Tests/HearthTests/Documentation", "Tests/HearthFirebaseTests", "Tests/HearthAuthTests",
    "Tests/ServerTests",
  ]

  private static func files(in folder: String, where isWanted: (String) -> Bool) throws -> [String]
  {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
      .filter(isWanted).sorted().map { "\(folder)/\($0)" }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns the pages of the catalogues, and the README.
  static func pages() throws -> [String] {
    try catalogues.flatMap { try files(in: $0) { $0.hasSuffix(".md") } }
      + files(in: ".") { $0 == "README.md" }
  }

  private static func examples() throws -> [ExampleFile] {
    try tests.flatMap { folder in
      try files(in: folder) { name in
        name.hasSuffix(".swift")
          && (name.hasPrefix("DocumentationExamples") || name.hasPrefix("ReadmeExample"))
      }
    }
    .map { ExampleFile(text: try text($0)) }
  }

  @Test func pagesAndExamplesAreFound() throws {
    let pages = try DocumentationTests.pages()
    #expect(pages.contains("\(DocumentationTests.catalogue)/GettingStarted.md"))
    let blocks = try pages.map { CodeBlock.all(of: try DocumentationTests.text($0)).count }
    #expect(blocks.reduce(0, +) >= 10)
    #expect(try DocumentationTests.examples().count >= 3)
  }

  @Test(arguments: try pages()) func itsCodeStandsInTheExamples(page: String) throws {
    let examples = try DocumentationTests.examples()
    for block in CodeBlock.all(of: try DocumentationTests.text(page)) {
      #expect(
        examples.contains { $0.holds(block) },
        "\(page):\(block.line): this code stands in no example file:\n\(block.text)")
    }
  }

  @Test(arguments: try pages()) func aWholeFileHasItsImports(page: String) throws {
    for block in CodeBlock.all(of: try DocumentationTests.text(page)) where block.isFile {
      #expect(block.text.hasPrefix("import "), "\(page):\(block.line): a file without imports")
    }
  }

  @Test func codeThatDiffersIsNoticed() throws {
    let page = "Text\n```swift\nimport Hearth\n\nlet a = 1\n  f(a)\n```\n```\nno Swift\n```\n"
    let block = try #require(CodeBlock.all(of: page).first)
    #expect(CodeBlock.all(of: page).count == 1)
    #expect(block.line == 3)
    #expect(!block.isFile)
    #expect(CodeBlock.all(of: "Here is `A.swift`:\n\n" + page.dropFirst(5)).first?.isFile == true)
    let head = "import Hearth\nimport Testing\n"
    #expect(ExampleFile(text: head + "func x() {\n  let a = 1\n    f(a)\n}\n").holds(block))
    #expect(!ExampleFile(text: head + "func x() {\n  let a = 2\n    f(a)\n}\n").holds(block))
    #expect(!ExampleFile(text: head + "func x() {\n  let a = 1\n}\nf(a)\n").holds(block))
    #expect(!ExampleFile(text: "let a = 1\nf(a)\n").holds(block), "without the import")
  }
}

/// One fenced block of Swift in a page.
private struct CodeBlock {
  /// Number of its first line in the page.
  let line: Int
  /// Whether the sentence before it names the file that it is.
  let isFile: Bool
  var text = ""

  static func all(of page: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var isOpen = false
    var namesFile = false
    for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if isOpen, line == "```" {
        isOpen = false
      } else if isOpen {
        blocks[blocks.count - 1].text += line + "\n"
      } else if line == "```swift" {
        isOpen = true
        blocks.append(CodeBlock(line: index + 2, isFile: namesFile))
      } else if !line.isEmpty {
        namesFile = line.hasSuffix(".swift`:")
      }
    }
    return blocks
  }
}

/// A file whose code is compiled and run.
private struct ExampleFile {
  private let imports: Set<String>
  private let code: String

  init(text: String) {
    (imports, code) = ExampleFile.parts(of: text)
  }

  /// Whether the file holds the block's lines in one piece, and its imports at the top.
  func holds(_ block: CodeBlock) -> Bool {
    let (blockImports, blockCode) = ExampleFile.parts(of: block.text)
    return imports.isSuperset(of: blockImports) && code.contains(blockCode)
  }

  /// Returns the import lines, and the other lines without differences of layout.
  private static func parts(of text: String) -> (imports: Set<String>, code: String) {
    let lines = text.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    // A `@testable` import is the reader's own module, which the examples stand for.
    let code = lines.filter { !$0.hasPrefix("import ") && !$0.hasPrefix("@testable import ") }
      .joined(separator: "\n")
    return (Set(lines.filter { $0.hasPrefix("import ") }), "\n\(code)\n")
  }
}
