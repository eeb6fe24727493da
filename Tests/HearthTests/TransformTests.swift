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

  private func everything() throws -> [FieldTransform] {
    [
      try .serverTimestamp("seen"), try .increment("visits", by: 2), try .maximum("high", 5),
      try .minimum("low", -5), try .arrayUnion("tags", ["a", "b"]), try .arrayRemove("tags", ["a"]),
    ]
  }

  @Test func aDocumentIsCreatedByTransforms() throws {
    let result = try tokyo.setData(["name": "Tokyo", "visits": 1], transforms: everything())
    let seen = try #require(try tokyo.getDocument().value("seen"))
    #expect(result.transformResults == [seen, 3, 5, -5, .null, .null])
    guard case .timestamp(let time) = seen else { return #expect(Bool(false)) }
    #expect(time <= result.updateTime && time.microseconds % 1000 == 0)
    #expect(result.updateTime.microseconds - time.microseconds < 1000)
    #expect(try tokyo.getDocument().value("tags") == ["b"])
    #expect(try tokyo.getDocument().value("name") == "Tokyo")
  }

  @Test func everyWriteMayHaveThem() throws {
    let one = [try FieldTransform.increment("n", by: 1)]
    try tokyo.create(["n": 10], transforms: one)
    try tokyo.setData(["x": 1], merge: true, transforms: one)
    try tokyo.updateData(["y": 1], removing: ["x"], transforms: one)
    #expect(try tokyo.getDocument().data() == ["n": 13, "y": 1])
  }

  @Test func everyAsynchronousWriteMayHaveThem() async throws {
    let one = [try FieldTransform.increment("n", by: 1)]
    let edo = try database.document("cities/edo")
    try await edo.create(["n": 20], transforms: one)
    try await edo.setData([:], merge: true, transforms: one)
    try await edo.updateData([:], transforms: one)
    #expect(try await edo.getDocument().data() == ["n": 23])
    try await edo.setData([:], transforms: one)
    #expect(try await edo.getDocument().data() == ["n": 1])
  }

  @Test func aMissingDocumentIsNotUpdated() throws {
    #expect(
      code { try tokyo.updateData([:], transforms: [.increment("n", by: 1)]) } == .notFound)
  }

  @Test func aBatchMayHaveThem() throws {
    let one = [try FieldTransform.increment("n", by: 1)]
    var batch = database.batch()
    batch.create([:], transforms: one, for: tokyo)
    batch.setData([:], transforms: one, for: tokyo, merge: true)
    try batch.updateData([:], transforms: one, for: tokyo)
    batch.verify(.exists(true), for: tokyo)
    #expect(try batch.commit().map(\.transformResults) == [[1], [2], [3], []])

    var refused = database.batch()
    refused.setData([:], for: tokyo)
    refused.verify(.exists(true), for: try database.document("cities/none"))
    #expect(code { try refused.commit() } == .notFound)
    #expect(try tokyo.getDocument().data() == ["n": 3])
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
