import Foundation
import HearthFirebase
import Synchronization
import Testing

@Suite struct QueryTests {
  private let firestore: Firestore
  private let cities: CollectionReference

  init() async throws {
    firestore = try Firestore.inMemory()
    cities = firestore.collection("cities")
    let batch = firestore.batch()
    let rows: [(id: String, country: String, population: Int, tags: [String])] = [
      ("kyoto", "JP", 1_460_000, ["temples", "old"]), ("lyon", "FR", 520_000, ["old"]),
      ("osaka", "JP", 2_750_000, ["port"]), ("paris", "FR", 2_100_000, ["capital", "old"]),
      ("tokyo", "JP", 14_000_000, ["capital", "port"]),
    ]
    for row in rows {
      batch.setData(
        ["country": row.country, "population": row.population, "tags": row.tags],
        forDocument: cities.document(row.id))
    }
    try await batch.commit()
  }

  private func ids(_ query: Query) async throws -> [String] {
    try await query.getDocuments().documents.map(\.documentID)
  }

  private func refusal(of query: Query) async -> String {
    do {
      _ = try await query.getDocuments()
      return "none"
    } catch {
      return error.localizedDescription
    }
  }

  @Test func `every filter`() async throws {
    #expect(try await ids(cities.whereField("country", isEqualTo: "FR")) == ["lyon", "paris"])
    #expect(
      try await ids(cities.whereField("country", isNotEqualTo: "JP")) == ["lyon", "paris"])
    #expect(try await ids(cities.whereField("population", isLessThan: 1_460_000)) == ["lyon"])
    #expect(
      try await ids(cities.whereField("population", isLessThanOrEqualTo: 1_460_000))
        == ["lyon", "kyoto"])
    #expect(try await ids(cities.whereField("population", isGreaterThan: 2_750_000)) == ["tokyo"])
    #expect(
      try await ids(cities.whereField("population", isGreaterThanOrEqualTo: 2_750_000))
        == ["osaka", "tokyo"])
    #expect(
      try await ids(cities.whereField("tags", arrayContains: "capital")) == ["paris", "tokyo"])
    #expect(
      try await ids(cities.whereField("tags", arrayContainsAny: ["port", "temples"]))
        == ["kyoto", "osaka", "tokyo"])
    #expect(
      try await ids(cities.whereField("population", in: [520_000, 2_100_000]))
        == ["lyon", "paris"])
    #expect(
      try await ids(cities.whereField("country", notIn: ["JP", "DE"])) == ["lyon", "paris"])
    #expect(
      try await ids(cities.whereField(FieldPath(["country"]), isEqualTo: "FR"))
        == ["lyon", "paris"])
  }

  @Test func `null and NaN are asked for as such`() async throws {
    try await cities.document("none").setData(["population": NSNull()])
    try await cities.document("nan").setData(["population": Double.nan])
    #expect(try await ids(cities.whereField("population", isEqualTo: NSNull())) == ["none"])
    #expect(try await ids(cities.whereField("population", isEqualTo: Double.nan)) == ["nan"])
    #expect(try await ids(cities.whereField("population", isNotEqualTo: NSNull())).count == 6)
  }

  @Test func `filters nest`() async throws {
    let query = cities.whereFilter(
      .orFilter([
        .andFilter([
          .whereField("country", isEqualTo: "JP"), .whereField("tags", arrayContains: "capital"),
        ]),
        .whereField("country", isEqualTo: "FR"),
      ]))
    // A merge of the automatic indexes serves it.
    #expect(try await ids(query) == ["lyon", "paris", "tokyo"])
  }

  @Test func `orders, limits and cursors`() async throws {
    let byPopulation = cities.order(by: "population", descending: true)
    #expect(try await ids(byPopulation.limit(to: 2)) == ["tokyo", "osaka"])
    #expect(try await ids(byPopulation.limit(toLast: 2)) == ["kyoto", "lyon"])
    #expect(try await ids(byPopulation.start(at: [2_100_000])) == ["paris", "kyoto", "lyon"])
    #expect(try await ids(byPopulation.start(after: [2_100_000])) == ["kyoto", "lyon"])
    #expect(try await ids(byPopulation.end(at: [2_750_000])) == ["tokyo", "osaka"])
    #expect(try await ids(byPopulation.end(before: [2_750_000])) == ["tokyo"])
    let page = try await byPopulation.limit(to: 2).getDocuments()
    let last = try #require(page.documents.last)
    #expect(try await ids(byPopulation.start(afterDocument: last).limit(to: 1)) == ["paris"])
    #expect(try await ids(byPopulation.start(atDocument: last).limit(to: 1)) == ["osaka"])
    #expect(try await ids(byPopulation.end(atDocument: last)) == ["tokyo", "osaka"])
    #expect(try await ids(byPopulation.end(beforeDocument: last)) == ["tokyo"])
  }

  @Test func `documents' ids are compared with texts`() async throws {
    let id = FieldPath.documentID()
    #expect(try await ids(cities.whereField(id, isEqualTo: "lyon")) == ["lyon"])
    #expect(
      try await ids(cities.whereField(id, in: ["lyon", cities.document("osaka")]))
        == ["lyon", "osaka"])
    #expect(try await ids(cities.order(by: id).start(after: ["osaka"])) == ["paris", "tokyo"])
    let group = firestore.collectionGroup("cities")
    #expect(try await ids(group.whereField(id, isEqualTo: "cities/lyon")) == ["lyon"])
    let problem = "Invalid query. When querying "
    #expect(
      await refusal(of: cities.whereField(id, isEqualTo: ""))
        == problem + "by document ID you must provide a valid document ID, but it was an empty "
        + "string.")
    #expect(
      await refusal(of: cities.whereField(id, isEqualTo: "a/b"))
        == problem + "a collection by document ID you must provide a plain document ID, but "
        + "'a/b' contains a '/' character.")
    #expect(await refusal(of: group.whereField(id, isEqualTo: "a")).contains("odd number"))
    #expect(
      await refusal(of: cities.whereField(id, isEqualTo: 1))
        == problem + "by document ID you must provide a valid string or DocumentReference, but "
        + "it was of type: number")
  }

  @Test func `a bad field or operand is the error of the run`() async {
    #expect(
      await refusal(of: cities.whereField("a..b", isEqualTo: 1).limit(to: 1))
        .hasPrefix("Invalid field path (a..b)."))
    #expect(
      await refusal(of: cities.whereField("a", isEqualTo: Set([1])))
        == "Unsupported type: Set<Int>")
    #expect(
      await refusal(of: cities.whereField("a", in: [FieldValue.delete()]))
        == "FieldValue.delete() can only be used with updateData() and setData()")
    #expect(await refusal(of: cities.order(by: "a.")).hasPrefix("Invalid field path (a.)."))
  }

  @Test func `equal queries ask the same`() throws {
    let query = cities.whereField("country", isEqualTo: "JP").limit(to: 1)
    #expect(query == cities.whereField("country", isEqualTo: "JP").limit(to: 1))
    #expect(query.hashValue == cities.whereField("country", isEqualTo: "JP").hashValue)
    #expect(query != cities.whereField("country", isEqualTo: "JP").limit(toLast: 1))
    #expect(query != cities.whereField("country", isEqualTo: "FR").limit(to: 1))
    #expect(firestore.collection("cities") == cities)
    #expect(try Firestore.inMemory().collection("cities") != cities)
  }

  @Test func `aggregates`() async throws {
    let japan = cities.whereField("tags", arrayContains: "old")
    #expect(try await japan.count.getAggregation(source: .server).count == 3)
    let snapshot = try await cities.aggregate([
      .count(), .sum("population"), .average(FieldPath(["population"])),
    ]).getAggregation(source: .server)
    #expect(snapshot.count.intValue == 5)
    #expect(snapshot.get(.sum("population")) as? Int == 20_830_000)
    #expect(snapshot.get(.average("population")) as? Double == 4_166_000)
    let empty = try await cities.whereField("population", isLessThan: 0)
      .aggregate([.average("population")]).getAggregation(source: .server)
    #expect(empty.get(.average("population")) is NSNull)
    let (stream, continuation) = AsyncStream.makeStream(of: Int?.self)
    cities.count.getAggregation(source: .server) { snapshot, error in
      continuation.yield(snapshot?.count.intValue)
    }
    for await count in stream {
      #expect(count == 5)
      break
    }
  }

  @Test func `a figure that was not asked for is an error`() async throws {
    let messages = Mutex<[String]>([])
    let settings = firestore.settings
    settings.unhandledErrorHandler = { error in
      messages.withLock { $0.append(error.localizedDescription) }
    }
    firestore.settings = settings
    let snapshot = try await cities.aggregate([.sum("size.km2")])
      .getAggregation(source: .server)
    #expect(snapshot.get(.sum("population")) == nil)
    #expect(snapshot.get(.average(FieldPath(["size", "km2"]))) == nil)
    // The same as every type of number, and no count.
    #expect(snapshot.count.intValue == -1)
    #expect(snapshot.count.doubleValue == -1)
    #expect(
      messages.withLock { $0.prefix(3) } == [
        "'sum(population)' was not requested in the aggregation query.",
        "'avg(size.km2)' was not requested in the aggregation query.",
        "'count()' was not requested in the aggregation query.",
      ])
  }

  @Test func `a plain read's changes are all additions`() async throws {
    let snapshot = try await cities.order(by: "population").limit(to: 2).getDocuments()
    #expect(snapshot.query == cities.order(by: "population").limit(to: 2))
    #expect(snapshot.count == 2 && !snapshot.isEmpty)
    #expect(snapshot.documents[0].data()["population"] as? Int == 520_000)
  }
}
