import Hearth
import Testing

@Suite struct AggregationTests {
  private let database: Database
  private let cities: CollectionReference

  init() throws {
    let all = try Cities()
    (database, cities) = (all.database, all.collection)
  }

  @Test func figuresGoByAlias() throws {
    let figures = try cities.aggregate([.count(), .sum("population", as: "people")])
    // The city without a population counts for neither.
    #expect(try figures["field_1"] == 5)
    #expect(try figures["people"] == 70_680_000)
    #expect(figures.values.map(\.alias) == ["field_1", "people"])
    #expect(figures.statistics.entriesRead == 5)
    #expect(figures.statistics.documentsRead == 0)
  }

  @Test func aFigureThatWasNotAskedForIsAnError() throws {
    let figures = try cities.aggregate([.count(), .sum("population", as: "people")])
    let error = failure { _ = try figures["peple"] }
    #expect(error?.code == .invalidArgument)
    #expect(
      error?.message
        == "The query has no figure 'peple'. Its figures are 'field_1', 'people'.")
  }

  @Test func averagesAreDoubles() throws {
    #expect(try cities.aggregate([.average("population")])["field_1"] == .double(14_136_000))
    #expect(try cities.aggregate([.average("area.km2")])["field_1"] == 2194.5)
    let none = try cities.whereField("population", isLessThan: 0)
      .aggregate([.average("population", as: "mean")])
    #expect(try none["mean"] == .null)
  }

  @Test func limitsApplyBefore() throws {
    let largest = try cities.order(by: "population", descending: true).limit(to: 2)
    #expect(try largest.aggregate([.sum("population")])["field_1"] == 56_500_000)
    let last = try cities.order(by: "population").limit(toLast: 2)
    #expect(try last.aggregate([.sum("population")])["field_1"] == 56_500_000)
    let second = try cities.order(by: "population").offset(1).limit(to: 1)
    #expect(try second.aggregate([.sum("population")])["field_1"] == 1_720_000)
  }

  @Test func countsUpToALimit() throws {
    #expect(try cities.count(upTo: 4) == 4)
    #expect(try cities.count(upTo: 10) == 6)
    #expect(try cities.count(upTo: 0) == 0)
    let figures = try cities.aggregate([.count(upTo: 2)])
    #expect(figures.statistics.entriesRead == 2)
    #expect(code { _ = try cities.count(upTo: -1) } == .invalidArgument)
  }

  @Test func aSumNeedsItsFieldInTheIndex() throws {
    let japan = try cities.whereField("country", isEqualTo: "JP")
    #expect(try japan.aggregate([.count()])["field_1"] == 3)
    let error = failure { _ = try japan.aggregate([.sum("population")]) }
    let missing = try #require(error?.missingIndex)
    #expect(missing.index.description == "(country ASC, population ASC, __name__ ASC)")
    try database.indexes.create(missing)
    #expect(try japan.aggregate([.sum("population")])["field_1"] == 57_960_000)
  }

  @Test func malformedAggregationsAreRefused() throws {
    func message(_ aggregations: [Aggregation]) -> String? {
      failure { _ = try cities.aggregate(aggregations) }?.message
    }
    #expect(message([]) == "Aggregations can not be empty.")
    #expect(
      message([.count(as: "x"), .count(as: "x")])
        == "Aggregation aliases contain duplicate alias: x.")
    #expect(code { _ = try Aggregation.sum("a..b") } == .invalidArgument)
    #expect(code { _ = try Aggregation.average("") } == .invalidArgument)
  }

  @Test func asynchronously() async throws {
    let cities = cities
    #expect(try await cities.aggregate([.sum("population")])["field_1"] == 70_680_000)
    #expect(try await cities.count(upTo: 3) == 3)
    let outOfTime = await code { _ = try await cities.aggregate([.count()], timeout: .zero) }
    #expect(outOfTime == .deadlineExceeded)
  }
}
