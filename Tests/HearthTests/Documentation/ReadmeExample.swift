import Hearth
import TestSupport
import Testing

/// The Swift code of `README.md`, run word for word.
@Suite struct ReadmeExample {
  @Test func createsTheIndexThatTheRefusalNames() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "cities.hearth")
    // README: begin
    let database = try Database.open(at: path)
    let cities = try database.collection("cities")
    try cities.document("tokyo").setData(["country": "JP", "population": 9_733_276])

    let largest = try cities.whereField("country", isEqualTo: "JP")
      .order(by: "population", descending: true).limit(to: 5)
    do {
      print(try largest.getDocuments().documents.map(\.id))
    } catch {
      guard let missing = error.missingIndex else { throw error }
      try database.indexes.create(missing)
    }
    // README: end
    #expect(try largest.getDocuments().documents.map(\.id) == ["tokyo"])
    try database.close()
  }

  @Test func theLoopListens() async throws {
    let cities = try Cities()
    try await cities.database.indexes.create(Cities.countryAndPopulation())
    let largest = try cities.largestOfJapan()
    let (printed, output) = AsyncStream.makeStream(of: [String].self)
    func print(_ ids: [String]) { output.yield(ids) }
    let loop = Task {
      // README: begin
      for try await snapshot in largest.snapshots {
        print(snapshot.documents.map(\.id))
      }
      // README: end
    }
    var lists = printed.makeAsyncIterator()
    #expect(await lists.next()?.contains("nara") == false)
    let nara = try cities.collection.document("nara")
    try await nara.setData(["country": "JP", "population": 50_000_000])
    #expect(await lists.next()?.contains("nara") == true)
    loop.cancel()
    try await loop.value
  }
}
