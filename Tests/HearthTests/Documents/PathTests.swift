import Hearth
import Testing

@Suite struct PathTests {
  private let database: Database

  init() throws { database = try Database.inMemory() }

  @Test func leadsFromPlaceToPlace() throws {
    let shibuya = try database.document("countries/jp/cities/shibuya")
    #expect(shibuya.id == "shibuya")
    #expect(shibuya.parent.id == "cities")
    #expect(shibuya.parent.path.description == "countries/jp/cities")
    #expect(shibuya.parent.parent?.path.description == "countries/jp")
    #expect(shibuya.parent.parent?.parent.parent == nil)
    let cities = try database.collection("countries").document("jp").collection("cities")
    #expect(cities == shibuya.parent)
    #expect(try cities.document("shibuya") == shibuya)
  }

  @Test func referencesAreEqualInOneDatabaseOnly() throws {
    let tokyo = try database.document("cities/tokyo")
    let stranger = try Database.inMemory().document("cities/tokyo")
    #expect(tokyo != stranger)
    #expect(Set([tokyo, try database.document("cities/tokyo"), stranger]).count == 2)
  }

  @Test func aNameLeadsBackToItsDocument() throws {
    let tokyo = try database.document("cities/tokyo")
    let name = try tokyo.name()
    #expect(
      name.description == "projects/demo-project/databases/(default)/documents/cities/tokyo")
    #expect(try database.document(name) == tokyo)
    let foreign = try DocumentName(tokyo.path, in: DatabaseID(project: "other"))
    #expect(code { _ = try database.document(foreign) } == .invalidArgument)
  }

  @Test(arguments: ["", "cities/tokyo", "/cities", "cities/", "a//b", "__x__", "."])
  func refusesWhatIsNoCollection(path: String) {
    #expect(code { _ = try database.collection(path) } == .invalidArgument)
  }

  @Test(arguments: ["", "cities", "cities/", "cities//x", "cities/..", "cities/__x__"])
  func refusesWhatIsNoDocument(path: String) {
    #expect(code { _ = try database.document(path) } == .invalidArgument)
  }

  @Test(arguments: ["", "a/b", "__x__"]) func refusesWhatIsNoID(id: String) throws {
    let cities = try database.collection("cities")
    #expect(code { _ = try database.collectionGroup(id) } == .invalidArgument)
    #expect(code { _ = try cities.document(id) } == .invalidArgument)
    #expect(code { _ = try cities.document("tokyo").collection(id) } == .invalidArgument)
  }

  @Test func newDocumentsHaveIDsOfTheirOwn() throws {
    let cities = try database.collection("cities")
    let ids = Set((0..<100).map { _ in cities.document().id })
    #expect(ids.count == 100)
    #expect(ids.allSatisfy { $0.utf8.count == 20 })
  }
}
