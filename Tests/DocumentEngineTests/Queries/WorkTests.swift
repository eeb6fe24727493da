import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

/// The reads of each kind of plan: a lost optimisation shows as another number.
@Suite struct WorkTests {
  private static let fixture = Result { try filled() }

  /// Returns a fixture with 3,000 tasks of 30 users, and a composite index.
  private static func filled() throws -> EngineFixture {
    let fixture = try EngineFixture(settings: .keepingNoScans)
    for start in stride(from: 0, to: 3000, by: 500) {
      _ = try fixture.engine.commit((start..<start + 500).map(task))
    }
    for field in ["user", "done"] {
      try fixture.engine.createIndex(
        IndexDefinition(
          "tasks",
          [
            IndexColumn(FieldPath(unchecked: [field]), .ascending),
            IndexColumn(FieldPath(unchecked: ["time"]), .descending),
          ]))
    }
    return fixture
  }

  private static func task(_ number: Int) -> Write {
    let fields: MapValue = [
      "user": .integer(Int64(number % 30)), "done": .boolean(number % 2 == 0),
      "time": .integer(Int64(number)), "tags": .array([.integer(Int64(number % 7)), "all"]),
    ]
    return .set(ResourcePath(unchecked: ["tasks", "t\(10_000 + number)"]), fields)
  }

  private func work(
    _ filter: Filter?, _ orders: [Order] = [], limit: Int? = 20, offset: Int = 0
  ) throws -> ExecutionStatistics {
    let fixture = try Self.fixture.get()
    let execution = try fixture.engine.readView().run(
      StructuredQuery(
        collectionID: "tasks", filter: filter, orders: orders, offset: offset, limit: limit))
    var count = 0
    while try execution.nextDocument() != nil { count += 1 }
    #expect(count == limit ?? count)
    // A plan decides only the number of documents.
    var statistics = execution.statistics
    statistics.documentBytesRead = 0
    statistics.documentsCached = 0
    return statistics
  }

  private func field(_ name: String) -> FieldPath { FieldPath(unchecked: [name]) }
  private var byTime: [Order] { [Order(FieldPath(unchecked: ["time"]), .descending)] }

  @Test func aPageReadsItsEntriesAndDocumentsOnly() throws {
    let page = ExecutionStatistics(entriesRead: 20, documentsRead: 20, seekCount: 1)
    #expect(try work(nil) == page)
    #expect(try work(.field(field("user"), .equal, 7)) == page)
    #expect(try work(.field(field("user"), .equal, 7), byTime) == page)
    #expect(try work(nil, byTime) == page)
    #expect(try work(.field(field("time"), .greaterThan, 100)) == page)
    #expect(try work(.field(field("tags"), .arrayContains, "all")) == page)
  }

  @Test func anOffsetReadsEntriesButNoDocuments() throws {
    let statistics = try work(nil, byTime, offset: 100)
    #expect(statistics.entriesRead == 120)
    #expect(statistics.documentsRead == 20)
    #expect(statistics.resultsSkipped == 100)
  }

  @Test func countingReadsNoDocument() throws {
    let fixture = try Self.fixture.get()
    let execution = try fixture.engine.readView().run(
      StructuredQuery(collectionID: "tasks", filter: .field(field("user"), .equal, 7)))
    var count = 0
    while try execution.skipDocument() { count += 1 }
    #expect(count == 100)
    let expected = ExecutionStatistics(entriesRead: 100, documentsRead: 0, seekCount: 1)
    #expect(execution.statistics == expected)
  }

  @Test func aJoinJumpsOverWhatCannotAgree() throws {
    let equal = Filter.and([.field(field("user"), .equal, 8), .field(field("done"), .equal, true)])
    // Every task of user 8 is done. Each result takes one entry of each index; the wider index
    // takes also its first entry, and two steps that did not reach far enough.
    let merged = try work(equal, byTime)
    #expect(merged.documentsRead == 20)
    #expect(merged.entriesRead == 43)
    // No entries agree here: each entry of the narrow index costs one jump, and there are no
    // results.
    let never = Filter.and([.field(field("user"), .equal, 7), .field(field("done"), .equal, true)])
    let empty = try work(never, limit: nil)
    #expect(empty.documentsRead == 0)
    #expect(empty.entriesRead <= 2 * 100 + 8 && empty.seekCount <= 103, "\(empty)")
  }

  @Test func aDeadlineEndsAJoinThatFindsNothing() throws {
    let never = Filter.and([.field(field("user"), .equal, 7), .field(field("done"), .equal, true)])
    let execution = try Self.fixture.get().engine.readView().run(
      StructuredQuery(collectionID: "tasks", filter: never), deadline: .now)
    #expect(code { _ = try execution.nextDocument() } == .deadlineExceeded)
  }

  @Test func operandsAreNoDeeperThanValues() throws {
    let view = try Self.fixture.get().engine.readView()
    func plan(depth: Int) throws {
      let value = (0..<depth).reduce(Value.integer(1)) { value, _ in .array([value]) }
      let filter = Filter.field(field("user"), .equal, value)
      _ = try view.plan(StructuredQuery(collectionID: "tasks", filter: filter))
    }
    try plan(depth: 20)
    #expect(code { try plan(depth: 21) } == .invalidArgument)
  }

  @Test func limitZeroReadsNothing() throws {
    #expect(try work(nil, limit: 0) == ExecutionStatistics())
  }

  @Test func aPageCostsTheSameInALargerCollection() throws {
    let small = try EngineFixture(settings: .keepingNoScans)
    for number in 0..<30 {
      try small.set("tasks/t\(number)", ["user": 7, "time": .integer(Int64(number))])
    }
    let execution = try small.engine.readView().run(
      StructuredQuery(
        collectionID: "tasks", filter: .field(field("user"), .equal, 7), limit: 20))
    while try execution.nextDocument() != nil {}
    var statistics = execution.statistics
    #expect(statistics.documentBytesRead > 0)
    statistics.documentBytesRead = 0
    #expect(try statistics == work(.field(field("user"), .equal, 7)))
  }
}
