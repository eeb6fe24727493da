import SourceStructure
import Testing

/// The checkers find the faults in samples that are wrong on purpose.
@Suite struct CheckerTests {
  private static let layers = [
    Layer(name: "Low", folder: "Sources/Low"),
    Layer(
      name: "High", folder: "Sources/High", imports: ["Low"],
      confined: [["Glibc", "Musl"]]),
  ]

  private func layering(_ files: (path: String, text: String)...) -> [String] {
    LayeringRule(layers: Self.layers)
      .violations(in: files.map { SourceFile(path: $0.path, text: $0.text) })
      .map(\.description)
  }

  private func shape(_ text: String, path: String = "Sources/Low/Sample.swift") -> [String] {
    ShapeRule.violations(in: SourceFile(path: path, text: text)).map(\.description)
  }

  // MARK: Imports

  @Test func allowedImportsPass() {
    #expect(
      layering(
        ("Sources/High/A.swift", "package import Low\nimport Synchronization\nimport Glibc\n"),
        ("Sources/High/B.swift", "import struct Low.Thing\n"),
        ("Sources/Low/C.swift", "// import High\nlet text = \"import High\"\n")
      ).isEmpty)
  }

  @Test(arguments: [
    "import High", "package import High", "@preconcurrency import High",
    "private import struct High.Thing", "let a = 1; import High", "  import High // why",
    "@_spi(Inner) public import High",
  ])
  func anImportFromAboveIsSeen(line: String) {
    #expect(
      layering(("Sources/Low/A.swift", "\n" + line + "\n")) == [
        "Sources/Low/A.swift:2: Low may not import High"
      ])
  }

  @Test func aConfinedModuleStandsInOneFile() {
    #expect(
      layering(
        (
          "Sources/High/A.swift", "#if canImport(Glibc)\nimport Glibc\n#else\nimport Musl\n#endif\n"
        ),
        ("Sources/High/B.swift", "import Musl\n")
      ) == [
        "Sources/High/B.swift:1: Musl stands in one file of High, which is Sources/High/A.swift"
      ])
  }

  @Test func testableAndReexportedImportsAreSeen() {
    #expect(
      layering(
        ("Sources/High/A.swift", "@testable import Low\n@_exported public import Low\n")
      ) == [
        "Sources/High/A.swift:1: @testable; use package access",
        "Sources/High/A.swift:2: @_exported; High re-exports nothing",
      ])
  }

  @Test func aFolderWithoutALayerIsSeen() {
    #expect(
      layering(("Sources/Other/A.swift", "")) == [
        "Sources/Other/A.swift: belongs to no target of the layers' table"
      ])
  }

  @Test func anImportedTargetThatTheManifestLacksIsSeen() {
    let manifest = """
      targets: [
        .target(name: "Low"),
        .target(
          name: "High", dependencies: []),
        .testTarget(name: "HighTests", dependencies: ["High", "Low"]),
      ]
      """
    func violations(_ manifest: String) -> [String] {
      ManifestRule(layers: Self.layers).violations(
        in: [SourceFile(path: "Sources/High/A.swift", text: "import Low\nimport Glibc\n")],
        manifest: SourceFile(path: "Package.swift", text: manifest)
      ).map(\.description)
    }
    #expect(violations(manifest) == ["Package.swift: High imports Low without depending on it"])
    #expect(violations(manifest.replacing("[])", with: "[\"Low\"])")) == [])
  }

  // MARK: Shape

  @Test func sizesAreCountedToTheLine() {
    let line = "let a = 1\n"
    #expect(shape(String(repeating: line, count: 600)).isEmpty)
    #expect(
      shape(String(repeating: line, count: 601)) == ["Sources/Low/Sample.swift: 601 lines"])
    #expect(shape(String(repeating: "é", count: 100)).isEmpty)
    #expect(
      shape("\n" + String(repeating: "é", count: 101)) == [
        "Sources/Low/Sample.swift:2: 101 columns"
      ])
  }

  @Test(arguments: [
    ("func f(\n) {", 1), ("init() throws {", 1), ("subscript(i: Int) -> Int {", 1),
    ("var x: Int {", 1), ("func requirement()\nfunc f() {", 2),
  ])
  func longFunctionsAreSeen(opening: String, line: Int) {
    let openingLineCount = opening.split(separator: "\n").count
    func sample(endingOn lastLine: Int) -> String {
      opening + String(repeating: "\n", count: lastLine - openingLineCount) + "}\n"
    }
    #expect(shape(sample(endingOn: line + 69)).isEmpty)
    #expect(
      shape(sample(endingOn: line + 70)) == [
        "Sources/Low/Sample.swift:\(line): a function of 71 lines"
      ])
  }

  @Test func onlyFunctionsAreMeasured() {
    let blank = String(repeating: "\n", count: 100)
    #expect(shape("struct S {\(blank)}\n").isEmpty)
    #expect(shape("let x = [1].map {\(blank)}\nvar y: Int = z {\(blank)}\n").isEmpty)
    #expect(shape("func f() { \"{\" }\nstruct S {\(blank)}\n").isEmpty)
    #expect(shape("let x = y { self.init(); if z {\(blank)} }\n").isEmpty)
  }

  @Test func forbiddenWordsAreSeenInCodeOnlyOrEverywhere() {
    let (attempt, stop, later) = ("try" + "!", "fatal" + "Error(", "TO" + "DO")
    #expect(shape("let a = \(attempt) f()\n").count == 1)
    #expect(shape("\(stop)\"x\")\n").count == 1)
    #expect(shape("// \(attempt) is not used\nlet a = \"\(stop)\"\n").isEmpty)
    #expect(shape("// \(later): more\n") == ["Sources/Low/Sample.swift:1: '\(later)'"])
  }

  @Test(arguments: ["KeyUtils", "IndexManager", "TestHelper", "CommonErrors", "QueryBase"])
  func forbiddenNamesAreSeen(name: String) {
    #expect(shape("", path: "Sources/Low/\(name).swift").count == 1)
    #expect(shape("package final class \(name) {}\n").count == 1)
  }

  @Test(arguments: ["Database", "BaselineTests", "Value+Order", "CommonalityIndex"])
  func namesThatOnlyContainAForbiddenWordPass(name: String) {
    #expect(shape("", path: "Sources/Low/\(name).swift").isEmpty)
  }

  // MARK: Literals

  @Test(arguments: [
    ("a /* b /* c */ d */ e", "a                   e"),
    (#"a "b \" c" d"#, "a          d"),
    (##"a #"b " c"# d"##, "a           d"),
    (#"a "\(f("{"))" d"#, "a             d"),
    ("\"\"\"\n{ \" }\n\"\"\" a", "   \n     \n    a"),
    ("a // b\nc", "a     \nc"),
    ("#if a", "#if a"),
  ])
  func literalsAndCommentsAreBlanked(text: String, code: String) {
    #expect(SourceFile(path: "", text: text).code == code)
  }

  // MARK: Paths and citations

  @Test func pathsOfAMachineAreSeen() {
    let rule = MachinePathRule(prefixes: ["/" + "home/"])
    func count(_ text: String) -> Int {
      rule.violations(in: SourceFile(path: "README.md", text: text)).count
    }
    #expect(count("cd /" + "home/me") == 1)
    #expect(count("`/" + "home/me`") == 1)
    #expect(count("docs/" + "home/page and https://example.com/" + "home/page") == 0)
  }

  @Test func theCheckoutIsAPathOfAMachine() {
    let text = "\(Repository.root)/Package.swift"
    let file = SourceFile(path: "README.md", text: text)
    let isSeen = !MachinePathRule.forThisMachine.violations(in: file).isEmpty
    #expect(isSeen == (MachinePathRule.checkout != nil))
  }

  @Test func citationsOfMissingSectionsAreSeen() {
    let page = SourceFile(
      path: "Page.md", text: "# Page\n## 2. Two\n### 2.1 First\n### 2.3 Third\n")
    let file = SourceFile(path: "A.swift", text: "/// §2, §2.1-2.3\n/// (§2.2) §2.1-2.4\n")
    #expect(
      Citation.violations(in: [file], page: page).map(\.description) == [
        "A.swift:2: §2.2 is no section of Page.md", "A.swift:2: §2.4 is no section of Page.md",
      ])
  }

  @Test func wordsThatOnlyTheGlossaryHasAreSeen() {
    let page = SourceFile(
      path: "Page.md",
      text: """
        # Glossary
        | Term | Meaning | Defined in |
        |---|---|---|
        | key range, bound | Some keys. | `Plan.Range`, ``Link`` |
        | limit | A number. | <doc:Page>, key `x b` |
        | lost word, map | Nothing. | `Plan.Lost` |

        """)
    let file = SourceFile(
      path: "A.swift",
      text: "/// The limits of a map, and the bound of a key\n/// range.\nstruct Range {}\n")
    #expect(
      GlossaryRule.violations(in: page, of: [file]).map(\.description) == [
        "Page.md:6: no source has 'lost word'", "Page.md:6: no source has 'Lost'",
      ])
  }

  @Test func namesThatOnlyAPageHasAreSeen() {
    let page = SourceFile(
      path: "Page.md",
      text: """
        `Plan.Range`, `Rooms/Plans`, ``Link``, `run(Plan)` and `hearth Lost`
        `Plan.Lost`, `Lost/Rooms`
        """)
    let file = SourceFile(path: "A.swift", text: "// Lost\nstruct Plan { struct Range {} }\n")
    #expect(
      PageNameRule.violations(in: [page], of: [file], among: ["Rooms/Plans/A.swift"])
        .map(\.description) == [
          "Page.md:2: no source has 'Lost'", "Page.md:2: no source has 'Lost'",
        ])
  }
}
