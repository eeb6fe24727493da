import Hearth
import Testing

/// Transforms and independent writes, through the public API (§7.1, §7.3).
@Suite struct TransformTests {
  private let database: Database
  private let tokyo: DocumentReference

  init() throws {
    database = try Database.inMemory()
    tokyo = try database.document("cities/tokyo")
  }

  private let everything: FieldData = [
    "name": "Tokyo", "seen": .serverTimestamp, "visits": .increment(2), "high": .maximum(5),
    "low": .minimum(-5.5), "tags": .arrayUnion(["a", "b"]), "old": .arrayRemove(["a"]),
  ]

  @Test func aDocumentIsCreatedByTransforms() throws {
    let result = try tokyo.setData(everything)
    let seen = try #require(try tokyo.getDocument().value("seen"))
    #expect(result.transformResults == [seen, 2, 5, -5.5, .null, .null])
    guard case .timestamp(let time) = seen else { return #expect(Bool(false)) }
    #expect(time <= result.updateTime && time.microseconds % 1000 == 0)
    #expect(result.updateTime.microseconds - time.microseconds < 1000)
    #expect(try tokyo.getDocument().value("tags") == ["a", "b"])
    #expect(try tokyo.getDocument().value("name") == "Tokyo")
  }

  @Test func everyWriteMayHaveThem() throws {
    try tokyo.create(["n": .increment(10)])
    try tokyo.setData(["x": 1, "n": .increment(1)], merge: true)
    try tokyo.setData(["n": .increment(1), "z": 1], mergeFields: ["n"])
    try tokyo.updateData(["y": 1, "x": .delete, "n": .increment(1)])
    try tokyo.updateData([(FieldPath("n"), .increment(1))])
    #expect(try tokyo.getDocument().data() == ["n": 14, "y": 1])
  }

  @Test func everyAsynchronousWriteMayHaveThem() async throws {
    let one: FieldData = ["n": .increment(1)]
    let edo = try database.document("cities/edo")
    try await edo.create(["n": .increment(20)])
    try await edo.setData(one, merge: true)
    try await edo.setData(one, mergeFields: ["n"])
    try await edo.updateData(one)
    try await edo.updateData([(FieldPath("n"), .increment(1))])
    #expect(try await edo.getDocument().data() == ["n": 24])
    try await edo.setData(one)
    #expect(try await edo.getDocument().data() == ["n": 1])
    let added = try await edo.parent.addDocument(one)
    #expect(try await added.getDocument().data() == ["n": 1])
  }

  @Test func aMissingDocumentIsNotUpdated() throws {
    #expect(
      code { try tokyo.updateData(["n": .increment(1)]) } == .notFound)
  }

  @Test func aBatchMayHaveThem() throws {
    let one: FieldData = ["n": .increment(1)]
    var batch = database.batch()
    batch.create(one, for: tokyo)
    batch.setData(one, for: tokyo, merge: true)
    batch.setData(one, for: tokyo, mergeFields: ["n"])
    batch.updateData(one, for: tokyo)
    batch.updateData([(try FieldPath("n"), .increment(1))], for: tokyo)
    batch.verify(.exists(true), for: tokyo)
    #expect(try batch.commit().map(\.transformResults) == [[1], [2], [3], [4], [5], []])

    var refused = database.batch()
    refused.setData([:], for: tokyo)
    refused.verify(.exists(true), for: try database.document("cities/none"))
    #expect(code { try refused.commit() } == .notFound)
    #expect(try tokyo.getDocument().data() == ["n": 5])
  }

  @Test func independentWritesDoNotStopEachOther() async throws {
    let writes: [Write] = [
      .set(tokyo.path, ["n": 1]), .delete(try ResourcePath("cities/none"), .exists(true)),
    ]
    let results = try await database.batchWrite(writes)
    #expect(results.count == 2)
    #expect(try results[0].get().transformResults.isEmpty)
    #expect(throws: DatabaseError.self) { try results[1].get() }
    #expect(try await tokyo.getDocument().data() == ["n": 1])
  }

  @Test func aDocumentIsInThemOnce() throws {
    let write = Write.set(tokyo.path, ["n": 1])
    #expect(code { _ = try database.batchWrite([write, write]) } == .invalidArgument)
    #expect(try database.batchWrite([write]).count == 1)
  }
}
