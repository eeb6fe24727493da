import Hearth
import TestSupport
import Testing

/// The Swift code of `README.md`, run as it stands there.
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
}
