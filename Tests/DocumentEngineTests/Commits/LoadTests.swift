import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

/// Loads, whose documents get their index entries later, but never later than a reader needs them.
@Suite struct LoadTests {
  private static func all() throws -> StructuredQuery {
    StructuredQuery(
      collectionID: "c", filter: .field(try FieldPath("n"), .greaterThanOrEqual, 0))
  }

  private func writes(_ numbers: Range<Int>) throws -> [Write] {
    try numbers.map { number in
      let n = Value.integer(Int64(number * 7919 % 100))
      return .set(try ResourcePath("c/\(number)"), ["n": n, "tags": [.integer(1), n]])
    }
  }

  /// Whether documents lack entries.
  private func isUnindexed(_ engine: Engine) -> Bool { engine.latest.state.unindexedStart != nil }

  @Test func entriesArePutOnceAndInOrder() throws {
    let recorder = EntryRecorder()
    let store = ObservedStore(MemoryStore(), observer: recorder)
    let fixture = try EngineFixture(store, settings: .loading)
    var load = fixture.engine.makeLoad()
    for start in stride(from: 0, to: 60, by: 20) {
      _ = try load.commit(writes(start..<start + 20))
    }
    #expect(recorder.keys.isEmpty)
    try load.finish()
    let keys = recorder.keys
    // One entry of each field, and two elements or one.
    #expect(keys.count == 60 * 4)
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.precedes($1) })
    #expect(!isUnindexed(fixture.engine))
    #expect(try fixture.names(LoadTests.all()).count == 60)
    try fixture.expectClean()
  }

  @Test func theFirstDocumentsHaveTheirEntriesAtOnce() throws {
    var settings = EngineSettings.loading
    settings.load.promptDocumentCount = 20
    let fixture = try EngineFixture(settings: settings)
    var load = fixture.engine.makeLoad()
    _ = try load.commit(writes(0..<20))
    #expect(!isUnindexed(fixture.engine))
    _ = try load.commit(writes(20..<40))
    #expect(isUnindexed(fixture.engine))
  }

  @Test func aLongLoadPutsEntriesInBetween() throws {
    var settings = EngineSettings.loading
    settings.load.documentCount = 40
    let fixture = try EngineFixture(settings: settings)
    var load = fixture.engine.makeLoad()
    _ = try load.commit(writes(0..<20))
    #expect(isUnindexed(fixture.engine))
    _ = try load.commit(writes(20..<40))
    #expect(!isUnindexed(fixture.engine))
    _ = try load.commit(writes(40..<60))
    #expect(isUnindexed(fixture.engine))
  }

  @Test func aReaderHasAllEntries() throws {
    let fixture = try EngineFixture(settings: .loading)
    var load = fixture.engine.makeLoad()
    for end in [20, 40] {
      _ = try load.commit(writes(end - 20..<end))
      #expect(isUnindexed(fixture.engine))
      #expect(try fixture.names(LoadTests.all()).count == end)
      #expect(!isUnindexed(fixture.engine))
    }
  }

  @Test func scansThatAreKeptHaveAllEntries() throws {
    var settings = EngineSettings.loading
    settings.scanCacheThreshold = 1
    settings.emptyRangeInterval = 0
    let fixture = try EngineFixture(settings: settings)
    let query = StructuredQuery(
      collectionID: "c",
      filter: .and([
        .field(try FieldPath("n"), .equal, 0),
        .field(try FieldPath("tags"), .arrayContains, 1),
      ]))
    for end in [20, 40, 60] {
      var load = fixture.engine.makeLoad()
      let start = Int64(end - 20)
      _ = try load.commit(
        try (start..<start + 20).map { number in
          .set(try ResourcePath("c/\(number)"), ["n": .integer(number % 2), "tags": [1]])
        })
      for _ in 0..<3 { #expect(try fixture.names(query).count == end / 2) }
    }
  }

  @Test func aDocumentIsReadBeforeItsEntriesArePut() throws {
    let fixture = try EngineFixture(settings: .loading)
    var load = fixture.engine.makeLoad()
    _ = try load.commit(writes(0..<20))
    #expect(try fixture.engine.document(at: ResourcePath("c/3")) != nil)
    #expect(isUnindexed(fixture.engine))
  }

  @Test func aLoadThatIsBrokenOffIsCompleted() throws {
    let store = MemoryStore()
    var load = try EngineFixture(store, settings: .loading).engine.makeLoad()
    _ = try load.commit(writes(0..<20))
    let fixture = try EngineFixture(store)
    #expect(isUnindexed(fixture.engine))
    #expect(try fixture.names(LoadTests.all()).count == 20)
    #expect(!isUnindexed(fixture.engine))
    try fixture.expectClean()
  }

  @Test func otherWritesBetweenLeaveTheEntriesRight() throws {
    let fixture = try EngineFixture(settings: .loading)
    var load = fixture.engine.makeLoad()
    _ = try load.commit(writes(0..<20))
    try fixture.set("c/3", ["n": 5, "other": 1])
    try fixture.set("c/new", ["n": 6])
    _ = try fixture.engine.commit([.delete(try ResourcePath("c/4"))])
    _ = try load.commit(writes(2..<6) + writes(20..<30))
    #expect(isUnindexed(fixture.engine))
    try load.finish()
    #expect(try fixture.names(LoadTests.all()).count == 31)
    try fixture.expectClean()
  }

  @Test func aTransactionIsToldOfAllEntries() throws {
    let fixture = try EngineFixture(settings: .loading)
    var load = fixture.engine.makeLoad()
    _ = try load.commit(writes(0..<20))
    let scope = try fixture.engine.beginTransaction()
    let execution = try scope.readView().run(LoadTests.all())
    while try execution.nextDocument() != nil {}
    _ = try load.commit(writes(20..<30))
    #expect(!isUnindexed(fixture.engine))
    try scope.append(.set(try ResourcePath("c/0"), ["n": 1]))
    #expect(code { _ = try scope.commit() } == .aborted)
  }

  @Test func sumsAreKeptInStep() throws {
    let fixture = try EngineFixture(settings: .loading)
    try fixture.engine.keepSums(true)
    var load = fixture.engine.makeLoad()
    _ = try load.commit(writes(0..<20))
    #expect(!isUnindexed(fixture.engine))
    try fixture.expectClean()
  }

  @Test func aDatabaseForReadingOnlySaysWhatIsMissing() throws {
    let store = MemoryStore()
    var load = try EngineFixture(store, settings: .loading).engine.makeLoad()
    _ = try load.commit(writes(0..<20))
    let engine = try Engine(UnwritableStore(store))
    #expect(
      message { _ = try engine.readView() }
        == "An import was broken off before its index entries were complete. Open the database "
        + "once for writing, which completes them.")
    #expect(try engine.document(at: ResourcePath("c/3")) != nil)
  }

  /// Law: any changes between the commits of a load leave the entries those of the documents.
  @Test func anythingBetweenLeavesTheEntriesRight() throws {
    let seed = GeneratedCases.seed()
    var (commits, reopenings) = (0, 0)
    for number in 0..<GeneratedCases.count(per: 10) {
      let seed = seed &+ UInt64(number)
      var generator = HistoryGenerator(seed: seed)
      let store = MemoryStore()
      var engine = try Engine(store, settings: .loading)
      for _ in 0..<12 {
        switch Int.random(in: 0..<8, using: &generator.random) {
        case 0: _ = try? engine.commit([generator.write()])
        case 1: try? generator.indexStep(drops: true).changeIndexes(of: engine)
        case 2:
          engine = try Engine(store, settings: .loading)
          reopenings += 1
        case 3: _ = try engine.readView()
        default:
          var load = engine.makeLoad()
          let result = try? load.commit([generator.write(), generator.write()])
          commits += result == nil ? 0 : 1
        }
      }
      let report = try engine.verify()
      guard report.isClean else {
        Issue.record("HEARTH_SEED=\(seed) HEARTH_CASES=1: \(report.problems)")
        return
      }
    }
    print("commits of loads \(commits), reopenings \(reopenings)")
    guard GeneratedCases.areMany() else { return }
    #expect(commits > GeneratedCases.count / 10)
    #expect(reopenings > GeneratedCases.count / 20)
  }

  /// The same with threads.
  @Test func readersAndWritersBesideALoadFindItsEntriesRight() throws {
    let engine = try Engine(MemoryStore(), settings: .loading)
    try onThreads(3) { thread in
      var load = engine.makeLoad()
      for step in 0..<20 {
        let paths = try (0..<5).map { try ResourcePath("c/\(thread)-\(step * 5 + $0)") }
        let writes = paths.map { Write.set($0, ["n": .integer(Int64(step))]) }
        if thread == 0 {
          _ = try engine.commit(writes)
        } else {
          _ = try load.commit(writes)
        }
        guard thread != 1 else { continue }
        let execution = try engine.readView().run(LoadTests.all())
        var names: Set<String> = []
        while let record = try execution.nextDocument() {
          names.insert(try record.document().path.description)
        }
        #expect(paths.allSatisfy { names.contains($0.description) })
      }
      try load.finish()
    }
    #expect(try engine.verify().isClean)
  }
}

extension EngineSettings {
  /// Settings in which loads defer entries at once, and put and sort few at a time.
  static var loading: EngineSettings {
    var settings = EngineSettings()
    settings.load.promptDocumentCount = 0
    settings.load.runByteCount = 300
    settings.load.batchByteCount = 100
    return settings
  }
}

/// Records the keys of automatic entries that batches put, in their order.
private final class EntryRecorder: StoreObserver {
  private let recorded = Lock<[[UInt8]]>([])

  var keys: [[UInt8]] { recorded.withLock { $0 } }

  func willPerform(_ operation: StoreOperation) {}
  func willWrite(_ batch: StoreBatch, to store: any OrderedStore) {
    batch.forEach { operation, key, _ in
      let key = [UInt8](copying: key)
      guard operation == .put, key.first == UInt8(ascii: "a") else { return }
      recorded.withLock { $0.append(key) }
    }
  }
  func didRead(byteCount: Int) {}
}

/// A store that takes no writes.
private final class UnwritableStore: OrderedStore {
  private let store: MemoryStore

  init(_ store: MemoryStore) { self.store = store }

  private static let refusal = StoreError(.readOnly, "the store is for reading only")

  var isDurable: Bool { true }
  func checkWritable() throws(StoreError) { throw UnwritableStore.refusal }
  func makeSnapshot() throws(StoreError) -> any StoreSnapshot { try store.makeSnapshot() }
  func write(_ batch: StoreBatch) throws(StoreError) { throw UnwritableStore.refusal }
  func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError) -> Bool { true }
  func approximateByteCount(from lower: [UInt8], to upper: [UInt8]) throws(StoreError) -> Int { 0 }
  func close() throws(StoreError) {}
}
