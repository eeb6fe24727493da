import SourceStructure
import Testing

/// The rule of prose finds riddles and odd words in samples that are wrong on purpose.
@Suite struct ProseRuleTests {
  private func violations(
    _ text: String, path: String = "Sources/Low/Sample.swift"
  ) -> [String] {
    ProseRule.violations(in: SourceFile(path: path, text: text)).map(\.description)
  }

  @Test(arguments: [
    ("What is kept.", "what"), ("How often it was given up.", "how"),
    ("Who takes down the keys.", "who"), ("In what the results differ.", "what"),
    ("Up to where it is read.", "where"), ("Those that wait.", "those"),
    ("When it began.", "when"),
  ])
  func aSummaryThatIsARiddleIsSeen(summary: String, opening: String) {
    for path in ["Sources/Low/A.swift", "Tests/LowTests/A.swift", "Benchmarks/A.swift"] {
      #expect(
        violations("\n  /// \(summary)\n  /// More.\n  var a: Int\n", path: path) == [
          "\(path):2: a summary begins with '\(opening)'; begin with its noun or verb, as in "
            + "'Number of' or 'Returns'"
        ])
    }
  }

  @Test(arguments: [
    "/// Number of entries.", "/// Before that, the same.", "/// Whatsit of a kind.",
    "/// Returns what is kept.",
    "// What follows is a note.", "//// What is ruled off.", "/// A list.\n/// What it holds.",
    "let link = \"https://example.com///What\"",
  ])
  func aPlainSummaryPasses(text: String) {
    #expect(violations("\(text)\nvar a: Int\n").isEmpty)
  }

  @Test(arguments: [
    "var a: Bool", "let a = false", "let a = Flag()", "func f(a: Int) -> Bool {",
    "func f(\n  a: Int\n)\n  -> Bool {", "@Flag(\n  help: \"A\")\nvar a = true",
    "case a(Bool)", "let a: @Sendable () -> Bool",
  ])
  func whetherIsForBooleans(declaration: String) {
    #expect(violations("/// Whether it is so.\n\(declaration)\n").isEmpty)
  }

  @Test(arguments: [
    "var a: Int\nvar b: Bool", "let a = 1", "func f(a: Bool) -> Int {", "case a", "struct A {",
    "func f(\n  a: Bool\n)\n  -> Int {\n  let b = true", "@Flag(\n  help: \"A\")\nvar a: Int",
  ])
  func whetherBeforeAnythingElseIsSeen(declaration: String) {
    #expect(
      violations("\n/// Whether it is so.\n\(declaration)\n") == [
        "Sources/Low/Sample.swift:2: 'whether' before something other than a Bool; say what it "
          + "is, as in 'The flag that'"
      ])
  }

  @Test func tagsBeginWithTheirNoun() {
    let text = """
      /// Moves.
      ///
      /// - Parameters:
      ///   - a: how far it moves.
      ///   - b: the place.
      /// - Returns: where it is then.
      /// - Note: a list, or what is like it.
      """
    #expect(
      violations(text)
        == [(4, "how"), (6, "where")].map { line, word in
          "Sources/Low/Sample.swift:\(line): a tag's text begins with '\(word)'; begin with its "
            + "noun, as in 'the number of'"
        })
  }

  @Test func aTestsNameThatIsARiddleIsSeen() {
    let code =
      "  @Test func whoWaitsIsTold() {\n  @Test func whoeverWaits() {\n  func wholeOf() {\n"
    #expect(
      violations(code, path: "Tests/ATests.swift")
        == [(1, "who"), (2, "whoever")].map {
          "Tests/ATests.swift:\($0): a test's name begins with '\($1)'; begin with its noun"
        })
    #expect(violations(code).isEmpty)
  }

  @Test func oddWordsAreSeenWithTheirLine() {
    let text = "/// A caller that waits so\n/// long, be it\n/// here: nobody, or Whoever.\n"
    #expect(
      violations(text) == [
        "Sources/Low/Sample.swift:2: 'so long'; write such as: the time",
        "Sources/Low/Sample.swift:2: 'be it'; write such as: either, or",
        "Sources/Low/Sample.swift:3: 'nobody'; write such as: no caller, no reader",
        "Sources/Low/Sample.swift:3: 'whoever'; write such as: the caller, the reader",
      ])
  }

  @Test(arguments: ["It does so. Long ago", "so-called", "also many", "a.somebody", "nobodys"])
  func wordsThatOnlyLookOddPass(text: String) {
    #expect(violations("// \(text)\n").isEmpty)
  }

  @Test func wordsOfPagesAndOfTheProgramsTextsAreRead() {
    let code = "let text = \"Nobody waits.\" // for somebody\n"
    #expect(violations(code).count == 2)
    // A test may call its data what it likes.
    #expect(violations(code, path: "Tests/LowTests/A.swift").count == 1)
    #expect(violations("A page\nfor somebody.\n", path: "README.md").count == 1)
  }
}
