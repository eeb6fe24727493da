import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

/// The store is asked to compact where much was deleted, and nowhere else.
@Suite struct CompactionTests {
  private let n = FieldPath(unchecked: ["n"])

  private func filled(
    _ store: CompactionRecorder, count: Int, _ settings: EngineSettings = EngineSettings()
  ) throws -> EngineFixture {
    let fixture = try EngineFixture(store, settings: settings)
    // One entry each, beside the names.
    try fixture.engine.setOverride("c", nil, [])
    try fixture.engine.setOverride("c", n, [SingleFieldIndex(.ascending)])
    store.clear()
    for start in stride(from: 0, to: count, by: 500) {
      _ = try fixture.engine.commit(
        (start..<start + 500).map { .set(path($0), ["n": .integer(Int64($0))]) })
    }
    return fixture
  }

  private func path(_ number: Int) -> ResourcePath {
    ResourcePath(unchecked: ["c", "d\(100_000 + number)"])
  }

  private func delete(_ numbers: Range<Int>, step: Int = 1, _ fixture: EngineFixture) throws {
    for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 500 * step) {
      let end = min(start + 500 * step, numbers.upperBound)
      _ = try fixture.engine.commit(
        stride(from: start, to: end, by: step).map { .delete(path($0)) })
    }
  }

  private func steps(_ engine: Engine, count: Int = 2) throws -> [Bool] {
    try (0..<count).map { _ in try engine.compactDeleted() }
  }

  @Test func theHeadOfAQueueIsCompactedOnceItIsQuiet() throws {
    let store = CompactionRecorder()
    let fixture = try filled(store, count: 24_000)
    try delete(0..<12_000, fixture)
    // It is not known yet whether more deletions follow.
    #expect(try fixture.engine.compactDeleted() == false)
    try delete(12_000..<12_500, fixture)
    #expect(try fixture.engine.compactDeleted() == false)
    #expect(store.ranges.isEmpty)
    while try fixture.engine.compactDeleted() {}
    // Names in both scopes, documents, and the field's entries: each range once.
    let prefixes = store.ranges.compactMap { $0.lower.first }.map { UnicodeScalar($0) }
    #expect(Set(prefixes) == ["n", "g", "d", "a"] && prefixes.count == 4)
    for range in store.ranges {
      #expect(try fixture.isEmpty(range), "\(range)")
    }
    #expect(try steps(fixture.engine) == [false, false])
    try fixture.expectClean()
  }

  @Test func aCompactionThatLeavesDeletedKeysIsMadeAgainLater() throws {
    let store = CompactionRecorder()
    let fixture = try filled(store, count: 12_000)
    try delete(0..<12_000, fixture)
    store.reachesAll.withLock { $0 = false }
    // For who doesn't wait there is an end.
    try fixture.engine.compactAllDeleted()
    let ranges = store.ranges
    #expect(ranges.count == 4)
    var counts: [Int] = []
    for _ in 0..<12 {
      store.clear()
      while try fixture.engine.compactDeleted() {}
      counts.append(store.ranges.count)
    }
    // They wait for one look, are seen to be quiet, and then wait for three.
    #expect(counts.prefix(8).reduce(0, +) == 8 && counts[0] == 0)
    store.reachesAll.withLock { $0 = true }
    store.clear()
    for _ in 0..<64 { while try fixture.engine.compactDeleted() {} }
    #expect(Set(store.ranges.map(\.lower)) == Set(ranges.map(\.lower)))
    #expect(store.ranges.count == 4)
  }

  @Test func fewDeletionsAndSparseOnesAreLeftToTheStore() throws {
    let store = CompactionRecorder()
    let fixture = try filled(store, count: 32_000)
    try delete(0..<8_000, fixture)
    try fixture.engine.compactAllDeleted()
    #expect(store.ranges.isEmpty)
    // One document of each four is deleted. With the earlier ones that is many, but most of the
    // range stays.
    try delete(8_000..<32_000, step: 4, fixture)
    #expect(try fixture.names(StructuredQuery(collectionID: "c")).count == 18_000)
    try fixture.engine.compactAllDeleted()
    #expect(store.ranges.isEmpty)
  }

  @Test func manySmallCollectionsThatGoTogetherAreCompacted() throws {
    let store = CompactionRecorder()
    let fixture = try EngineFixture(store)
    for user in 0..<1_200 {
      _ = try fixture.engine.commit(
        (0..<10).map {
          .set(ResourcePath(unchecked: ["users", "u\(user)", "notes", "n\($0)"]), [:])
        })
    }
    #expect(try fixture.engine.recursiveDelete(ResourcePath("users")) == 12_000)
    let prefixes = Set(store.ranges.compactMap { $0.lower.first }.map { UnicodeScalar($0) })
    #expect(prefixes == ["n", "g", "d"])
  }

  /// A small deletion does not compact earlier deletions of others.
  @Test func aSmallRecursiveDeleteLeavesWhatOthersDeleted() throws {
    let store = CompactionRecorder()
    let fixture = try filled(store, count: 12_000)
    try fixture.set("few/1", [:])
    try delete(0..<12_000, fixture)
    #expect(try fixture.engine.recursiveDelete(ResourcePath("few")) == 1)
    #expect(store.ranges.isEmpty)
    try fixture.engine.compactAllDeleted()
    #expect(!store.ranges.isEmpty)
  }

  /// After a kill between the last deletion and the compaction, the compaction is still due.
  @Test func aDropIsRememberedUntilItIsCompacted() throws {
    let store = MemoryStore()
    let definition = IndexDefinition(
      "c", [IndexColumn(n, .ascending), IndexColumn(FieldPath(unchecked: ["m"]), .ascending)])
    let counts = KeptCounts.Definition("c", [n])
    let first = try Engine(store)
    for start in stride(from: 0, to: 10_000, by: 500) {
      _ = try first.commit(
        (start..<start + 500).map { .set(path($0), ["n": .integer(Int64($0)), "m": 1]) })
    }
    try first.createIndex(definition)
    try first.keepCounts(counts)
    let fault = StoreFault(failingOperation: 1, counting: [.compact])
    let faulty = try Engine(ObservedStore(store, observer: fault))
    let id = try #require(try faulty.readView().catalog.indexes.composites.first).id
    #expect(code { try faulty.dropIndex(definition) } == .unavailable)
    #expect(try faulty.readView().catalog.droppedIDs == [id])
    let recorder = CompactionRecorder(store)
    let engine = try Engine(recorder)
    #expect(engine.builds.hasWork)
    while try engine.builds.step() != nil {}
    #expect(recorder.ranges == [.prefix(StorageKey.compositePrefix(id: id))])
    #expect(try engine.readView().catalog.droppedIDs.isEmpty && !engine.builds.hasWork)

    let second = StoreFault(failingOperation: 1, counting: [.compact])
    let again = try Engine(ObservedStore(store, observer: second))
    #expect(code { try again.dropCounts(counts) } == .unavailable)
    #expect(try again.readView().catalog.tunings.counts.map(\.state) == [.retiring])
    // The same engine continues, too.
    while try again.builds.step() != nil {}
    #expect(try again.readView().catalog.tunings.counts.isEmpty)
    #expect(try again.verify().isClean)
  }

  /// Two drops are left. The second would be compacted when the first can't be.
  @Test func aFailedCompactionKeepsNoOtherDropFromItsEnd() throws {
    let store = MemoryStore()
    let definitions = [n, FieldPath(unchecked: ["m"])].map { KeptCounts.Definition("c", [$0]) }
    let first = try Engine(store)
    _ = try first.commit([.set(path(0), ["n": 1, "m": 1])])
    for definition in definitions { try first.keepCounts(definition) }
    for definition in definitions {
      // The drop itself is written, and no operation after it.
      let fault = StoreFault(failingOperation: 2, counting: [.write])
      let broken = try Engine(ObservedStore(store, observer: fault))
      #expect(code { try broken.dropCounts(definition) } == .unavailable)
    }
    let fault = StoreFault(failingOperation: 1, counting: [.compact])
    let engine = try Engine(ObservedStore(store, observer: fault))
    #expect(try engine.readView().catalog.tunings.counts.map(\.state) == [.retiring, .retiring])
    #expect(code { _ = try engine.builds.step() } == .unavailable)
    while try engine.builds.step() != nil {}
    #expect(try engine.readView().catalog.tunings.counts.isEmpty)
    #expect(try engine.verify().isClean)
  }

  /// If the thread that compacts for no caller fails, no caller makes steps.
  @Test func aFailedBackgroundCompactionIsTriedAgain() throws {
    let store = MemoryStore()
    let columns = [n, FieldPath(unchecked: ["m"])].map { IndexColumn($0, .ascending) }
    let definition = IndexDefinition("c", columns)
    let fault = StoreFault(failingOperation: 1, counting: [.compact])
    let engine = try Engine(ObservedStore(store, observer: fault))
    for start in stride(from: 0, to: 10_000, by: 500) {
      _ = try engine.commit(
        (start..<start + 500).map { .set(path($0), ["n": .integer(Int64($0)), "m": 1]) })
    }
    try engine.createIndex(definition)
    let requests = Lock(0)
    engine.builds.onDemand { requests.withLock { $0 += 1 } }
    try engine.dropIndex(definition)
    let before = requests.withLock { $0 }
    #expect(code { _ = try engine.builds.compactDropped() } == .unavailable)
    #expect(requests.withLock { $0 } == before + 1)
    while try engine.builds.step() != nil {}
    while try engine.builds.compactDropped() {}
    #expect(try engine.readView().catalog.droppedIDs.isEmpty)
  }

  /// Little of its contents is left when its turn comes again.
  @Test func earlierDeletionsOfADropCountForItsCompaction() throws {
    let store = CompactionRecorder()
    var settings = EngineSettings()
    settings.build.dropKeyCount = 1_000
    let engine = try filled(store, count: 12_000, settings).engine
    let counts = KeptCounts.Definition("c", [n])
    try engine.keepCounts(counts)
    let id = try #require(engine.readView().catalog.tunings.counts.first).id
    let columns = [n, FieldPath(unchecked: ["m"])].map { IndexColumn($0, .ascending) }
    let definition = IndexDefinition("e", columns)
    for start in stride(from: 0, to: 1_500, by: 500) {
      _ = try engine.commit(
        (start..<start + 500).map {
          .set(ResourcePath(unchecked: ["e", "\($0)"]), ["n": .integer(Int64($0)), "m": 1])
        })
    }
    try engine.createIndex(definition)
    let stepCount = Lock(0)
    let isGone: @Sendable () -> Bool = {
      stepCount.withLock { count in
        count += 1
        return count > 8
      }
    }
    Audience.mayLeave(isGone) {
      #expect(code { try engine.dropCounts(counts) } == .cancelled)
    }
    store.clear()
    try engine.dropIndex(definition)
    while try engine.builds.step() != nil {}
    #expect(store.ranges == [.prefix(StorageKey.keptCountsPrefix(id: id))])
    #expect(try engine.verify().isClean)
  }

  private func composites(_ count: Int) -> [IndexDefinition] {
    (0..<count).map { number in
      IndexDefinition(
        "c",
        [IndexColumn(n, .ascending), IndexColumn(FieldPath(unchecked: ["f\(number)"]), .ascending)])
    }
  }

  /// Their few keys are deleted in one commit, and no compaction follows.
  @Test func manyDropsOfLittleAreTwoCommitsAndNoCompaction() throws {
    let recorder = CompactionRecorder()
    let counter = StoreCounter()
    let engine = try Engine(ObservedStore(recorder, observer: counter))
    let definitions = composites(100)
    let fields = (0..<100).map { ("f\($0)", Value.integer(1)) }
    _ = try engine.commit((0..<3).map { .set(path($0), MapValue([("n", 1)] + fields)) })
    try engine.apply(plan(definitions, on: engine))
    #expect(try engine.readView().catalog.indexes.composites.count == 100)
    recorder.clear()
    counter.reset()
    try engine.apply(plan([], on: engine))
    #expect(counter.counts.writes == 2 && counter.counts.deletes >= 300)
    #expect(recorder.ranges.isEmpty)
    let catalog = try engine.readView().catalog
    #expect(catalog.indexes.composites.isEmpty && catalog.droppedIDs.isEmpty)
    #expect(try engine.verify().isClean)
    // One by one, each takes no more.
    try engine.createIndex(definitions[0])
    counter.reset()
    try engine.dropIndex(definitions[0])
    #expect(counter.counts.writes == 2 && recorder.ranges.isEmpty)
  }

  /// Together they have many keys, which are compacted once.
  @Test func manyDropsOfMuchAreOneCompaction() throws {
    let store = CompactionRecorder()
    let engine = try Engine(store)
    let fields = (0..<20).map { ("f\($0)", Value.integer(1)) }
    for start in stride(from: 0, to: 600, by: 200) {
      _ = try engine.commit(
        (start..<start + 200).map { .set(path($0), MapValue([("n", 1)] + fields)) })
    }
    try engine.apply(plan(composites(20), on: engine))
    store.clear()
    try engine.apply(plan([], on: engine))
    let ids = Array(UInt64(1)...20)
    #expect(store.ranges.count == 1)
    let range = try #require(store.ranges.first)
    #expect(range.lower.starts(with: StorageKey.compositePrefix(id: ids[0])))
    #expect(range.upper.starts(with: StorageKey.compositePrefix(id: ids[19])))
    #expect(try engine.readView().catalog.droppedIDs.isEmpty)
  }

  private func plan(_ definitions: [IndexDefinition], on engine: Engine) throws -> IndexFilePlan {
    try IndexFilePlan(
      from: engine.indexFile(), to: IndexFile(composites: definitions, overrides: []),
      prunes: true)
  }

  @Test func rangesThatAChangeOfIndexesEmptiesAreCompacted() throws {
    let store = CompactionRecorder()
    let fixture = try filled(store, count: 12_000)
    try fixture.engine.setOverride("c", n, [])
    try fixture.engine.compactAllDeleted()
    #expect(store.ranges.compactMap(\.lower.first) == [UInt8(ascii: "a")])
    store.clear()
    try fixture.engine.keepCounts(KeptCounts.Definition("c", [n]))
    try fixture.engine.dropCounts(KeptCounts.Definition("c", [n]))
    #expect(store.ranges.first == .prefix(StorageKey.keptCountsPrefix(id: 1)))
    // It was compacted already, so its deletion is no reason for another compaction.
    store.clear()
    try fixture.engine.compactAllDeleted()
    #expect(store.ranges.isEmpty)
  }
}

extension EngineFixture {
  /// Whether the store has no key in a range.
  fileprivate func isEmpty(_ range: KeyRange) throws -> Bool {
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: range.lower)
    return !cursor.isValid || !range.contains(cursor.key)
  }
}

/// A store in memory that records the ranges of compactions.
private final class CompactionRecorder: OrderedStore {
  private let store: MemoryStore
  private let recorded = Lock<[KeyRange]>([])
  /// Whether compactions reach all that was deleted.
  let reachesAll = Lock(true)

  init(_ store: MemoryStore = MemoryStore()) {
    self.store = store
  }

  var ranges: [KeyRange] { recorded.withLock { $0 } }
  var isDurable: Bool { store.isDurable }

  func clear() { recorded.withLock { $0 = [] } }

  func makeSnapshot() throws(StoreError) -> any StoreSnapshot { try store.makeSnapshot() }
  func write(_ batch: StoreBatch) throws(StoreError) { try store.write(batch) }

  func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError) -> Bool {
    recorded.withLock {
      $0.append(KeyRange(lower: lower ?? [], upper: upper ?? KeyRange.endOfKeys))
    }
    return reachesAll.withLock { $0 }
  }

  func approximateByteCount(
    from lower: [UInt8], to upper: [UInt8]
  ) throws(StoreError) -> Int {
    try store.approximateByteCount(from: lower, to: upper)
  }

  func close() throws(StoreError) { try store.close() }
}
