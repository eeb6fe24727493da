import Hearth
import Testing

// The code of WhyRefused.md, word for word: DocumentationTests compares the two.

@Suite struct WhyRefusedExamples {
  func createMissingIndex(for query: Query, in database: Database) throws {
    do {
      _ = try query.getDocuments()
    } catch {
      guard let missing = error.missingIndex else { throw error }
      print("creating", missing.index)
      try database.indexes.create(missing)
    }
  }

  func whyNoneServes(_ query: Query) throws -> String {
    try query.indexesNotUsed().map { unused in
      "\(unused.index): \(unused.reason)" + (unused.edit.map { "; \($0)" } ?? "")
    }.joined(separator: "\n")
  }

  @Test func createsTheIndex() throws {
    let cities = try Cities()
    let query = try cities.largestOfJapan()
    try createMissingIndex(for: query, in: cities.database)
    try createMissingIndex(for: query, in: cities.database)
    #expect(try query.ids() == ["tokyo", "osaka", "kyoto"])
    #expect(try cities.database.indexes.list().count == 1)
  }

  @Test func tellsWhyNoneServes() throws {
    let cities = try Cities()
    let population = try FieldPath("population")
    for field in ["country", "tags"] {
      try cities.database.indexes.create(
        IndexDefinition(
          "cities",
          [IndexColumn(try FieldPath(field), .ascending), IndexColumn(population, .descending)]))
    }
    let query = try cities.largestOfJapan().whereField("region", isEqualTo: "Kansai")
    let reasons = try whyNoneServes(query)
    #expect(reasons.contains("does not cover region; put region ASC in front"), "\(reasons)")
    #expect(reasons.contains("holds tags, which the query doesn't require"), "\(reasons)")
  }

  /// The refusals of the page, one after the other.
  @Test func refusesAsThePageSays() throws {
    let cities = try Cities()
    try cities.database.indexes.create(Cities.countryAndPopulation())
    let japan = try cities.collection.whereField("country", isEqualTo: "JP")
    #expect(try missing(japan.order(by: "population")) == "(country ASC, population ASC)")
    #expect(
      try missing(japan.whereField("population", isGreaterThan: 3))
        == "(country ASC, population ASC)")
    #expect(try japan.order(by: "population").limit(toLast: 2).ids() == ["osaka", "tokyo"])
    let byRegion = try cities.largestOfJapan().whereField("region", isEqualTo: "Kansai")
    #expect(try missing(byRegion) == "(country ASC, region ASC, population DESC)")
    #expect(
      failure { _ = try byRegion.ids() }?.missingIndex?.smaller?.description
        == "(region ASC, population DESC, __name__ DESC)")
    let group = try cities.database.collectionGroup("cities")
    #expect(try missing(group.whereField("country", isEqualTo: "JP")) == "(country ASC)")
    let two = try cities.collection.whereField("tags", arrayContains: "a")
      .whereField("tags", arrayContains: "b")
    #expect(
      failure { _ = try two.ids() }?.message
        == "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.")
  }

  /// The index that the refusal of the query names, without the name's column.
  private func missing(_ query: Query) throws -> String {
    let index = try #require(failure { _ = try query.ids() }?.missingIndex?.index)
    let columns = index.columns.filter { !$0.field.isDocumentID }
    return "(\(columns.map(\.description).joined(separator: ", ")))"
  }
}
