import Dispatch
import Foundation
import Hearth
import TestSupport
import Testing

/// The use of indexes seen from outside, and the time for which it is kept.
@Suite struct DatabaseStatisticsTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path(of: "cities.hearth") }

  init() throws { folder = try TemporaryFolder() }

  private func open(isWorking: Bool = true) throws -> Database {
    var options = Database.Options()
    options.runsBackgroundWork = isWorking
    return try Database.open(at: path, options: options)
  }

  private func byPopulation(in database: Database) throws -> Query {
    try database.collection("cities").whereField("country", isEqualTo: "JP")
      .order(by: "population", descending: true)
  }

  private func composite(in database: Database) throws -> IndexStatistics {
    let statistics = try database.statistics()
    return try #require(statistics.indexes.first { $0.kind == .composite })
  }

  @Test func useIsSavedByADatabaseThatWorksBesideItsCallers() throws {
    let first = try open()
    try first.indexes.create(Cities.countryAndPopulation())
    try first.document("cities/tokyo").setData(["country": "JP", "population": 9])
    _ = try byPopulation(in: first).getDocuments()
    #expect(try composite(in: first).queryCount == 1)
    try first.close()

    // The use in this database is reported while it is open, and forgotten then.
    let second = try open(isWorking: false)
    _ = try byPopulation(in: second).getDocuments()
    #expect(try composite(in: second).queryCount == 2)
    try second.close()

    let third = try open()
    let index = try composite(in: third)
    #expect(index.queryCount == 1 && index.entryWriteCount == 1)
    let used = try #require(index.lastQueryTime)
    // The clock of queries may lag behind that of commits by some milliseconds.
    #expect(index.since.seconds <= used.seconds + 1)
    #expect(!index.isUnused(since: used))
    let later = try Timestamp(seconds: used.seconds + 10, nanoseconds: 0)
    #expect(index.isUnused(since: later))
    // Before the index existed, its use is unknown.
    let earlier = try Timestamp(seconds: index.since.seconds - 10, nanoseconds: 0)
    #expect(!index.isUnused(since: earlier))
    try third.close()
  }

  @Test func useIsSavedByADatabaseThatIsReleased() throws {
    do {
      let database = try open()
      try database.indexes.create(Cities.countryAndPopulation())
      _ = try byPopulation(in: database).getDocuments()
    }
    let database = try open()
    #expect(try composite(in: database).queryCount == 1)
    try database.close()
  }

  @Test func aRunThatIsExplainedIsOneUse() throws {
    let database = try Database.inMemory()
    try database.indexes.create(Cities.countryAndPopulation())
    for (id, population) in [("tokyo", Int64(9)), ("osaka", 3), ("kyoto", 1)] {
      try database.document("cities/\(id)").setData([
        "country": "JP", "population": .integer(population),
      ])
    }
    let snapshot = try database.snapshot()
    // There are more results than the limit, which only another look at the index tells.
    let answer = try snapshot.explainedPage(
      of: byPopulation(in: database).limit(to: 2).structuredQuery)
    let results = answer.results.results
    #expect(results.documents.map(\.id) == ["tokyo", "osaka"])
    #expect(results.statistics == answer.explanation.statistics)
    #expect(answer.explanation.execution?.production.indexEntriesScanned == 3)
    #expect(try composite(in: database).queryCount == 1)
    let figures = try snapshot.explainedFigures([.count(as: "n")], of: byPopulation(in: database))
    #expect(try figures.results["n"] == 3)
    #expect(figures.results.statistics == figures.explanation.statistics)
    #expect(try composite(in: database).queryCount == 2)
  }

  @Test func aHiddenIndexServesNothing() throws {
    let database = try Database.inMemory()
    let definition = try Cities.countryAndPopulation()
    try database.indexes.create(definition)
    try database.indexes.hide(definition)
    #expect(try database.indexes.list().map(\.isHidden) == [true])
    #expect(try composite(in: database).isHidden)
    do {
      _ = try byPopulation(in: database).getDocuments()
      Issue.record("the query was served")
    } catch let error as DatabaseError {
      #expect(error.missingIndex?.isHidden == true)
      #expect(error.missingIndex?.hidden == [definition])
    }
    try database.indexes.unhide(definition)
    #expect(try byPopulation(in: database).getDocuments().isEmpty)
    let single = IndexDefinition(
      "cities", [IndexColumn(try FieldPath("country"), .ascending)])
    #expect(throws: DatabaseError.self) { try database.indexes.hide(single) }
  }

  @Test func theFiguresOfADatabase() async throws {
    let database = try Cities().database
    let statistics = try await database.statistics(countingEntries: true)
    let verified = try await database.verify()
    #expect(statistics.documentCount == verified.documentCount)
    #expect(statistics.collectionCount == 1)
    #expect(statistics.listenerCount == 0 && statistics.historyMomentCount == 0)
    let names = statistics.indexes.filter { $0.kind == .names }
    #expect(names.map(\.entryCount) == [statistics.documentCount, statistics.documentCount])
    let listener = try database.document("cities/tokyo").addSnapshotListener(
      on: DispatchQueue(label: "test")
    ) { _ in }
    database.settleListeners()
    #expect(try await database.statistics().listenerCount == 1)
    listener.remove()
    database.settleListeners()
    #expect(try await database.statistics().listenerCount == 0)
  }
}
