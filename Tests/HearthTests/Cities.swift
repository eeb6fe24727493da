import Hearth

/// Six cities in memory, among them one without a population and one whose country is null.
struct Cities {
  let database: Database
  let collection: CollectionReference

  init() throws {
    database = try Database.inMemory()
    collection = try database.collection("cities")
    for (id, fields) in Cities.all { try collection.document(id).setData(fields) }
  }

  private static let all: [(String, MapValue)] = [
    ("atlantis", ["country": .null, "tags": ["old"]]),
    ("kyoto", ["country": "JP", "population": 1_460_000, "tags": ["old"]]),
    ("lyon", ["country": "FR", "population": 1_720_000, "tags": ["old", "river"]]),
    ("osaka", ["country": "JP", "population": 19_100_000, "tags": ["port"]]),
    ("paris", ["country": "FR", "population": 11_000_000, "tags": ["river"]]),
    (
      "tokyo",
      ["country": "JP", "population": 37_400_000, "tags": ["port"], "area": ["km2": 2194.5]]
    ),
  ]

  /// Returns the index `(country ASC, population DESC)`.
  static func countryAndPopulation(scope: QueryScope = .collection) throws -> IndexDefinition {
    IndexDefinition(
      "cities",
      [
        IndexColumn(try FieldPath("country"), .ascending),
        IndexColumn(try FieldPath("population"), .descending),
      ], scope: scope)
  }

  /// Returns the query for the cities of Japan, the largest first. It needs the index above.
  func largestOfJapan() throws -> Query {
    try collection.whereField("country", isEqualTo: "JP").order(by: "population", descending: true)
  }
}

extension QueryBuilding {
  /// Returns the ids of the results.
  func ids() throws -> [String] { try getDocuments().documents.map(\.id) }
}

/// Returns the error that `body` throws.
func failure(of body: () throws -> Void) -> DatabaseError? {
  do {
    try body()
    return nil
  } catch {
    return error as? DatabaseError
  }
}

/// Returns the code of the error that `body` throws.
func code(_ body: () throws -> Void) -> DatabaseError.Code? { failure(of: body)?.code }

/// Returns the code of the error that `body` throws.
func code(_ body: () async throws -> Void) async -> DatabaseError.Code? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? DatabaseError)?.code
  }
}
