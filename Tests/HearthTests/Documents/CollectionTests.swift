import Hearth
import Testing

@Suite struct CollectionTests {
  private let database: Database

  init() throws {
    database = try Database.inMemory()
    for path in ["cities/a/wards/x", "cities/b/wards/y", "towns/c", "lands/d/cities/e/wards/z"] {
      try database.document(path).setData(["name": .string(path)])
    }
  }

  private func rootIDs() throws -> [String] { try database.listCollections().map(\.id) }

  private func childIDs(of path: String) throws -> [String] {
    try database.document(path).listCollections().map(\.id)
  }

  @Test func aGroupSpansAllCollectionsOfItsID() throws {
    #expect(try database.collectionGroup("wards").ids() == ["x", "y", "z"])
    #expect(try database.collectionGroup("wards").count() == 3)
    #expect(try database.collection("cities/a/wards").ids() == ["x"])
    #expect(try database.collectionGroup("nothing").ids() == [])
  }

  @Test func listsCollectionsThatHoldDocumentsAtAnyDepth() async throws {
    #expect(try rootIDs() == ["cities", "lands", "towns"])
    #expect(try childIDs(of: "cities/a") == ["wards"])
    let ids = try await database.document("lands/d").listCollections().map(\.id)
    #expect(ids == ["cities"])
    #expect(try await database.listCollections().count == 3)
    try await database.recursiveDelete("lands")
    #expect(try rootIDs() == ["cities", "towns"])
  }

  @Test func recursiveDeleteTakesWhatLiesBelow() throws {
    #expect(try database.recursiveDelete("cities/a") == 1)
    #expect(try database.collectionGroup("wards").ids() == ["y", "z"])
    #expect(try database.recursiveDelete("cities") == 1)
    #expect(try database.recursiveDelete("cities") == 0)
    #expect(try rootIDs() == ["lands", "towns"])
    #expect(code { try database.recursiveDelete("a//b") } == .invalidArgument)
  }
}
