import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Foundation
import HearthLevelDBStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

/// This release opens the databases that every earlier release has written.
@Suite struct FixtureTests {
  private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures")
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: ["format-1"])
  func opensWhatAReleaseHasWritten(_ name: String) throws {
    let copy = folder.path(of: name)
    let original = Self.fixtures.appendingPathComponent(name)
    #expect(FileManager.default.fileExists(atPath: original.path + "/FORMAT"))
    try FileManager.default.copyItem(at: original, to: URL(fileURLWithPath: copy))
    try check(copy)
    // It is a database like any other, so it takes writes, too.
    let engine = try Engine(LevelDBStore.open(folder: copy).store)
    let path = try ResourcePath("samples/new/parts/1")
    _ = try engine.commit([.set(path, ["kind": "new", "value": 1]), .delete(path)])
    try engine.close()
    try check(copy)
  }

  /// Writes the fixture that this release would have; with `HEARTH_WRITE_FIXTURE` it is kept.
  @Test func writesAFixture() throws {
    let wanted = ProcessInfo.processInfo.environment["HEARTH_WRITE_FIXTURE"]
    let path = wanted ?? folder.path(of: "written")
    try #require(!FileManager.default.fileExists(atPath: path), "a fixture is never rewritten")
    try FormatFixture.write(to: path)
    // These files are no part of the format: the lock names a process, and the log is LevelDB's
    // own.
    for name in ["LOCK", "store/LOCK", "store/LOG", "store/LOG.old"] {
      try? FileManager.default.removeItem(atPath: path + "/" + name)
    }
    let copy = folder.path(of: "copy")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    try check(copy)
  }

  // MARK: Checking

  private func check(_ path: String) throws {
    var options = LevelDBOptions()
    options.createIfMissing = false
    let (store, report) = try LevelDBStore.open(folder: path, options: options)
    #expect(!report.isNew && report.cuts.isEmpty)
    let engine = try Engine(store)
    let integrity = try engine.verify()
    #expect(integrity.isClean, "\(integrity.problems)")
    try checkContents(engine, count: integrity.documentCount)
    try engine.close()
  }

  /// Checks the contents. It is a function of its own, so that its views are released when it
  /// returns.
  private func checkContents(_ engine: Engine, count: Int) throws {
    let view = try engine.readView()
    let expected = try FormatFixture.documents()
    #expect(count == expected.count)
    var documents: [Document] = []
    for (path, fields) in expected {
      let document = try #require(try view.document(at: path)?.document(), "\(path)")
      #expect(document.fields == fields, "\(path)")
      #expect(document.createTime < document.updateTime)
      documents.append(document)
    }
    let indexes = view.catalog.indexes
    #expect(
      Set(indexes.composites.map(\.definition)) == Set(FormatFixture.composites.map(\.definition)))
    #expect(indexes == indexes.built)
    for (definition, query) in FormatFixture.composites {
      let scans = try view.plan(query).branches.flatMap(\.scans)
      #expect(scans.map(\.index) == [definition])
      try compare(query, view, documents)
    }
    for query in FormatFixture.otherQueries { try compare(query, view, documents) }
    #expect(throws: DatabaseError.self) { try view.plan(FormatFixture.refusedQuery) }
  }

  private func compare(
    _ query: StructuredQuery, _ view: ReadView, _ documents: [Document]
  ) throws {
    let execution = try view.run(query)
    var found: [ResourcePath] = []
    while let record = try execution.nextDocument() { found.append(record.path) }
    let matcher = QueryMatcher(try NormalizedQuery(query, in: view.databaseID))
    let expected = matcher.run(on: documents).map(\.path)
    #expect(!expected.isEmpty && found == expected, "\(query)")
  }
}
