import Hearth
import Testing

/// The calls that take and give `Codable` types.
@Suite struct CodingCallsTests {
  private let database: Database
  private let cities: CollectionReference

  init() throws {
    database = try Database.inMemory()
    cities = try database.collection("cities")
  }

  private struct City: Codable, Equatable {
    var name: String
    var population: Int?
  }

  @Test func aDocumentIsWrittenAndRead() throws {
    let tokyo = try cities.document("tokyo")
    try tokyo.create(from: City(name: "Edo", population: 1))
    #expect(code { try tokyo.create(from: City(name: "Edo")) } == .alreadyExists)
    try tokyo.setData(from: City(name: "Tokyo"), merge: true)
    #expect(try tokyo.getDocument(as: City.self) == City(name: "Tokyo", population: 1))
    try tokyo.setData(from: City(name: "Tokyo"))
    #expect(try tokyo.getDocument(as: City.self) == City(name: "Tokyo"))
    let other = try cities.addDocument(from: City(name: "Kyoto"))
    #expect(try other.getDocument().data(as: City.self) == City(name: "Kyoto"))
  }

  @Test func theSameWithoutBlocking() async throws {
    let tokyo = try cities.document("tokyo")
    try await tokyo.create(from: City(name: "Edo", population: 1))
    try await tokyo.setData(from: City(name: "Tokyo"), merge: true)
    #expect(try await tokyo.getDocument(as: City.self) == City(name: "Tokyo", population: 1))
    let other = try await cities.addDocument(from: City(name: "Kyoto"))
    #expect(try await other.getDocument(as: City?.self) == City(name: "Kyoto"))
    #expect(await code { try await tokyo.setData(from: 1) } == .invalidArgument)
  }

  @Test func onlySelectedFieldsAreDecoded() throws {
    try cities.document("tokyo").setData(from: City(name: "Tokyo", population: 1))
    let selected = try cities.select(["name"]).getDocuments()
    #expect(try selected.documents(as: City.self) == [City(name: "Tokyo")])
    #expect(try selected.documents[0].value("population", as: Int.self) == nil)
  }

  @Test func batchesAndQueries() throws {
    var batch = database.batch()
    try batch.create(from: City(name: "B"), for: cities.document("2"))
    try batch.setData(from: City(name: "A"), for: cities.document("1"))
    try batch.setData(from: City(name: "C"), for: cities.document("2"), merge: true)
    try batch.commit()
    let snapshot = try cities.order(by: "name").getDocuments()
    #expect(try snapshot.documents(as: City.self) == [City(name: "A"), City(name: "C")])
    #expect(code { try batch.create(from: [1], for: cities.document("3")) } == .invalidArgument)
  }

  @Test func theFirstResultThatDoesNotFitIsNamed() throws {
    try cities.document("1").setData(["name": "A"])
    try cities.document("2").setData(["name": 1])
    let error = failure { _ = try cities.getDocuments().documents(as: City.self) }
    #expect(error?.codingFailure?.document == "cities/2")
    #expect(error?.codingFailure?.field == "name")
  }
}
