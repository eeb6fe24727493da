import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

/// The counters of the use of indexes, and the figures of a database.
@Suite struct IndexUsageTests {
  private let a = FieldPath(unchecked: ["a"])
  private let b = FieldPath(unchecked: ["b"])

  private var aThenB: IndexDefinition {
    IndexDefinition("c", [IndexColumn(a, .ascending), IndexColumn(b, .descending)])
  }

  private var composite: StructuredQuery {
    StructuredQuery(
      collectionID: "c", filter: .field(a, .equal, 1), orders: [Order(b, .descending)])
  }

  private var byB: StructuredQuery {
    StructuredQuery(collectionID: "c", orders: [Order(b, .descending)])
  }

  private func time(_ seconds: Int64) throws -> Timestamp {
    try Timestamp(microseconds: seconds * 1_000_000)
  }

  private func index(
    _ engine: Engine, _ kind: IndexStatistics.Kind, _ field: FieldPath? = nil,
    scope: QueryScope = .collection, _ mode: IndexMode = .ascending
  ) throws -> IndexStatistics? {
    try engine.statistics(countingEntries: true).indexes.first { row in
      row.kind == kind
        && row.definitions.contains { definition in
          definition.scope == scope
            && (field == nil || definition.columns[0] == IndexColumn(field ?? a, mode))
        }
    }
  }

  @Test func queriesAreCountedForTheIndexesThatServeThem() throws {
    let fixture = try EngineFixture()
    let engine = fixture.engine
    fixture.clock.turn(to: try time(100))
    try engine.createIndex(aThenB)
    try fixture.set("c/1", ["a": 1, "b": 1])
    #expect(try index(engine, .composite)?.queryCount == 0)
    #expect(try index(engine, .composite)?.lastQueryTime == nil)
    // The second query has a plan that is kept.
    for number in 1...3 {
      fixture.clock.turn(to: try time(200 + Int64(number)))
      _ = try fixture.run(composite)
    }
    let used = try #require(try index(engine, .composite))
    #expect(used.queryCount == 3)
    #expect(used.lastQueryTime == (try time(203)))
    let (earliest, latest) = (try time(100), try time(101))
    #expect(used.since >= earliest && used.since < latest)
    // Both directions of a field share their entries, and their figures.
    _ = try fixture.run(byB)
    let field = try #require(try index(engine, .field, b))
    #expect(field.queryCount == 1 && field.definitions.count == 2)
    #expect(try index(engine, .field, a)?.queryCount == 0)
    // A join is a use of each of its indexes. A second alternative on the same index is no further
    // use.
    _ = try fixture.run(
      StructuredQuery(
        collectionID: "c", filter: .and([.field(a, .equal, 1), .field(b, .equal, 1)])))
    _ = try fixture.run(
      StructuredQuery(collectionID: "c", filter: .field(a, .in, .array([1, 2, 3]))))
    #expect(try index(engine, .field, a)?.queryCount == 2)
    #expect(try index(engine, .field, b)?.queryCount == 2)
    // A refused query uses no index, nor does a plan that isn't run.
    let refused = StructuredQuery(
      collectionID: "c", filter: .field(b, .equal, 1), orders: [Order(a)])
    #expect(code { _ = try fixture.run(refused) } == .failedPrecondition)
    _ = try engine.readView().plan(composite)
    #expect(try index(engine, .composite)?.queryCount == 3)
    #expect(try index(engine, .field, b)?.queryCount == 2)
    _ = try fixture.run(StructuredQuery(collectionID: "c"))
    #expect(try index(engine, .names)?.queryCount == 1)
  }

  @Test func countsThatAreKeptAreUsesOfTheIndexesThatWouldServe() throws {
    let fixture = try EngineFixture()
    let engine = fixture.engine
    try fixture.set("c/1", ["a": 1])
    try engine.keepCounts(KeptCounts.Definition("c", [a]))
    let query = StructuredQuery(collectionID: "c", filter: .field(a, .equal, 1))
    _ = try engine.readView().keptCount(of: query)
    #expect(try index(engine, .field, a)?.queryCount == 1)
    #expect(try engine.readView().simpleKeptCount(of: query) == 1)
    #expect(try index(engine, .field, a)?.queryCount == 2)
    _ = try engine.readView().aggregate(AggregationQuery(query, [.count()]))
    #expect(try index(engine, .field, a)?.queryCount == 3)
  }

  @Test func entriesThatWritesCauseAreCounted() throws {
    let fixture = try EngineFixture()
    let engine = fixture.engine
    try engine.createIndex(aThenB)
    func writes(_ kind: IndexStatistics.Kind, _ field: FieldPath? = nil) throws -> Int? {
      try index(engine, kind, field)?.entryWriteCount
    }
    try fixture.set("c/1", ["a": 1, "b": 1])
    #expect(try writes(.composite) == 1)
    #expect(try writes(.field, a) == 1)
    #expect(try writes(.names) == 1)
    // One entry goes and one comes; those of `a` stay.
    try fixture.set("c/1", ["a": 1, "b": 2])
    #expect(try writes(.composite) == 3)
    #expect(try writes(.field, b) == 3)
    #expect(try writes(.field, a) == 1)
    #expect(try writes(.names) == 1)
    try fixture.set("c/1", ["a": 1, "b": 2])
    // The key is the same, but the number in it is of another kind.
    try fixture.set("c/1", ["a": 1.0, "b": 2])
    #expect(try writes(.field, a) == 2)
    #expect(try writes(.composite) == 4)
    _ = try engine.commit([.delete(ResourcePath("c/1"))])
    #expect(try writes(.composite) == 5)
    #expect(try writes(.field, a) == 3)
    #expect(try writes(.names) == 2)
    // A failed request has written nothing.
    #expect(
      code {
        _ = try engine.commit([
          .set(ResourcePath("c/2"), ["a": 1]),
          .update(ResourcePath("c/3"), [(a, .integer(2))]),
        ])
      } == .notFound)
    #expect(try writes(.field, a) == 3)
    // The writes of a build don't count as the cost of a write.
    try fixture.set("c/1", ["a": 1, "b": 1])
    let second = IndexDefinition("c", [IndexColumn(b, .ascending), IndexColumn(a, .ascending)])
    try engine.createIndex(second)
    let built = try engine.statistics(countingEntries: true).indexes
      .first { $0.definitions == [second] }
    #expect(built?.entryWriteCount == 0 && built?.entryCount == 1)
  }

  @Test func elementsOfArraysCountForTheirOwnIndex() throws {
    let fixture = try EngineFixture()
    try fixture.set("c/1", ["a": .array([1, 2, 2])])
    let contains = try #require(try index(fixture.engine, .field, a, .contains))
    #expect(contains.entryCount == 2 && contains.entryWriteCount == 2)
    #expect(contains.definitions.count == 1)
    #expect(try index(fixture.engine, .field, a)?.entryCount == 1)
  }

  // MARK: Saving

  @Test func countsOfUseAreSavedAndContinue() throws {
    let store = MemoryStore()
    let fixture = try EngineFixture(store)
    fixture.clock.turn(to: try time(100))
    try fixture.engine.createIndex(aThenB)
    try fixture.set("c/1", ["a": 1, "b": 1])
    _ = try fixture.run(composite)
    try fixture.engine.saveUsage()
    // This use is lost.
    _ = try fixture.run(composite)

    let again = try EngineFixture(store)
    again.clock.turn(to: try time(300))
    _ = try again.run(byB)
    let row = try #require(try index(again.engine, .composite))
    #expect(row.queryCount == 1 && row.entryWriteCount == 1)
    #expect(row.lastQueryTime == (try time(100)))
    #expect(row.since < (try time(101)))
    #expect(try again.engine.statistics(countingEntries: false).usageStart == .minimum)
    // The record of a dropped index is deleted, and the next one begins anew.
    try again.engine.dropIndex(aThenB)
    try again.engine.saveUsage()
    let key = StorageKey.usage(of: .composite(id: 1))
    #expect(try store.makeSnapshot().value(of: key) == nil)
    try again.engine.createIndex(aThenB)
    let new = try #require(try index(again.engine, .composite))
    #expect(try new.queryCount == 0 && new.since >= time(300))
    try again.expectClean()
  }

  @Test func aSaveIsACommitThatChangesNothing() throws {
    let counter = StoreCounter()
    let fixture = try EngineFixture(ObservedStore(MemoryStore(), observer: counter))
    try fixture.set("c/1", ["a": 1])
    let view = try fixture.engine.readView()
    try fixture.engine.saveUsage()
    #expect(try fixture.engine.readView() === view)
    #expect(view.commitNumber == 1)
    let count = counter.counts.writes
    try fixture.engine.saveUsage()
    #expect(counter.counts.writes == count)
    _ = try fixture.run(byB)
    try fixture.engine.saveUsage()
    #expect(counter.counts.writes == count + 1)
  }

  @Test func aSaveThatFailsIsTold() throws {
    let fault = StoreFault(failingOperation: 3, counting: [.write])
    let fixture = try EngineFixture(ObservedStore(MemoryStore(), observer: fault))
    try fixture.set("c/1", ["a": 1])
    #expect(try fixture.engine.statistics(countingEntries: false).usageFailure == nil)
    #expect(code { try fixture.engine.saveUsage() } == .unavailable)
    #expect(try fixture.engine.statistics(countingEntries: false).usageFailure != nil)
    #expect(try fixture.fields("c/1") == ["a": 1])
  }

  @Test func anIndexThatIsEnabledCountsFromThenOn() throws {
    let fixture = try EngineFixture()
    try fixture.set("c/1", ["a": 1])
    _ = try fixture.run(StructuredQuery(collectionID: "c", orders: [Order(a)]))
    fixture.clock.turn(to: try time(500))
    try fixture.engine.setOverride("c", a, [SingleFieldIndex(.ascending, scope: .collectionGroup)])
    let group = try #require(
      try index(fixture.engine, .field, a, scope: .collectionGroup))
    #expect(group.since >= (try time(500)))
    // The dropped index is no longer listed.
    #expect(try index(fixture.engine, .field, a) == nil)
    try fixture.engine.setOverride("c", a, [SingleFieldIndex(.ascending)])
    #expect(try index(fixture.engine, .field, a)?.queryCount == 0)
    #expect(try #require(try index(fixture.engine, .field, a)).since >= (try time(500)))
  }

  @Test func fieldsBeyondTheLimitAreNotCounted() throws {
    let fixture = try EngineFixture()
    for start in stride(from: 0, to: 5000, by: 500) {
      let fields = (start..<start + 500).map { ("f\($0)", Value.integer(1)) }
      try fixture.set("c/\(start)", MapValue(fields))
    }
    let rows = try fixture.engine.statistics(countingEntries: true).indexes
    #expect(rows.count { $0.kind == .field } == 5000)
    let counted = rows.count { $0.kind == .field && $0.entryWriteCount == 1 }
    #expect(counted > 4000 && counted <= 4096)
  }

  /// Fields that are only written take no place from fields that queries ask for, or that were
  /// chosen.
  @Test func queriesAreCountedBesideAnyWrites() throws {
    let store = MemoryStore()
    try Engine(store).setOverride("c", a, [SingleFieldIndex(.ascending)])
    let fixture = try EngineFixture(store)
    for start in stride(from: 0, to: 5000, by: 500) {
      let fields = (start..<start + 500).map { ("f\($0)", Value.integer(1)) }
      try fixture.set("c/\(start)", MapValue(fields))
    }
    for field in [a, b] {
      _ = try fixture.run(StructuredQuery(collectionID: "c", orders: [Order(field)]))
    }
    #expect(try index(fixture.engine, .field, a)?.queryCount == 1)
    #expect(try index(fixture.engine, .field, b)?.queryCount == 1)
    let unwritten = FieldPath(unchecked: ["f4999"])
    #expect(try index(fixture.engine, .field, unwritten)?.queryCount == 0)
  }

  /// If queries ask for too many fields, the use of the others is unknown.
  @Test func uncountedUseIsReportedAsUnknown() throws {
    let store = MemoryStore()
    try EngineFixture(store).set("c/1", ["f0": 1, "f4200": 1])
    let fixture = try EngineFixture(store)
    func row(_ name: String) throws -> IndexStatistics {
      try #require(try index(fixture.engine, .field, FieldPath(unchecked: [name])))
    }
    #expect(try row("f4200").queryCount == 0)
    for number in 0...4200 {
      let field = FieldPath(unchecked: ["f\(number)"])
      _ = try fixture.run(StructuredQuery(collectionID: "c", filter: .field(field, .equal, 1)))
    }
    #expect(try row("f0").queryCount == 1)
    #expect(try row("f4200").queryCount == nil)
    // The time since when it is counted is known.
    fixture.clock.turn(to: try time(500))
    try fixture.set("c/2", ["f4200": 1])
    let counted = try row("f4200")
    #expect(try counted.queryCount == 0 && counted.since == time(500))
  }

  // MARK: Figures

  @Test func theDatabaseInFigures() throws {
    let store = MemoryStore()
    let fixture = try EngineFixture(store)
    try fixture.set("c/1", ["a": 1])
    try fixture.set("c/1/d/1", ["a": 1])
    try fixture.set("c/2/d/1", ["a": 1])
    try fixture.set("e/1", [:])
    _ = try fixture.engine.commit([.delete(ResourcePath("e/1"))])
    let statistics = try fixture.engine.statistics(countingEntries: true)
    #expect(statistics.documentCount == 3)
    #expect(statistics.collectionCount == 3)
    #expect(statistics.commitCount == 5)
    #expect(statistics.diskByteCount > 0)
    let entryCount = statistics.indexes.reduce(0) { $0 + ($1.entryCount ?? 0) }
    #expect(entryCount == (try fixture.engine.verify()).entryCount)
    let field = statistics.indexes.filter { $0.kind == .field }
    #expect(field.map(\.definitions[0].collectionGroup) == ["c", "d"])
    #expect(field.map(\.entryCount) == [1, 2])
    // The memory store compresses nothing.
    #expect(field.allSatisfy { $0.diskByteCount == $0.byteCount })
    let quick = try fixture.engine.statistics(countingEntries: false)
    #expect(quick.documentCount == nil && quick.indexes.allSatisfy { $0.entryCount == nil })
  }

  /// Without counting, at most one entry for each composite index and four more are read, for any
  /// size of the database.
  @Test func figuresThatAreKnownAnywayAreRead() throws {
    let counter = StoreCounter()
    let engine = try Engine(ObservedStore(MemoryStore(), observer: counter))
    func path(_ number: Int) -> ResourcePath { ResourcePath(unchecked: ["c", "\(number)"]) }
    func fill(_ numbers: Range<Int>) throws {
      _ = try engine.commit(numbers.map { .set(path($0), ["a": 1, "b": 2]) })
    }
    func work() throws -> (DatabaseStatistics, entryCount: Int, seekCount: Int) {
      counter.reset()
      let statistics = try engine.statistics(countingEntries: false)
      let counts = counter.counts
      return (statistics, counts.gets + counts.nexts, counts.seeks)
    }
    let names = ["a", "b"].map { FieldPath(unchecked: [$0]) }
    for columns in [names, names.reversed()] {
      try engine.createIndex(
        IndexDefinition("c", columns.map { IndexColumn($0, .ascending) }))
    }
    try fill(0..<10)
    #expect(try work().entryCount == 0)
    for start in stride(from: 10, to: 3_000, by: 230) { try fill(start..<start + 230) }
    let (without, entryCount, seekCount) = try work()
    #expect(entryCount == 0 && seekCount <= 1)
    #expect(without.documentCount == nil)

    // Sums supply the numbers.
    try engine.keepSums(true) { _ in }
    let (statistics, sumCount, sumSeekCount) = try work()
    #expect(sumCount <= 2 + 4 && sumSeekCount <= 1)
    #expect(statistics.documentCount == 3_000 && statistics.collectionCount == nil)
    let composites = statistics.indexes.filter { $0.kind == .composite }
    #expect(composites.map(\.entryCount) == [3_000, 3_000])
    #expect(composites.allSatisfy { ($0.diskByteCount ?? 0) > 0 })
    let counted = try engine.statistics(countingEntries: true)
    #expect(counted.documentCount == 3_000)
    #expect(counted.indexes.filter { $0.kind == .composite }.map(\.entryCount) == [3_000, 3_000])
  }
}
