import Hearth
import Testing

@Suite struct BatchTests {
  private let database: Database
  private let tokyo: DocumentReference
  private let edo: DocumentReference

  init() throws {
    database = try Database.inMemory()
    tokyo = try database.document("cities/tokyo")
    edo = try database.document("cities/edo")
  }

  /// Returns a batch of every kind of write, each seeing those before it.
  private func everything() throws -> WriteBatch {
    var batch = database.batch()
    batch.create(["name": "Edo"], for: edo)
    batch.setData(["name": "Tokio", "old": true], for: tokyo)
    batch.setData(["country": "JP"], for: tokyo, merge: true)
    batch.updateData(["name": "Tokyo", "old": .delete], for: tokyo)
    batch.delete(edo)
    return batch
  }

  @Test func appliesItsWritesInOrder() throws {
    let batch = try everything()
    #expect(batch.writes.count == 5)
    #expect(try batch.commit().count == 5)
    #expect(try tokyo.getDocument().data() == ["country": "JP", "name": "Tokyo"])
    #expect(try !edo.getDocument().exists)
  }

  @Test func appliesItsWritesAsynchronously() async throws {
    let results = try await everything().commit()
    #expect(Set(results.map(\.updateTime.microseconds)).count == 1)
    #expect(try await tokyo.getDocument().exists)
  }

  @Test func appliesNothingIfOneWriteFails() throws {
    var batch = database.batch()
    batch.setData(["name": "Edo"], for: edo)
    batch.updateData(["name": "Tokyo"], for: tokyo)
    #expect(code { try batch.commit() } == .notFound)
    #expect(try database.collection("cities").ids() == [])
  }

  @Test func refusesADocumentOfAnotherDatabase() async throws {
    var batch = database.batch()
    batch.setData([:], for: try Database.inMemory().document("cities/tokyo"))
    #expect(code { try batch.commit() } == .invalidArgument)
    let stray = batch
    #expect(await code { try await stray.commit() } == .invalidArgument)
    #expect(try await !tokyo.getDocument().exists)
  }

  @Test func anEmptyOneDoesNothing() throws {
    #expect(try database.batch().commit().isEmpty)
  }

  @Test func writesOfTheModelAreCommittedWithTheirPreconditions() async throws {
    let first = try await database.commit([.create(tokyo.path, ["n": 1])])
    let stale = Write(
      path: tokyo.path, operation: .delete,
      precondition: .updateTime(try Timestamp(microseconds: 0)))
    #expect(await code { try await database.commit([stale]) } == .failedPrecondition)
    let fresh = Write(
      path: tokyo.path, operation: .delete, precondition: .updateTime(first[0].updateTime))
    try await database.commit([fresh])
    #expect(try await !tokyo.getDocument().exists)
  }
}
