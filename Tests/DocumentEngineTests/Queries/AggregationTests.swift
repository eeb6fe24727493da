import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

/// Reads of aggregations (§9.1): only entries, and no more than are needed.
@Suite struct AggregationTests {
  private static let fixture = Result { try filled() }
  private static let n = FieldPath(unchecked: ["n"])
  private static let size = FieldPath(unchecked: ["size"])
  private static let kind = FieldPath(unchecked: ["kind"])

  /// Returns a fixture with a thousand documents of four kinds; half of them have a size.
  private static func filled() throws -> EngineFixture {
    let fixture = try EngineFixture()
    _ = try fixture.engine.commit((0..<1000).map(document))
    for column in [n, size] {
      try fixture.engine.createIndex(
        IndexDefinition("c", [IndexColumn(kind, .ascending), IndexColumn(column, .ascending)]))
    }
    return fixture
  }

  private static func document(_ number: Int) -> Write {
    var fields: MapValue = [
      "n": .integer(Int64(number)), "kind": .integer(Int64(number % 4)),
      "tags": .array((0..<3).map { .integer(Int64(number + $0)) }),
      "text": .string(String(repeating: "x", count: 2000)),
    ]
    if number % 2 == 0 { fields["size"] = .double(0.5) }
    return .set(ResourcePath(unchecked: ["c", "d\(1000 + number)"]), fields)
  }

  private func aggregate(
    _ aggregations: [Aggregation], _ filter: Filter? = nil,
    _ change: (inout StructuredQuery) -> Void = { _ in }
  ) throws -> (values: [Value], ExecutionStatistics) {
    var query = StructuredQuery(collectionID: "c", filter: filter)
    change(&query)
    let result = try Self.fixture.get().engine.readView()
      .aggregate(AggregationQuery(query, aggregations))
    return (result.values.map(\.value), result.statistics)
  }

  @Test func aSumReadsEntriesAlone() throws {
    let (values, statistics) = try aggregate([.sum(Self.n), .average(Self.n), .count()])
    #expect(values == [499_500, 499.5, 1000])
    #expect(statistics == ExecutionStatistics(entriesRead: 1000, seekCount: 1))
    let (filtered, work) = try aggregate([.sum(Self.n)], .field(Self.kind, .equal, 3))
    #expect(filtered == [125_250])
    #expect(work == ExecutionStatistics(entriesRead: 250, seekCount: 1))
  }

  @Test func onlyDocumentsWithAllFieldsCount() throws {
    let (values, statistics) = try aggregate([.count(), .sum(Self.size)])
    #expect(values == [500, 250.0])
    #expect(statistics.entriesRead == 500)
  }

  @Test func valuesThatAreNoNumbersAreNotRead() throws {
    let (values, statistics) = try aggregate([
      .sum(FieldPath(unchecked: ["tags"])), .sum(FieldPath(unchecked: ["tags"])), .count(),
    ])
    #expect(values == [0, 0, 1000])
    #expect(statistics.documentsRead == 0)
    // Long strings are cut in their entries, but a string is never a number.
    let text = try aggregate([.average(FieldPath(unchecked: ["text"]))])
    #expect(text.values == [.null] && text.1.documentsRead == 0)
  }

  @Test func countsStopAtTheirLimit() throws {
    let (values, statistics) = try aggregate([.count(upTo: 10), .count(upTo: 3)])
    #expect(values == [10, 3])
    #expect(statistics.entriesRead == 10)
    #expect(try aggregate([.count(upTo: 10), .count()]).1.entriesRead == 1000)
    #expect(try aggregate([.count(upTo: 10), .sum(Self.n)]).1.entriesRead == 1000)
  }

  @Test func limitsOfZeroReadNothing() throws {
    let none = ExecutionStatistics()
    let upToZero = try aggregate([.count(upTo: 0)])
    #expect(upToZero.values == [0] && upToZero.1 == none)
    let limitZero = try aggregate([.count(), .sum(Self.n)]) { $0.limit = 0 }
    #expect(limitZero.values == [0, 0] && limitZero.1 == none)
  }

  @Test func offsetAndLimitComeBefore() throws {
    let (values, statistics) = try aggregate([.count(), .sum(Self.n)]) { query in
      query.orders = [Order(Self.n, .descending)]
      query.offset = 10
      query.limit = 2
    }
    #expect(values == [2, 1977])
    #expect(statistics.entriesRead == 12 && statistics.resultsSkipped == 10)
  }

  @Test func aDocumentOfSeveralAlternativesCountsOnce() throws {
    let either = Filter.or([.field(Self.kind, .equal, 1), .field(Self.n, .lessThan, 8)])
    let (values, statistics) = try aggregate([.count(), .sum(Self.n)], either)
    // 250 of the kind, and 0 2 3 4 6 7 beside.
    #expect(values == [256, 124_772])
    #expect(statistics.entriesRead == 258 && statistics.documentsRead == 0)
  }

  @Test func aMergeOfIndexesAddsUp() throws {
    let fixture = try EngineFixture()
    let fields = ["a", "b"].map { FieldPath(unchecked: [$0]) }
    for number in Int64(0)..<60 {
      let n: Value = number % 4 == 0 ? .double(1) : .integer(number)
      try fixture.set(
        "c/d\(number)", ["a": .integer(number % 2), "b": .integer(number % 3), "n": n])
    }
    for field in fields {
      try fixture.engine.createIndex(
        IndexDefinition("c", [IndexColumn(field, .ascending), IndexColumn(Self.n, .ascending)]))
    }
    let filter = Filter.and(fields.map { .field($0, .equal, 0) })
    let query = StructuredQuery(collectionID: "c", filter: filter)
    let view = try fixture.engine.readView()
    let aggregation = AggregationQuery(
      query, [.sum(Self.n), .sum(fields[0]), .average(fields[1]), .count()])
    #expect(try view.plan(aggregation).branches[0].scans.count == 2)
    let result = try view.aggregate(aggregation)
    // 6, 18, 30, 42 and 54, and five times 1.0.
    #expect(result.values.map(\.value) == [155.0, 0, 0.0, 10])
    #expect(result.statistics.documentsRead == 0)
  }

  @Test func aDeadlineEndsTheScan() throws {
    let view = try Self.fixture.get().engine.readView()
    let query = AggregationQuery(StructuredQuery(collectionID: "c"), [.count()])
    #expect(code { _ = try view.aggregate(query, deadline: .now) } == .deadlineExceeded)
  }
}
