import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

/// Entries that carry their documents: the same answers, without reading documents.
@Suite struct CoveringTests {
  private let index = IndexDefinition(
    "c",
    [
      IndexColumn(FieldPath(unchecked: ["a"]), .ascending),
      IndexColumn(FieldPath(unchecked: ["b"]), .descending),
    ])
  private let query = StructuredQuery(
    collectionID: "c",
    filter: .field(FieldPath(unchecked: ["a"]), .equal, 1),
    orders: [Order(FieldPath(unchecked: ["b"]), .descending)])

  private func fixture(
    _ settings: EngineSettings = .uncached, _ store: any OrderedStore = MemoryStore()
  ) throws -> EngineFixture {
    let fixture = try EngineFixture(store, settings: settings)
    for number in 0..<5 {
      try fixture.set("c/d\(number)", ["a": 1, "b": .integer(Int64(number)), "x": "text"])
    }
    try fixture.set("c/long", ["a": 1, "b": -1, "x": .string(String(repeating: "x", count: 5000))])
    try fixture.engine.createIndex(index)
    return fixture
  }

  @Test func documentsComeFromEntries() throws {
    let fixture = try fixture()
    let before = try fixture.run(query)
    try fixture.engine.setCovering(true, of: index)
    let execution = try fixture.engine.readView().run(query)
    var documents: [Document] = []
    while let document = try execution.nextDocument() { documents.append(try document.document()) }
    #expect(documents == before)
    #expect(execution.statistics.documentsCovered == 5)
    // The long document isn't in its entry.
    #expect(execution.statistics.documentsRead == 1)
    try fixture.expectClean()
  }

  @Test func theSwitchTurnsThemOff() throws {
    var settings = EngineSettings.uncached
    settings.usesCoveringEntries = false
    let fixture = try fixture(settings)
    try fixture.engine.setCovering(true, of: index)
    let execution = try fixture.engine.readView().run(query)
    while try execution.nextDocument() != nil {}
    #expect(execution.statistics.documentsCovered == 0)
    #expect(execution.statistics.documentsRead == 6)
  }

  @Test func entriesFollowEveryChange() throws {
    let fixture = try fixture()
    try fixture.engine.setCovering(true, of: index)
    func update(_ text: String) throws {
      let x = FieldPath(unchecked: ["x"])
      _ = try fixture.engine.commit([.update(ResourcePath("c/d3"), [(x, .string(text))])])
    }
    // The field is no column of the index.
    try update("new")
    #expect(try fixture.run(query)[1].fields["x"] == "new")
    // Longer, and short again.
    for text in [String(repeating: "y", count: 5000), "short"] {
      try update(text)
      #expect(try fixture.run(query)[1].fields["x"] == .string(text))
      try fixture.expectClean()
    }
    _ = try fixture.engine.commit([.delete(ResourcePath("c/d3"))])
    #expect(try fixture.names(query).count == 5)
    try fixture.expectClean()
  }

  @Test func staleRecordsAreNeverRead() throws {
    let fixture = try fixture()
    try fixture.engine.setCovering(true, of: index)
    try fixture.engine.setCovering(false, of: index)
    try fixture.set("c/d3", ["a": 1, "b": 3, "x": "new"])
    #expect(try fixture.engine.readView().catalog.tunings.isEmpty)
    try fixture.engine.setCovering(true, of: index)
    #expect(try fixture.run(query)[1].fields["x"] == "new")
    try fixture.expectClean()
  }

  @Test func refusals() throws {
    let fixture = try fixture()
    let other = IndexDefinition("c", [IndexColumn(FieldPath(unchecked: ["z"]), .ascending)])
    #expect(code { try fixture.engine.setCovering(true, of: other) } == .notFound)
    let vector = IndexDefinition(
      "c", [], vector: VectorColumn(FieldPath(unchecked: ["v"]), dimension: 2))
    #expect(code { try fixture.engine.setCovering(true, of: vector) } == .invalidArgument)
    let elements = IndexDefinition(
      "c",
      [
        IndexColumn(FieldPath(unchecked: ["tags"]), .contains),
        IndexColumn(FieldPath(unchecked: ["b"]), .ascending),
      ])
    try fixture.engine.createIndex(elements)
    #expect(code { try fixture.engine.setCovering(true, of: elements) } == .invalidArgument)
    // The setting is already as wanted.
    try fixture.engine.setCovering(false, of: elements)
    try fixture.engine.setCovering(false, of: index)
  }

  @Test func droppingTheIndexDropsItsTuning() throws {
    let store = MemoryStore()
    let fixture = try fixture(.uncached, store)
    try fixture.engine.setCovering(true, of: index)
    #expect(try !Engine(store).readView().catalog.tunings.isEmpty)
    try fixture.engine.dropIndex(index)
    #expect(try Engine(store).readView().catalog.tunings.isEmpty)
    try fixture.expectClean()
  }

  /// Earlier releases don't know tunings and refuse the identity's version.
  @Test func olderReleasesRefuseATunedDatabase() throws {
    let store = MemoryStore()
    let fixture = try fixture(.uncached, store)
    func version() throws -> UInt8? { try store.makeSnapshot().value(of: StorageKey.identity)?[0] }
    #expect(try version() == 1)
    try fixture.engine.setCovering(true, of: index)
    #expect(try version() == 2)
    try fixture.engine.setCovering(false, of: index)
    #expect(try version() == 1)
  }

  @Test func databasesOfNewerReleasesAreRefused() throws {
    var format: [UInt8] = []
    IdentityRecord(formatVersion: 2, database: .default).append(to: &format)
    for identity: [UInt8] in [[3, 1], format] {
      let store = MemoryStore()
      _ = try Engine(store)
      var batch = StoreBatch()
      batch.put(StorageKey.identity, identity)
      try store.write(batch)
      #expect(code { _ = try Engine(store) } == .unimplemented)
    }
  }

  @Test func damageIsFoundAndRepaired() throws {
    let store = MemoryStore()
    let fixture = try fixture(.uncached, store)
    try fixture.engine.setCovering(true, of: index)
    let range = KeyRange.prefix(StorageKey.compositePrefix(id: 1))
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: range.lower)
    var batch = StoreBatch()
    let value = [UInt8](copying: cursor.value)
    batch.put([UInt8](copying: cursor.key), try EntryValue.withoutRecord(value))
    try store.write(batch)
    let report = try fixture.engine.verify()
    #expect(report.problems.map(\.fault) == [.wrongEntry])
    #expect(try fixture.engine.repairIndexes() == 1)
    try fixture.expectClean()
  }
}
