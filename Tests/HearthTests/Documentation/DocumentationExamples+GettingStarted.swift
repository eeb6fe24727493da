import Hearth
import TestSupport
import Testing

// The code of GettingStarted.md, word for word: DocumentationTests compares the two.

private func tenLines(at path: String) throws {
  let database = try Database.open(at: path)
  let cities = try database.collection("cities")
  try cities.document("tokyo").setData(["country": "JP", "population": 37_400_000])
  try cities.document("osaka").setData(["country": "JP", "population": 19_100_000])

  let largest = try cities.order(by: "population", descending: true).limit(to: 1).getDocuments()
  for city in largest.documents {
    print(city.id, try city.value("population")?.integerValue ?? 0)
  }
}

func record(_ name: String, population: Int64, in cities: CollectionReference) throws {
  let city = try cities.document("kyoto")
  try city.setData(["name": .string(name), "population": .integer(population)])

  // Merges into the existing document; setData without merge replaces it.
  try city.setData(["address": ["region": "Kansai"]], merge: true)

  // Changes only a document that exists. Names are paths.
  try city.updateData(["address.country": "JP", "population": .delete])
}

func rename(_ old: DocumentReference, to new: DocumentReference, in database: Database) throws {
  guard let fields = try old.getDocument().data() else { return }
  var batch = database.batch()
  batch.create(fields, for: new)
  batch.delete(old)
  try batch.commit()
}

func someQueries(of cities: CollectionReference) throws -> [any QueryBuilding] {
  [
    try cities.whereField("country", isEqualTo: "JP"),
    try cities.whereField("address.region", isEqualTo: "Kansai"),
    try cities.whereField("population", isGreaterThan: 1_000_000)
      .whereField("population", isLessThan: 20_000_000),
    try cities.order(by: "population").limit(toLast: 5),
  ]
}

func forEachPage(of query: Query, do body: ([DocumentSnapshot]) throws -> Void) throws {
  var next = query.limit(to: 20)
  while true {
    let page = try next.getDocuments().documents
    guard let last = page.last else { return }
    try body(page)
    next = try query.start(afterDocument: last).limit(to: 20)
  }
}

func largestOfJapan(in cities: CollectionReference, of database: Database) throws -> [String] {
  let query = try cities.whereField("country", isEqualTo: "JP")
    .order(by: "population", descending: true).limit(to: 5)
  do {
    return try query.getDocuments().documents.map(\.id)
  } catch {
    // FAILED_PRECONDITION: The query requires an index. You can create it here: …
    guard let missing = error.missingIndex else { throw error }
    try database.indexes.create(missing)
    return try query.getDocuments().documents.map(\.id)
  }
}

@Test func theLargestCityComesFirst() throws {
  let database = try Database.inMemory()
  let cities = try database.collection("cities")
  try cities.document("tokyo").setData(["population": 37_400_000])
  try cities.document("kyoto").setData(["population": 1_460_000])
  let query = try cities.order(by: "population", descending: true)
  #expect(try query.getDocuments().documents.map(\.id) == ["tokyo", "kyoto"])
}

@Suite struct GettingStartedExampleTests {
  @Test func theTenLinesRun() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "cities")
    try tenLines(at: path)
    #expect(try Database.open(at: path).collection("cities").count() == 2)
  }

  @Test func recordsACity() throws {
    let database = try Database.inMemory()
    try record("Kyoto", population: 1_460_000, in: database.collection("cities"))
    #expect(
      try database.document("cities/kyoto").getDocument().data()
        == ["name": "Kyoto", "address": ["country": "JP", "region": "Kansai"]])
  }

  @Test func renamesACity() throws {
    let cities = try Cities()
    let edo = try cities.collection.document("edo")
    try rename(cities.collection.document("tokyo"), to: edo, in: cities.database)
    #expect(try cities.collection.ids().contains("edo"))
    #expect(try !cities.collection.ids().contains("tokyo"))
  }

  @Test func asks() throws {
    let results = try someQueries(of: Cities().collection).map { try $0.query.ids() }
    #expect(results.map(\.count) == [3, 0, 4, 5])
  }

  @Test func turnsPages() throws {
    let items = try Database.inMemory().collection("items")
    for number in Int64(0)..<45 { try items.addDocument(["n": .integer(number / 10)]) }
    var pages: [Int] = []
    var ids: Set<String> = []
    try forEachPage(of: items.order(by: "n")) { page in
      try #require(pages.count < 3, "The pages have no end.")
      pages.append(page.count)
      ids.formUnion(page.map(\.id))
    }
    #expect(pages == [20, 20, 5])
    #expect(ids.count == 45)
  }

  @Test func createsTheIndexThatIsMissing() throws {
    let cities = try Cities()
    let ids = try largestOfJapan(in: cities.collection, of: cities.database)
    #expect(ids == ["tokyo", "osaka", "kyoto"])
    #expect(try cities.database.indexes.list().count == 1)
  }
}
