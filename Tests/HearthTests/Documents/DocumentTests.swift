import Hearth
import Testing

@Suite struct DocumentTests {
  private let database: Database
  private let tokyo: DocumentReference

  init() throws {
    database = try Database.inMemory()
    tokyo = try database.document("cities/tokyo")
  }

  private func fields() throws -> MapValue? { try tokyo.getDocument().data() }

  @Test func aMissingDocumentHasNoData() throws {
    let snapshot = try tokyo.getDocument()
    #expect(!snapshot.exists)
    #expect(try snapshot.data() == nil)
    #expect(try snapshot.value("name") == nil)
    #expect(snapshot.createTime == nil)
    #expect(snapshot.updateTime == nil)
    #expect(snapshot.id == "tokyo")
  }

  @Test func setDataReplaces() throws {
    try tokyo.setData(["name": "Edo", "old": true])
    try tokyo.setData(["name": "Tokyo", "address": ["region": "Kanto"]])
    #expect(try fields() == ["name": "Tokyo", "address": ["region": "Kanto"]])
    let snapshot = try tokyo.getDocument()
    #expect(try snapshot.value("address.region")?.stringValue == "Kanto")
    #expect(try snapshot.value(FieldPath("address"))?.mapValue == ["region": "Kanto"])
    #expect(try snapshot.value("old") == nil)
    #expect(code { _ = try snapshot.value("a..b") } == .invalidArgument)
  }

  @Test func mergingKeepsOtherFields() throws {
    try tokyo.setData(["name": "Tokyo", "address": ["region": "Kanto"]])
    try tokyo.setData(["address": ["country": "JP"]], merge: true)
    #expect(
      try fields() == ["name": "Tokyo", "address": ["country": "JP", "region": "Kanto"]])
  }

  @Test func updateDataSetsAndRemovesPaths() throws {
    try tokyo.setData(["name": "Edo", "old": true, "address": ["region": "Kanto", "zip": "1"]])
    try tokyo.updateData(
      [
        "name": "Tokyo", "address.zip": "100", "old": .delete, "address.region": .delete,
      ])
    #expect(try fields() == ["name": "Tokyo", "address": ["zip": "100"]])
  }

  @Test func updateDataRefusesAMissingDocumentAndOverlappingPaths() throws {
    let missing = failure { try tokyo.updateData(["name": "Tokyo"]) }
    #expect(missing?.code == .notFound)
    #expect(missing?.message.hasSuffix("/documents/cities/tokyo") == true)
    try tokyo.setData([:])
    let overlap = code { try tokyo.updateData(["a": 1, "a.b": 2]) }
    #expect(overlap == .invalidArgument)
    #expect(code { try tokyo.updateData(["a": 1, "a": .delete]) } == .invalidArgument)
    #expect(code { try tokyo.updateData(["a..b": 1]) } == .invalidArgument)
    #expect(try fields() == [:])
  }

  @Test func createRefusesADocumentThatExists() throws {
    try tokyo.create(["name": "Tokyo"])
    #expect(code { try tokyo.create([:]) } == .alreadyExists)
    #expect(try fields() == ["name": "Tokyo"])
  }

  @Test func deleteIsIdempotentAndLeavesWhatLiesBelow() throws {
    let ward = try tokyo.collection("wards").document("shibuya")
    try tokyo.setData([:])
    try ward.setData([:])
    try tokyo.delete()
    try tokyo.delete()
    #expect(try !tokyo.getDocument().exists)
    #expect(try ward.getDocument().exists)
  }

  @Test func timesFollowTheWrites() throws {
    let created = try tokyo.setData(["n": 1]).updateTime
    let unchanged = try tokyo.setData(["n": 1]).updateTime
    #expect(unchanged == created)
    let changed = try tokyo.setData(["n": 2]).updateTime
    #expect(changed > created)
    let snapshot = try tokyo.getDocument()
    #expect(snapshot.createTime == created)
    #expect(snapshot.updateTime == changed)
  }

  @Test func addDocumentTakesANewID() throws {
    let cities = try database.collection("cities")
    let document = try cities.addDocument(["name": "Tokyo"])
    #expect(try document.getDocument().value("name") == "Tokyo")
    #expect(document.parent == cities)
  }

  @Test func refusesWhatBreaksALimit() {
    let large = Value.string(String(repeating: "x", count: 1 << 20))
    #expect(code { try tokyo.setData(["a": large]) } == .invalidArgument)
    #expect(code { try tokyo.setData(["__a__": 1]) } == .invalidArgument)
    #expect(code { try tokyo.setData(["a": [[1]]]) } == .invalidArgument)
    #expect(code { try tokyo.setData(["": 1]) } == .invalidArgument)
  }

  @Test func everyCallWorksAsynchronously() async throws {
    let cities = try database.collection("cities")
    let kyoto = try cities.document("kyoto")
    try await kyoto.create(["name": "Heian-kyo"])
    try await kyoto.setData(["name": "Kyoto", "old": true])
    try await kyoto.setData(["country": "JP"], merge: true)
    try await kyoto.updateData(["population": 1_460_000, "old": .delete])
    let data = try await kyoto.getDocument().data()
    #expect(data == ["country": "JP", "name": "Kyoto", "population": 1_460_000])
    #expect(await code { try await kyoto.create([:]) } == .alreadyExists)
    let other = try await cities.addDocument(["name": "Osaka"])
    try await kyoto.delete()
    #expect(try await cities.getDocuments().documents.map(\.id) == [other.id])
  }
}

@Suite struct ValueUnwrappingTests {
  @Test func givesTheValueOfItsOwnTypeOnly() throws {
    let name = try DocumentName(ResourcePath("a/b"))
    let point = try GeoPoint(latitude: 35.7, longitude: 139.7)
    let time = try Timestamp(seconds: 1, nanoseconds: 0)
    #expect(Value.boolean(true).booleanValue == true)
    #expect(Value.integer(42).integerValue == 42)
    #expect(Value.double(4.5).doubleValue == 4.5)
    #expect(Value.timestamp(time).timestampValue == time)
    #expect(Value.string("a").stringValue == "a")
    #expect(Value.bytes([1]).bytesValue == [1])
    #expect(Value.reference(name).referenceValue == name)
    #expect(Value.array([1]).arrayValue == [1])
    #expect(Value.vector([1]).vectorValue == [1])
    #expect(Value.map(["a": 1]).mapValue == ["a": 1])
    #expect(Value.geoPoint(point).geoPointValue == point)
    #expect(Value.integer(42).doubleValue == nil)
    #expect(Value.double(42).integerValue == nil)
    #expect(Value.null.stringValue == nil)
  }
}
