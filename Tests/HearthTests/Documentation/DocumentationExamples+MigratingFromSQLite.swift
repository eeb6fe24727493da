import Foundation
import Hearth
import Testing

// The code of MigratingFromSQLite.md, word for word: DocumentationTests compares the two.

@Suite struct MigratingFromSQLiteExamples {
  struct City: Codable {
    var name: String
    var population: Int?
    var country: Country
    var alternateNames: [String]

    struct Country: Codable {
      var code: String
      var name: String
    }
  }

  struct Visit: Codable {
    var user: String
    var day: Date
    var cityName: String
  }

  func createIndexes(in database: Database) throws {
    try database.indexes.create(
      IndexDefinition(
        "cities",
        [
          IndexColumn(try FieldPath("country.code"), .ascending),
          IndexColumn(try FieldPath("population"), .descending),
        ]))
    try database.indexes.create(
      IndexDefinition(
        "visits",
        [
          IndexColumn(try FieldPath("user"), .ascending),
          IndexColumn(try FieldPath("day"), .descending),
        ], scope: .collectionGroup))
  }

  // SELECT * FROM city WHERE country = ? ORDER BY population DESC LIMIT 20
  func largest(of country: String, in database: Database) throws -> [City] {
    let query = try database.collection("cities")
      .whereField("country.code", isEqualTo: .string(country))
      .order(by: "population", descending: true).limit(to: 20)
    return try query.getDocuments().documents(as: City.self)
  }

  // SELECT DISTINCT city.* FROM city JOIN alternate_name … WHERE alternate_name.name = ?
  func cities(called name: String, in database: Database) throws -> [City] {
    let query = try database.collection("cities")
      .whereField("alternateNames", arrayContains: .string(name))
    return try query.getDocuments().documents(as: City.self)
  }

  // SELECT visit.*, city.name FROM visit JOIN city … WHERE user = ? ORDER BY day DESC
  func visits(of user: String, in database: Database) throws -> [Visit] {
    let query = try database.collectionGroup("visits")
      .whereField("user", isEqualTo: .string(user)).order(by: "day", descending: true)
    return try query.getDocuments().documents(as: Visit.self)
  }

  // SELECT COUNT(*), SUM(population) FROM city WHERE population > ?
  func figures(above population: Int64, in database: Database) throws -> (Int64, Int64) {
    let figures = try database.collection("cities")
      .whereField("population", isGreaterThan: .integer(population))
      .aggregate([.count(as: "cities"), .sum("population", as: "people")])
    return (try figures["cities"].integerValue ?? 0, try figures["people"].integerValue ?? 0)
  }

  // SELECT * FROM city WHERE name LIKE 'San %'
  func cities(beginningWith prefix: String, in database: Database) throws -> [City] {
    let query = try database.collection("cities")
      .whereField("name", isGreaterThanOrEqualTo: .string(prefix))
      .whereField("name", isLessThan: .string(prefix + "\u{10FFFF}"))
    return try query.getDocuments().documents(as: City.self)
  }

  func rename(country: String, to name: String, in database: Database) throws {
    let cities = try database.collection("cities")
      .whereField("country.code", isEqualTo: .string(country)).getDocuments()
    var batch = database.batch()
    for city in cities.documents {
      batch.updateData(["country.name": .string(name)], for: city.reference)
    }
    try batch.commit()
  }

  @Test func theQueriesAnswer() throws {
    let database = try Database.inMemory()
    try createIndexes(in: database)
    let cities = try database.collection("cities")
    let japan = City.Country(code: "JP", name: "Japan")
    for (id, name, population, other) in [
      ("1", "Tokyo", 9_733_276, "Tokio"), ("2", "Osaka", 2_753_862, "Ōsaka"),
    ] {
      try cities.document(id).setData(
        from: City(name: name, population: population, country: japan, alternateNames: [other]))
    }
    try cities.document("1").collection("visits").addDocument(
      from: Visit(user: "ada", day: Date(timeIntervalSince1970: 0), cityName: "Tokyo"))

    #expect(try largest(of: "JP", in: database).map(\.name) == ["Tokyo", "Osaka"])
    #expect(try self.cities(called: "Tokio", in: database).map(\.name) == ["Tokyo"])
    #expect(try visits(of: "ada", in: database).map(\.cityName) == ["Tokyo"])
    #expect(try figures(above: 0, in: database) == (2, 12_487_138))
    #expect(try self.cities(beginningWith: "To", in: database).map(\.name) == ["Tokyo"])
    try rename(country: "JP", to: "Nippon", in: database)
    #expect(try largest(of: "JP", in: database).allSatisfy { $0.country.name == "Nippon" })
  }
}
