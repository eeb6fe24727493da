import Hearth
import Testing

/// Negations, lists, alternatives, projections and vectors.
@Suite struct QueryLanguageTests {
  private let cities: CollectionReference
  private let database: Database

  init() throws {
    let cities = try Cities()
    self.cities = cities.collection
    database = cities.database
  }

  @Test func negations() throws {
    #expect(try cities.whereField("country", isNotEqualTo: "JP").ids() == ["lyon", "paris"])
    #expect(
      try cities.whereField("country", isNotEqualTo: .null).ids()
        == ["lyon", "paris", "kyoto", "osaka", "tokyo"])
    #expect(try cities.whereField("country", notIn: ["JP", "DE"]).ids() == ["lyon", "paris"])
    try cities.document("limbo").setData(["population": .double(.nan)])
    #expect(try cities.whereField("population", isNotEqualTo: .double(.nan)).count() == 5)
    #expect(try cities.whereField("population", isNotEqualTo: .null).count() == 6)
  }

  @Test func lists() throws {
    #expect(
      try cities.whereField("__name__", in: [.reference(cities.document("paris").name())]).ids()
        == ["paris"])
    #expect(try cities.whereField("country", in: ["FR", "DE", .null]).ids() == ["lyon", "paris"])
    #expect(
      try cities.whereField("tags", arrayContainsAny: ["river", "old"]).ids()
        == ["atlantis", "kyoto", "lyon", "paris"])
  }

  @Test func alternatives() throws {
    let either = try cities.whereFilter(
      .orFilter([
        .whereField("country", isEqualTo: "FR"),
        .whereField("population", isGreaterThan: 30_000_000),
      ]))
    try database.indexes.create(
      IndexDefinition(
        "cities",
        [
          IndexColumn(FieldPath("country"), .ascending),
          IndexColumn(FieldPath("population"), .ascending),
        ]))
    #expect(try either.ids() == ["lyon", "paris", "tokyo"])
    #expect(try either.limit(to: 1).ids() == ["lyon"])
    #expect(try either.explain(running: false).tree.kind == .union)
  }

  @Test func projection() throws {
    let paris = try #require(
      try cities.whereField("country", isEqualTo: "FR").select(["country"]).getDocuments()
        .documents.last)
    #expect(try paris.data() == ["country": "FR"])
    #expect(try cities.select([]).getDocuments().documents.first?.data() == [:])
  }

  @Test func nearestVectors() throws {
    for (id, vector) in [("paris", [0.0, 1]), ("lyon", [1, 1]), ("tokyo", [5, 5])] {
      try cities.document(id).setData(["country": "FR", "place": .vector(vector)])
    }
    let query = try cities.whereField("country", isEqualTo: "FR")
      .findNearest("place", to: [0, 0], by: .euclidean, limit: 2, distanceField: "far")
    let missing = try #require(failure { _ = try query.getDocuments() }?.missingIndex)
    try database.indexes.create(missing)
    let results = try query.getDocuments().documents
    #expect(results.map(\.id) == ["paris", "lyon"])
    #expect(try results.first?.value("far") == 1.0)
    let explanation = try query.explain()
    #expect(explanation.tree.kind == .nearest)
    let production = try #require(explanation.execution?.production)
    #expect(production.knnVectorIndexEntriesBillable == 3)
    #expect(production.readOperations == 3)
  }

  @Test func explainsFigures() throws {
    let explanation = try cities.explain(aggregating: [.sum("population", as: "people")])
    #expect(
      explanation.plan == """
        sum of population as people
          one index, ordered by population ASC, __name__ ASC
            automatic (population ASC, __name__ ASC)  [5 entries, 1 seek]
        """)
    let production = try #require(explanation.execution?.production)
    #expect(production.indexEntriesBillable == 5 && production.readOperations == 1)
    #expect(production.documentsScanned == 0 && production.minimumQueryCost == 0)
    #expect(explanation.resultCount == 1)
  }

  @Test func explainSaysHowAnIndexWouldBeUsable() throws {
    let (country, population) = (try FieldPath("country"), try FieldPath("population"))
    try database.indexes.create(
      IndexDefinition(
        "cities", [IndexColumn(country, .ascending), IndexColumn(population, .ascending)]))
    let query = try cities.whereField("country", isEqualTo: "JP")
      .order(by: "population", descending: true)
    let unused = try query.indexesNotUsed()
    #expect(unused.first { !$0.isAutomatic }?.edit == "flip population to DESC")
    let page = try cities.limit(to: 2).explain()
    #expect(page.execution?.production.indexEntriesScanned == 3)
    #expect(page.execution?.production.readOperations == 2)
    #expect(page.execution?.statistics.entriesRead == 2)
  }

  // MARK: By field paths and ids

  @Test func pathsDoWhatTheirTextDoes() throws {
    let country = try FieldPath("country")
    let population = try FieldPath("population")
    let tags = try FieldPath("tags")
    #expect(try cities.whereField(country, isEqualTo: "FR").ids() == ["lyon", "paris"])
    #expect(try cities.whereField(country, isEqualTo: .null).ids() == ["atlantis"])
    #expect(try cities.whereField(country, isNotEqualTo: "JP").ids() == ["lyon", "paris"])
    #expect(try cities.whereField(population, isLessThan: 1_720_000).ids() == ["kyoto"])
    #expect(
      try cities.whereField(population, isLessThanOrEqualTo: 1_720_000).ids() == ["kyoto", "lyon"])
    #expect(try cities.whereField(population, isGreaterThan: 19_100_000).ids() == ["tokyo"])
    #expect(
      try cities.whereField(population, isGreaterThanOrEqualTo: 19_100_000).ids()
        == ["osaka", "tokyo"])
    #expect(try cities.whereField(country, in: ["FR"]).ids() == ["lyon", "paris"])
    #expect(try cities.whereField(country, notIn: ["JP"]).ids() == ["lyon", "paris"])
    #expect(try cities.whereField(tags, arrayContains: "port").ids() == ["osaka", "tokyo"])
    #expect(try cities.whereField(tags, arrayContainsAny: ["port"]).ids() == ["osaka", "tokyo"])
    #expect(
      try cities.order(by: population, descending: true).limit(to: 1).ids() == ["tokyo"])
    let both = Filter.andFilter([
      .whereField(country, isEqualTo: "JP"), .whereField(tags, arrayContains: "port"),
    ])
    #expect(try cities.whereFilter(both).ids() == ["osaka", "tokyo"])
  }

  @Test func idsStandForNames() throws {
    let id = FieldPath.documentID
    #expect(try cities.whereField(id, isEqualTo: "paris").ids() == ["paris"])
    #expect(try cities.whereField("__name__", in: ["paris", "lyon"]).ids() == ["lyon", "paris"])
    #expect(try cities.whereField(id, isGreaterThan: "lyon").ids() == ["osaka", "paris", "tokyo"])
    let either = Filter.orFilter([
      .whereField(id, isEqualTo: "tokyo"), .whereField(id, isEqualTo: "osaka"),
    ])
    #expect(try cities.whereFilter(either).ids() == ["osaka", "tokyo"])
    #expect(try cities.order(by: id).start(after: ["osaka"]).ids() == ["paris", "tokyo"])
    #expect(try cities.order(by: id).end(at: ["kyoto"]).ids() == ["atlantis", "kyoto"])
    let lyon = try cities.document("lyon").getDocument()
    let behind = try cities.whereField(id, isLessThan: "paris").start(afterDocument: lyon)
    #expect(try behind.ids() == ["osaka"])
    #expect(try cities.whereField(id, isEqualTo: "paris").count() == 1)
    let group = try database.collectionGroup("cities")
    #expect(try group.whereField(id, isEqualTo: "cities/paris").ids() == ["paris"])
  }

  @Test func aTextThatIsNoIDIsRefused() throws {
    func message(_ query: Query) -> String? { failure { _ = try query.ids() }?.message }
    let id = FieldPath.documentID
    #expect(
      message(cities.whereField(id, isEqualTo: ""))
        == "Invalid query. When querying by document ID you must provide a valid document ID, but "
        + "it was an empty string.")
    #expect(
      message(cities.whereField(id, isEqualTo: "a/b"))
        == "Invalid query. When querying a collection by document ID you must provide a plain "
        + "document ID, but 'a/b' contains a '/' character.")
    #expect(
      message(try database.collectionGroup("cities").whereField(id, isEqualTo: "paris"))
        == "Invalid query. When querying a collection group by document ID, the value provided "
        + "must result in a valid document path, but 'paris' is not because it has an odd number "
        + "of segments.")
    let asked = cities.whereField(id, isEqualTo: "paris").structuredQuery
    #expect(code { _ = try database.query(asked).ids() } == .invalidArgument)
  }
}
