import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Foundation
import HearthLevelDBStore
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

/// The engine's batches keep the rules of LevelDB's store, whose deletes cost queries little.
@Suite struct StoredDeletesTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "database")
  }

  private func fixture(
    _ settings: EngineSettings = EngineSettings(), drainTime: Duration = .seconds(1)
  ) throws -> EngineFixture {
    var options = LevelDBOptions()
    options.isDurable = false
    options.drainTime = drainTime
    options.anchor = StorageKey.state
    return try EngineFixture(
      LevelDBStore.open(folder: path, options: options).store, settings: settings)
  }

  private let index = IndexDefinition(
    "c",
    [
      IndexColumn(FieldPath(unchecked: ["n"]), .ascending),
      IndexColumn(FieldPath(unchecked: ["m"]), .ascending),
    ])

  /// All kinds of batches: of commits, of indexes that come and go, of figures of use, of purges.
  @Test func everyBatchPutsTheStateRecord() throws {
    let fixture = try fixture()
    func set(_ number: Int64, _ value: Int64) throws {
      try fixture.set("c/\(number)", ["n": .integer(value), "m": 1])
    }
    for number: Int64 in 0..<50 { try set(number, number) }
    try fixture.engine.createIndex(index)
    let order = Order(FieldPath(unchecked: ["n"]))
    _ = try fixture.run(StructuredQuery(collectionID: "c", orders: [order]))
    try fixture.engine.saveUsage()
    for number: Int64 in 0..<20 { try set(number, -number) }
    try fixture.engine.dropIndex(index)
    _ = try fixture.engine.commit([.delete(ResourcePath("c/30"))])
    try expectState()
    try fixture.engine.compact()
    _ = try fixture.engine.commit([.delete(ResourcePath("c/31"))])
    try fixture.engine.saveUsage()
    try fixture.engine.close()
    try expectState()
  }

  private func expectState() throws {
    let batches = try LoggedRecords.batchKeys(ofStore: path)
    #expect(!batches.isEmpty)
    let keys = batches.filter { !$0.contains(StorageKey.state) }.flatMap { $0 }
    #expect(keys.isEmpty, "\(keys.map { StorageKey.describe($0.span.bytes, own: .default) })")
  }

  /// Documents come at the end and go at the head: a page there meets those that went last.
  @Test func aPageAtTheHeadOfAQueueStepsOverFewDeletedEntries() throws {
    var settings = EngineSettings.uncached
    settings.scanCacheByteCount = 0
    settings.emptyRangeInterval = nil
    let fixture = try fixture(settings)
    let query = StructuredQuery(
      collectionID: "c", orders: [Order(FieldPath(unchecked: ["n"]))], limit: 10)
    var skippedCounts: Set<Int> = []
    for number in 0..<1000 {
      try fixture.set("c/\(number)", ["n": .integer(Int64(number))])
      guard number >= 20 else { continue }
      _ = try fixture.engine.commit([.delete(ResourcePath("c/\(number - 20)"))])
      let execution = try fixture.engine.readView().run(query)
      while try execution.nextDocument() != nil {}
      #expect(execution.statistics.entriesRead == 10)
      skippedCounts.insert(execution.statistics.deletedEntriesPassed)
    }
    #expect(skippedCounts == [1])
    try fixture.engine.close()
  }

  /// Deleted entries are skipped because they were counted, and not because a seek took long.
  @Test(arguments: [nil, 32], [1, 40])
  func aSecondPageSkipsWhatTheFirstPassed(interval: Int?, deletedCount: Int) throws {
    var settings = EngineSettings.uncached
    settings.scanCacheByteCount = 0
    settings.emptyRangeInterval = interval
    let fixture = try fixture(settings)
    for number in 0..<60 { try fixture.set("c/\(number)", ["n": .integer(Int64(number))]) }
    _ = try fixture.engine.commit(
      (0..<deletedCount).map { .delete(try ResourcePath("c/\($0)")) })
    let query = StructuredQuery(
      collectionID: "c", orders: [Order(FieldPath(unchecked: ["n"]))], limit: 10)
    func passedCount() throws -> Int {
      let execution = try fixture.engine.readView().run(query)
      while try execution.nextDocument() != nil {}
      return execution.statistics.deletedEntriesPassed
    }
    let second = interval == nil ? deletedCount : 0
    #expect(try [passedCount(), passedCount()] == [deletedCount, second])
    try fixture.engine.close()
  }

  /// A snapshot that is held keeps what is deleted meanwhile; counting all entries takes long.
  @Test func countingEntriesHoldsNoSnapshot() throws {
    let store = try LevelDBStore.open(folder: path).store
    let fixture = try EngineFixture(store)
    for start in stride(from: 0, to: 4000, by: 500) {
      _ = try fixture.engine.commit(
        (start..<start + 500).map { .set(try ResourcePath("c/\($0)"), ["n": 1]) })
    }
    var queuedCount = -1
    let statistics = try fixture.engine.statistics(countingEntries: true) { count in
      guard count == 10_000 else { return }
      do {
        _ = try fixture.engine.commit([.delete(ResourcePath("c/0"))])
        _ = try fixture.engine.commit([.set(ResourcePath("c/new"), ["n": 1])])
      } catch {
        Issue.record(error)
      }
      queuedCount = store.deadKeys.count
    }
    #expect(statistics.documentCount == 4000)
    #expect(queuedCount == 0)
    try fixture.engine.close()
  }

  /// A kill leaves dead values, as does a close without time; the format of the store is the same.
  @Test func aStoreWithDeadValuesLeftInItIsReadAndReaped() throws {
    let first = try fixture(drainTime: .zero)
    for number: Int64 in 0..<40 { try first.set("c/\(number)", ["n": .integer(number), "m": 1]) }
    try first.engine.createIndex(index)
    _ = try first.engine.commit((0..<30).map { .delete(try ResourcePath("c/\($0)")) })
    try first.engine.close()
    let second = try fixture()
    // Of each document the record, two names and the entries.
    #expect(try deadCount(second.store) >= 30 * 4)
    let query = StructuredQuery(
      collectionID: "c", orders: [Order(FieldPath(unchecked: ["n"]))])
    #expect(try second.names(query) == (30..<40).map { "c/\($0)" })
    #expect(try second.fields("c/0") == nil)
    try second.expectClean()
    #expect(try second.engine.verifyQuickly(seed: 1).isClean)
    try second.engine.compact()
    #expect(try deadCount(second.store) == 0)
    try second.expectClean()
    try second.engine.close()
  }

  /// Number of dead values.
  private func deadCount(_ store: any OrderedStore) throws -> Int {
    let cursor = try store.makeCursor()
    try cursor.seek(to: [])
    while cursor.isValid { try cursor.next() }
    return cursor.skippedCount
  }

  private func entries(
    of prefixes: [[UInt8]], _ store: any OrderedStore
  ) throws -> [(key: [UInt8], value: [UInt8])] {
    var entries: [(key: [UInt8], value: [UInt8])] = []
    let cursor = try store.makeCursor()
    for prefix in prefixes {
      try cursor.seek(to: prefix)
      while cursor.isValid, KeyRange.prefix(prefix).contains(cursor.key) {
        entries.append(([UInt8](copying: cursor.key), [UInt8](copying: cursor.value)))
        try cursor.next()
      }
    }
    return entries
  }

  /// The keys of an index and of counts that were dropped, back as LevelDB 1.23 may bring them.
  @Test func entriesOfADroppedIndexThatComeBackArePassedOver() throws {
    let fixture = try fixture()
    for number: Int64 in 0..<40 { try fixture.set("c/\(number)", ["n": .integer(number), "m": 1]) }
    try fixture.engine.keepSums(true)
    let counts = KeptCounts.Definition("c", [FieldPath(unchecked: ["n"])])
    try fixture.engine.createIndex(index)
    try fixture.engine.keepCounts(counts)
    let catalog = try fixture.engine.readView().catalog
    let prefixes =
      catalog.indexes.composites.map { StorageKey.compositePrefix(id: $0.id) }
      + catalog.tunings.counts.map { StorageKey.keptCountsPrefix(id: $0.id) }
    let dropped = try entries(of: prefixes, fixture.store)
    #expect(dropped.count == 80)
    try fixture.engine.dropIndex(index)
    try fixture.engine.dropCounts(counts)
    #expect(try entries(of: prefixes, fixture.store).isEmpty)
    var batch = StoreBatch()
    for entry in dropped { batch.put(entry.key, entry.value) }
    try fixture.store.write(batch)
    try fixture.expectClean()
    for count in [0, 10, 5000] {
      let report = try fixture.engine.verifyQuickly(sampleCount: count, seed: 7)
      #expect(report.isClean, "\(report.findings.problems)")
    }
    #expect(try fixture.engine.repair().changeCount == 0)
    // These ids were never given: they are reported.
    batch = StoreBatch()
    batch.put(StorageKey.compositePrefix(id: 99), dropped[0].value)
    batch.put(StorageKey.keptCountsPrefix(id: 99), [1])
    try fixture.store.write(batch)
    #expect(
      try fixture.engine.verify().problems.map(\.fault) == [.strayEntry, .wrongCount])
    try fixture.engine.close()
  }
}
