import SourceStructure
import Testing

/// The repository keeps the rules that its architecture pages state.
@Suite struct RepositoryTests {
  @Test func everyImportIsInTheTable() throws {
    expectNone(LayeringRule(layers: Layer.all).violations(in: try Repository.swiftFiles()))
  }

  @Test func everyImportedTargetIsInTheManifest() throws {
    let manifest = try #require(Repository.file("Package.swift"))
    expectNone(
      ManifestRule(layers: Layer.all).violations(
        in: try Repository.swiftFiles(), manifest: manifest))
  }

  @Test func filesFunctionsAndLinesKeepToTheirSizesAndWords() throws {
    expectNone(try Repository.swiftFiles().flatMap(ShapeRule.violations))
  }

  @Test func noFileNamesAPathOfAMachine() throws {
    let rule = MachinePathRule.forThisMachine
    expectNone(try Repository.textFiles().flatMap(rule.violations))
  }

  @Test func everyCitedSectionExists() throws {
    let page = try #require(Repository.file("Sources/Hearth/Hearth.docc/Semantics.md"))
    let files = try Repository.textFiles().filter {
      $0.path.hasSuffix(".swift") || $0.path.hasSuffix(".md")
    }
    // The checker's own samples cite sections that no page has.
    let samples = "Tests/ArchitectureTests/"
    expectNone(
      Citation.violations(in: files.filter { !$0.path.hasPrefix(samples) }, page: page))
  }

  @Test func commentsTextsAndPagesArePlain() throws {
    let folders = ["Sources/", "Tools/", "Tests/", "Benchmarks/"]
    // The checker's own samples are wrong on purpose.
    let samples = "Tests/ArchitectureTests/ProseRuleTests.swift"
    let files = try Repository.textFiles().filter { file in
      file.path == "README.md"
        || file.path != samples && folders.contains(where: file.path.hasPrefix)
          && [".swift", ".md"].contains(where: file.path.hasSuffix)
    }
    expectNone(files.flatMap(ProseRule.violations))
  }

  @Test func theSourcesUseTheWordsOfTheGlossary() throws {
    let page = try #require(Repository.file("Sources/Hearth/Hearth.docc/Glossary.md"))
    let sources = try Repository.swiftFiles().filter { $0.path.hasPrefix("Sources/") }
    expectNone(GlossaryRule.violations(in: page, of: sources))
  }

  @Test func theArchitectureNamesWhatExists() throws {
    let texts = try Repository.textFiles()
    let pages = texts.filter { $0.path.hasPrefix("Sources/Hearth/Hearth.docc/Architecture") }
    try #require(pages.count > 10)
    let sources = try Repository.swiftFiles().filter { $0.path.hasPrefix("Sources/") }
    expectNone(PageNameRule.violations(in: pages, of: sources, among: texts.map(\.path)))
  }

  @Test func theReadmeIsShort() throws {
    guard let readme = Repository.file("README.md") else { return }
    #expect(readme.lines.count < 200)
  }
}
