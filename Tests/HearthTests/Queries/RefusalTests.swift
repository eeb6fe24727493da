import Hearth
import Testing

@Suite struct RefusalTests {
  private let database: Database
  private let cities: Cities

  init() throws {
    cities = try Cities()
    database = cities.database
  }

  private func refusal(of query: Query) throws -> DatabaseError {
    try #require(failure { _ = try query.getDocuments() })
  }

  @Test func tellsTheIndexToCreate() throws {
    let error = try refusal(of: cities.largestOfJapan())
    #expect(error.code == .failedPrecondition)
    let text = "The query requires an index. You can create it here: https://"
    #expect(error.message.hasPrefix(text))
    #expect(error.description.hasPrefix("FAILED_PRECONDITION: \(text)"))
    let missing = try #require(error.missingIndex)
    #expect(missing.index == (try Cities.countryAndPopulation()))
    #expect(missing.index.description == "(country ASC, population DESC, __name__ DESC)")
    #expect(!missing.isBuilding)
    #expect(missing.smaller == nil)
  }

  @Test func everyWayOfRunningIsRefusedAlike() throws {
    let query = try cities.largestOfJapan()
    let calls: [() throws -> Void] = [
      { _ = try query.getDocuments() }, { _ = try query.count() }, { _ = try query.explain() },
      { _ = try query.explain(running: false) }, { try query.forEachDocument { _ in true } },
    ]
    for call in calls { #expect(failure(of: call)?.missingIndex != nil) }
  }

  @Test func theMissingIndexMakesTheQueryRun() throws {
    let query = try cities.largestOfJapan()
    let missing = try #require(try refusal(of: query).missingIndex)
    var done: [IndexAdministration.Progress] = []
    try database.indexes.create(missing) { done.append($0) }
    #expect(try query.ids() == ["tokyo", "osaka", "kyoto"])
    #expect(done.last?.documentsDone == done.last?.documentsTotal)
    #expect(code { try database.indexes.create(missing) } == .alreadyExists)
  }

  @Test func theMissingIndexMakesTheQueryRunAsynchronously() async throws {
    let query = try cities.largestOfJapan()
    do {
      _ = try await query.getDocuments()
      Issue.record("The query ran without its index.")
    } catch {
      // The type of the error is known here without a cast.
      let missing = try #require(error.missingIndex)
      try await database.indexes.create(missing)
    }
    #expect(try await query.limit(to: 1).getDocuments().documents.map(\.id) == ["tokyo"])
  }

  @Test func theLastResultsNeedTheOppositeIndex() throws {
    let query = try cities.largestOfJapan().limit(toLast: 2)
    let missing = try #require(try refusal(of: query).missingIndex)
    #expect(missing.index.description == "(country ASC, population ASC, __name__ ASC)")
    try database.indexes.create(missing)
    #expect(try query.ids() == ["osaka", "kyoto"])
  }

  @Test func aGroupNeedsAnIndexOfItsScope() throws {
    let query = try database.collectionGroup("cities").whereField("country", isEqualTo: "JP")
    let error = try refusal(of: query)
    #expect(error.message.contains("COLLECTION_GROUP_ASC index for collection cities"))
    let missing = try #require(error.missingIndex)
    #expect(missing.index.scope == .collectionGroup)
    try database.indexes.create(missing)
    #expect(try query.ids() == ["kyoto", "osaka", "tokyo"])
    // The field's default indexes stay beside it.
    #expect(try cities.collection.whereField("country", isEqualTo: "FR").count() == 2)
  }

  @Test func aSmallerIndexDoesBesideThoseThatExist() throws {
    try database.indexes.create(Cities.countryAndPopulation())
    let query = try cities.largestOfJapan().whereField("tags", arrayContains: "port")
    let missing = try #require(try refusal(of: query).missingIndex)
    let smaller = try #require(missing.smaller)
    #expect(smaller.columns.count < missing.index.columns.count)
    try database.indexes.create(smaller)
    #expect(try query.ids() == ["tokyo", "osaka"])
  }
}
