import Hearth
import Testing

/// Reads at one moment, through the public API (§7.5).
@Suite struct DatabaseSnapshotTests {
  private let cities: Cities
  private let database: Database
  private let tokyo: DocumentReference

  init() throws {
    cities = try Cities()
    database = cities.database
    tokyo = try cities.collection.document("tokyo")
  }

  @Test func itStandsStill() throws {
    let snapshot = try database.snapshot()
    let before = try cities.collection.ids()
    try tokyo.updateData(["population": 1])
    try cities.collection.document("edo").setData(["country": "JP"])
    try database.document("other/x").setData([:])

    #expect(try snapshot.getDocument(tokyo).value("population")?.integerValue == 37_400_000)
    #expect(try snapshot.getDocuments(cities.collection).documents.map(\.id) == before)
    #expect(try snapshot.count(cities.collection) == before.count)
    let figures = try snapshot.aggregate([.count(as: "n")], of: cities.collection)
    #expect(try figures["n"] == .integer(Int64(before.count)))
    #expect(try snapshot.listDocuments(in: cities.collection).documents.count == before.count)
    #expect(try snapshot.listCollections().collections.map(\.id) == ["cities"])
    #expect(try database.snapshot().listCollections().collections.map(\.id) == ["cities", "other"])
    #expect(try tokyo.getDocument().value("population")?.integerValue == 1)
    let last = try cities.collection.order(by: "population").limit(toLast: 1)
    #expect(try snapshot.getDocuments(last).documents.map(\.id) == ["tokyo"])
    var ids: [String] = []
    try snapshot.forEachDocument(of: cities.collection) { document in
      ids.append(document.id)
      return ids.count < 2
    }
    #expect(ids == Array(before.prefix(2)))
    #expect(
      code { try snapshot.forEachDocument(of: last) { _ in true } } == .unimplemented)
  }

  @Test func itStandsStillAsynchronously() async throws {
    let snapshot = try await database.snapshot()
    try await tokyo.delete()
    #expect(try await snapshot.getDocument(tokyo).exists)
    #expect(try await snapshot.getAll([tokyo]).count == 1)
    #expect(try await !database.getAll([tokyo])[0].exists)
    #expect(
      try await database.snapshot(at: database.snapshot().readTime).count(cities.collection) == 5)
    #expect(try await cities.collection.listDocuments().documents.count == 5)
    #expect(try await snapshot.getDocuments(cities.collection).count == 6)
    #expect(try await snapshot.count(cities.collection) == 6)
    let figures = try await snapshot.aggregate([.count()], of: cities.collection)
    #expect(try figures["field_1"] == 6)
    #expect(
      try await snapshot.listDocuments(in: cities.collection, pageSize: 2).documents.count == 2)
    #expect(try await snapshot.listCollections(below: tokyo).collections.isEmpty)
    let counter = Counter()
    try await snapshot.forEachDocument(of: cities.collection) { _ in
      counter.increment()
      return true
    }
    #expect(counter.value == 6)
    #expect(try await cities.collection.count() == 5)
  }

  @Test func thePastIsReadWhereItIsKept() throws {
    let database = try Database.inMemory(history: HistoryLimits())
    let tokyo = try database.document("cities/tokyo")
    let first = try tokyo.setData(["n": 1]).updateTime
    try tokyo.setData(["n": 2])
    let past = try database.snapshot(at: first)
    #expect(past.readTime == first)
    #expect(try past.getDocument(tokyo).data() == ["n": 1])
    let present = try database.snapshot()
    #expect(try database.snapshot(at: present.readTime).getDocument(tokyo).data() == ["n": 2])
    #expect(code { _ = try database.snapshot(at: .maximum) } == .invalidArgument)
    #expect(code { _ = try database.snapshot(at: .minimum) } == .invalidArgument)
  }

  @Test func withoutAHistoryThePastIsTooOld() throws {
    let before = try database.snapshot().readTime
    #expect(try database.snapshot(at: before).count(cities.collection) == 6)
    try tokyo.delete()
    let error = failure { _ = try database.snapshot(at: before) }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message == "The requested 'read_time' is too old.")
  }

  @Test func severalDocumentsAreReadAtOnce() throws {
    let none = try cities.collection.document("none")
    let osaka = try cities.collection.document("osaka")
    let all = try database.getAll([tokyo, none, osaka, tokyo])
    #expect(all.map(\.id) == ["tokyo", "none", "osaka"])
    #expect(all.map(\.exists) == [true, false, true])
    #expect(try database.getAll([]).isEmpty)
  }

  @Test func objectsOfAnotherDatabaseAreRefused() throws {
    let other = try Cities()
    let snapshot = try database.snapshot()
    let stray = try other.collection.document("tokyo")
    #expect(code { _ = try snapshot.getDocument(stray) } == .invalidArgument)
    #expect(code { _ = try snapshot.getAll([tokyo, stray]) } == .invalidArgument)
    #expect(code { _ = try database.getAll([stray]) } == .invalidArgument)
    #expect(code { _ = try snapshot.getDocuments(other.collection) } == .invalidArgument)
    #expect(code { _ = try snapshot.count(other.collection) } == .invalidArgument)
    #expect(code { _ = try snapshot.listDocuments(in: other.collection) } == .invalidArgument)
    #expect(code { _ = try snapshot.listCollections(below: stray) } == .invalidArgument)
  }

  @Test func collectionsAreListedByPage() throws {
    try database.document("cities/atlantis/streets/1").setData([:])
    try database.document("cities/nowhere/streets/1").setData([:])
    let first = try cities.collection.listDocuments(pageSize: 5, showMissing: true)
    #expect(first.documents.map(\.id) == ["atlantis", "kyoto", "lyon", "nowhere", "osaka"])
    #expect(first.documents.map(\.exists) == [true, true, true, false, true])
    let token = try #require(first.nextPageToken)
    let second = try cities.collection.listDocuments(pageToken: token, showMissing: true)
    #expect(second.documents.map(\.id) == ["paris", "tokyo"])
    #expect(second.nextPageToken == nil)
    let largest = try cities.collection.listDocuments(
      pageSize: 1, orders: [Order(try FieldPath("population"), .descending)])
    #expect(largest.documents.map(\.id) == ["tokyo"])
  }
}
