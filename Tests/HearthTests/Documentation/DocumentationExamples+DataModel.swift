import Hearth
import Testing

// The code of DataModel.md, word for word: DocumentationTests compares the two.

@Suite struct DataModelExamples {
  func describe(
    _ place: DocumentReference, by author: DocumentReference, at time: Timestamp
  ) throws {
    try place.setData([
      "name": "Kyōto",
      "isCapital": false,
      "population": 1_460_000,
      "density": 1760.5,
      "mayor": .null,
      "described": .timestamp(time),
      "author": .reference(try author.name()),
      "center": .geoPoint(try GeoPoint(latitude: 35.01, longitude: 135.77)),
      "alternateNames": ["Kioto", "Kyôto"],
      "address": ["country": "JP", "region": "Kansai"],
    ])
  }

  func regionAndNames(of place: DocumentSnapshot) throws -> (String?, [String]) {
    let names = try place.value("alternateNames")?.arrayValue ?? []
    return (try place.value("address.region")?.stringValue, names.compactMap(\.stringValue))
  }

  @Test func everyTypeComesBack() throws {
    let database = try Database.inMemory()
    let place = try database.document("cities/kyoto")
    let author = try database.document("users/ada")
    try describe(place, by: author, at: Timestamp(seconds: 1_700_000_000, nanoseconds: 0))
    let snapshot = try place.getDocument()
    #expect(try snapshot.value("author")?.referenceValue?.path.description == "users/ada")
    let (region, names) = try regionAndNames(of: snapshot)
    #expect(region == "Kansai")
    #expect(names == ["Kioto", "Kyôto"])
  }

  /// The page's statements about order and about null are true.
  @Test func comparesAsThePageSays() throws {
    let items = try Database.inMemory().collection("items")
    try items.document("null").setData(["n": .null])
    try items.document("none").setData(["m": 1])
    try items.document("one").setData(["n": 1.0])
    try items.document("text").setData(["n": "9"])
    #expect(try items.whereField("n", isEqualTo: 1).ids() == ["one"])
    #expect(try items.whereField("n", isEqualTo: .null).ids() == ["null"])
    #expect(try items.whereField("n", isGreaterThan: 0).ids() == ["one"])
    #expect(try items.order(by: "n").ids() == ["null", "one", "text"])
  }

  @Test func aWriteThatChangesNothingKeepsTheTime() throws {
    let item = try Database.inMemory().document("items/a")
    try item.setData(["n": 1])
    let first = try item.getDocument().updateTime
    try item.setData(["n": 1])
    #expect(try item.getDocument().updateTime == first)
  }
}
