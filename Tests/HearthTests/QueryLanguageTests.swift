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
      .or([
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
}
