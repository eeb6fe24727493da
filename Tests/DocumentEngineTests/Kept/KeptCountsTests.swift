import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

/// Counts that are kept as documents are written: the same answers as by counting entries.
@Suite struct KeptCountsTests {
  private let a = FieldPath(unchecked: ["a"])
  private let b = FieldPath(unchecked: ["b"])

  private func fixture(_ store: any OrderedStore = MemoryStore()) throws -> EngineFixture {
    let fixture = try EngineFixture(store, settings: .uncached)
    for number in 0..<12 {
      try fixture.set(
        "c/d\(number)", ["a": .integer(Int64(number % 3)), "b": .boolean(number % 2 == 0)])
    }
    try fixture.set("c/one/c/x", ["a": 1, "b": true])
    try fixture.set("c/lacksB", ["a": 1])
    return fixture
  }

  private func filter(_ a: Value, _ b: Value) -> Filter {
    .and([.field(self.b, .equal, b), .field(self.a, .equal, a)])
  }

  /// Returns the count, and whether a kept count answered it.
  private func count(
    _ fixture: EngineFixture, _ query: StructuredQuery, upTo limit: Int? = nil
  ) throws -> (Value, isKept: Bool) {
    let result = try fixture.engine.readView().aggregate(
      AggregationQuery(query, [.count(upTo: limit)]))
    return (result.values[0].value, result.statistics.keptCountsRead > 0)
  }

  private func expect(
    _ fixture: EngineFixture, _ query: StructuredQuery, _ expected: Int64, isKept: Bool = true,
    upTo limit: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (value, kept) = try count(fixture, query, upTo: limit)
    #expect(value == .integer(expected), sourceLocation: sourceLocation)
    #expect(kept == isKept, sourceLocation: sourceLocation)
  }

  @Test func countsAreReadInPlaceOfEntries() throws {
    let fixture = try fixture()
    let query = StructuredQuery(collectionID: "c", filter: filter(1, true))
    try expect(fixture, query, 2, isKept: false)
    try fixture.engine.keepCounts(KeptCounts.Definition("c", [b, a]))
    try expect(fixture, query, 2)
    // 1.0 equals 1; each combination counts once.
    try expect(
      fixture, StructuredQuery(collectionID: "c", filter: filter(.double(1), true)), 2)
    try expect(
      fixture,
      StructuredQuery(
        collectionID: "c",
        filter: .and([
          .field(a, .in, [0, 1, .double(1), 9]), .field(b, .equal, true),
        ])), 4)
    try fixture.expectClean()
  }

  @Test func limitsAndOffsetsAreArithmetic() throws {
    let fixture = try fixture()
    try fixture.engine.keepCounts(KeptCounts.Definition("c", []))
    var query = StructuredQuery(collectionID: "c")
    try expect(fixture, query, 13)
    try expect(fixture, query, 5, upTo: 5)
    query.offset = 10
    try expect(fixture, query, 3)
    query.limit = 2
    try expect(fixture, query, 2)
    query.offset = 100
    try expect(fixture, query, 0)
  }

  @Test func otherQueriesCountEntries() throws {
    let fixture = try fixture()
    try fixture.engine.keepCounts(KeptCounts.Definition("c", [a]))
    func isKept(_ change: (inout StructuredQuery) -> Void) throws -> Bool {
      var query = StructuredQuery(collectionID: "c", filter: .field(a, .equal, 1))
      change(&query)
      return try count(fixture, query).isKept
    }
    #expect(try isKept { _ in })
    #expect(try isKept { $0.orders = [Order(a)] })
    #expect(try !isKept { $0.filter = nil })
    #expect(try !isKept { $0.filter = .field(a, .greaterThan, 1) })
    #expect(try !isKept { $0.filter = filter(1, true) })
    let name = Value.reference(try DocumentName(ResourcePath("c/d1"), in: .default))
    #expect(
      try !isKept {
        $0.orders = [Order(.documentID)]
        $0.start = Cursor([name], isBefore: true)
      })
    let long = Value.string(String(repeating: "x", count: 2000))
    #expect(try !isKept { $0.filter = .field(a, .equal, long) })
    #expect(try isKept { $0.filter = .unary(a, .isNull) })
  }

  @Test func nullAndNaNCountAsTheyMatch() throws {
    let fixture = try fixture()
    try fixture.set("c/null", ["a": .null])
    try fixture.set("c/nan", ["a": .double(.nan)])
    try fixture.engine.keepCounts(KeptCounts.Definition("c", [a]))
    try expect(fixture, StructuredQuery(collectionID: "c", filter: .unary(a, .isNull)), 1)
    try expect(fixture, StructuredQuery(collectionID: "c", filter: .unary(a, .isNaN)), 1)
  }

  @Test func groupsAreCountedTogether() throws {
    let fixture = try fixture()
    try fixture.engine.keepCounts(KeptCounts.Definition("c", [], scope: .collectionGroup))
    var query = StructuredQuery(collectionID: "c", allDescendants: true)
    try expect(fixture, query, 14)
    query.parent = try ResourcePath("c/one")
    try expect(fixture, query, 1, isKept: false)
  }

  /// A query that lacks an index is refused, even if its count is kept.
  @Test func theVerdictStays() throws {
    let fixture = try fixture()
    try fixture.engine.keepCounts(KeptCounts.Definition("c", [a, b]))
    try fixture.engine.setOverride("c", a, [])
    let query = StructuredQuery(collectionID: "c", filter: filter(1, true))
    #expect(code { _ = try count(fixture, query) } == .failedPrecondition)
  }

  @Test func countsFollowWrites() throws {
    let fixture = try fixture()
    let query = StructuredQuery(collectionID: "c", filter: filter(1, true))
    try fixture.engine.keepCounts(KeptCounts.Definition("c", [a, b]))
    let view = try fixture.engine.readView()
    _ = try fixture.engine.commit([
      .set(ResourcePath("c/new"), ["a": 1, "b": true]),
      .set(ResourcePath("c/lacksB"), ["a": 1, "b": true]),
      .delete(ResourcePath("c/d4")),
    ])
    try expect(fixture, query, 3)
    // An earlier view keeps its count.
    let before = try view.aggregate(AggregationQuery(query, [.count()]))
    #expect(before.values[0].value == 2 && before.statistics.keptCountsRead == 1)
    for name in ["new", "lacksB", "d10"] {
      _ = try fixture.engine.commit([.delete(ResourcePath("c/\(name)"))])
    }
    try expect(fixture, query, 0)
    try fixture.expectClean()
  }

  @Test func droppedCountsLeaveNothing() throws {
    let store = MemoryStore()
    let fixture = try fixture(store)
    let counts = KeptCounts.Definition("c", [a, b])
    try fixture.engine.keepCounts(counts)
    #expect(code { try fixture.engine.keepCounts(counts) } == .alreadyExists)
    try fixture.engine.dropCounts(counts)
    #expect(code { try fixture.engine.dropCounts(counts) } == .notFound)
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: StorageKey.keptCountsPrefix)
    #expect(!cursor.isValid || cursor.key.compare([0x76].span.bytes) != .less)
    #expect(try fixture.engine.readView().catalog.tunings.isEmpty)
    #expect(code { try fixture.engine.keepCounts(.init("c", [.documentID])) } == .invalidArgument)
  }

  @Test func aDropThatWasBrokenOffIsFinished() throws {
    let store = MemoryStore()
    let fixture = try fixture(store)
    let counts = KeptCounts.Definition("c", [a])
    try fixture.engine.keepCounts(counts)
    let id = try #require(try fixture.engine.readView().catalog.tunings.counts.first).id
    var record: [UInt8] = []
    KeptCounts(id: id, definition: counts, state: .retiring).appendRecord(to: &record)
    var batch = StoreBatch()
    batch.put(StorageKey.counts(id: id), record)
    try store.write(batch)
    let engine = try Engine(store)
    try engine.dropCounts(counts)
    #expect(try engine.readView().catalog.tunings.isEmpty)
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: StorageKey.keptCountsPrefix)
    #expect(!cursor.isValid || cursor.key.compare([0x76].span.bytes) != .less)
    #expect(code { try engine.dropCounts(counts) } == .notFound)
  }

  /// Counting has a turn for each step, and between turns others change indexes or close the
  /// database.
  @Test func countingLetsOthersBetweenItsSteps() throws {
    let store = MemoryStore()
    let fixture = try EngineFixture(store)
    for start in stride(from: 0, to: 1_200, by: 400) {
      _ = try fixture.engine.commit(
        (start..<start + 400).map { .set(ResourcePath(unchecked: ["c", "\($0)"]), ["a": 1]) })
    }
    let counts = KeptCounts.Definition("c", [a])
    var told: [Int] = []
    let stopped = code {
      try fixture.engine.keepCounts(counts) { progress in
        told.append(progress.documentsDone)
        fixture.engine.builds.stop()
      }
    }
    #expect(stopped == .failedPrecondition && told == [500])
    let engine = try Engine(store)
    #expect(try engine.readView().catalog.tunings.counts.map(\.state) == [.creating])
    try engine.keepCounts(counts) { progress in told.append(progress.documentsDone) }
    #expect(told == [500, 500, 700])
    #expect(try engine.readView().catalog.tunings.counts.map(\.state) == [.ready])
    #expect(try engine.verify().isClean)
  }

  @Test func countsThatAreDroppedWhileTheyAreMadeAreCancelled() throws {
    let fixture = try EngineFixture()
    try fixture.set("c/1", ["a": 1])
    let counts = KeptCounts.Definition("c", [a])
    for start in stride(from: 0, to: 600, by: 300) {
      _ = try fixture.engine.commit(
        (start..<start + 300).map { .set(ResourcePath(unchecked: ["c", "\($0)"]), ["a": 1]) })
    }
    let failure = code {
      try fixture.engine.keepCounts(counts) { _ in
        #expect(throws: Never.self) { try fixture.engine.dropCounts(counts) }
      }
    }
    #expect(failure == .cancelled)
    #expect(try fixture.engine.readView().catalog.tunings.counts.isEmpty)
  }

  @Test func wrongCountsAreFoundAndRepaired() throws {
    let store = MemoryStore()
    let fixture = try fixture(store)
    try fixture.engine.keepCounts(KeptCounts.Definition("c", [a]))
    var batch = StoreBatch()
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: StorageKey.keptCountsPrefix)
    batch.put([UInt8](copying: cursor.key), StorageKey.numberValue(77))
    try cursor.next()
    batch.delete([UInt8](copying: cursor.key))
    batch.put(StorageKey.keptCountsPrefix(id: 99) + [1, 0x10], StorageKey.numberValue(1))
    try store.write(batch)
    #expect(
      try fixture.engine.verify().problems.map(\.fault) == Array(repeating: .wrongCount, count: 3))
    #expect(try fixture.engine.repairIndexes() == 3)
    try fixture.expectClean()
  }

  @Test func damagedCountsAreFoundAndRepaired() throws {
    let store = MemoryStore()
    let fixture = try fixture(store)
    try fixture.engine.keepCounts(KeptCounts.Definition("c", [a]))
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: StorageKey.keptCountsPrefix)
    var batch = StoreBatch()
    batch.put([UInt8](copying: cursor.key), [])
    batch.put(StorageKey.keptCountsPrefix, [1])
    try store.write(batch)
    #expect(try fixture.engine.verify().problems.map(\.fault) == [.wrongCount, .wrongCount])
    #expect(try fixture.engine.repairIndexes() == 2)
    try fixture.expectClean()
    try expect(fixture, StructuredQuery(collectionID: "c", filter: .field(a, .equal, 1)), 5)
  }

  /// After a kill between the steps of a repair the counts are still kept.
  @Test func aRepairThatWasBrokenOffGoesOn() throws {
    let store = MemoryStore()
    var fixture = try fixture(store)
    try fixture.engine.keepCounts(KeptCounts.Definition("c", [a]))
    let old = try #require(try fixture.engine.readView().catalog.tunings.counts.first).id
    var batch = StoreBatch()
    for (id, state) in [(old, TuningState.retiring), (old + 50, .creating)] {
      var record: [UInt8] = []
      KeptCounts(id: id, definition: KeptCounts.Definition("c", [a]), state: state)
        .appendRecord(to: &record)
      batch.put(StorageKey.counts(id: id), record)
    }
    try store.write(batch)
    fixture = try EngineFixture(store, settings: .uncached)
    try fixture.expectClean()
    _ = try fixture.engine.repairIndexes()
    #expect(try fixture.engine.readView().catalog.tunings.counts.map(\.id) == [old + 50])
    try expect(fixture, StructuredQuery(collectionID: "c", filter: .field(a, .equal, 1)), 5)
    try fixture.expectClean()
  }

  @Test func aWriteThatACountContradictsFailsAndChangesNothing() throws {
    let store = MemoryStore()
    let fixture = try fixture(store)
    try fixture.engine.keepCounts(KeptCounts.Definition("c", [a]))
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: StorageKey.keptCountsPrefix)
    var batch = StoreBatch()
    batch.delete([UInt8](copying: cursor.key))
    try store.write(batch)
    let path = try ResourcePath("c/d0")
    do {
      _ = try fixture.engine.commit([.set(ResourcePath("c/d1"), ["a": 9]), .delete(path)])
      Issue.record("The count is 0.")
    } catch {
      #expect(error.code == .dataLoss && error.message.contains("Drop these counts"))
    }
    try fixture.set("c/d2", ["a": 9])
    try expect(fixture, StructuredQuery(collectionID: "c", filter: .field(a, .equal, 9)), 1)
    try expect(fixture, StructuredQuery(collectionID: "c", filter: .field(a, .equal, 1)), 5)
  }

  @Test func aTransactionThatCountedConflictsWithWhatChangesTheCount() throws {
    let fixture = try fixture()
    try fixture.engine.keepCounts(KeptCounts.Definition("c", [a, b]))
    let query = StructuredQuery(collectionID: "c", filter: filter(1, true))
    for (fields, conflicts): (MapValue, Bool) in [
      (["a": 1, "b": true], true), (["a": 1, "b": false], false),
    ] {
      let transaction = try fixture.engine.beginTransaction()
      let result = try transaction.readView().aggregate(AggregationQuery(query, [.count()]))
      #expect(result.statistics.keptCountsRead == 1)
      try transaction.append(.set(ResourcePath("c/other"), ["a": 5]))
      try fixture.set("c/meanwhile", fields)
      let found = code { _ = try transaction.commit() }
      #expect(found == (conflicts ? .aborted : nil))
      _ = try fixture.engine.commit([.delete(ResourcePath("c/meanwhile"))])
    }
  }
}
