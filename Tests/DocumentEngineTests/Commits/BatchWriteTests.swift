import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import TestSupport
import Testing

/// Batches of independent writes (§7.1).
@Suite struct BatchWriteTests {
  private let fixture: EngineFixture
  private let counter = StoreCounter()

  init() throws {
    fixture = try EngineFixture(ObservedStore(MemoryStore(), observer: counter))
  }

  private func path(_ text: String) throws -> ResourcePath { try ResourcePath(text) }

  @Test func eachWriteSucceedsOrFailsByItself() throws {
    try fixture.set("c/old", ["n": 1])
    counter.reset()
    let results = try fixture.engine.batchWrite([
      .create(path("c/old"), [:]), .set(path("c/new"), ["n": 2]),
      .delete(path("c/gone"), .exists(true)), .set(path("c/bad"), ["a": [[1]]]),
      .delete(path("d/none")),
      .delete(path("d/stale"), .updateTime(.minimum)),
      .set(
        path("d/sum"), [:],
        transforms: [FieldTransform(try FieldPath("n"), .increment(4))]),
    ])
    let codes = results.map { result -> DatabaseError.Code? in
      if case .failure(let error) = result { error.code } else { nil }
    }
    #expect(
      codes == [.alreadyExists, nil, .notFound, .invalidArgument, nil, .failedPrecondition, nil])
    #expect(try results[6].get().transformResults == [4])
    #expect(try fixture.fields("c/old") == ["n": 1])
    #expect(try fixture.fields("c/new") == ["n": 2])
    #expect(try fixture.fields("c/bad") == nil)
    #expect(counter.counts.writes == 1, "one commit for all")
    let times = Set(results.compactMap { try? $0.get().updateTime })
    #expect(times.count == 1)
    try fixture.expectClean()
  }

  @Test func aRefusedWriteChangesNothing() throws {
    let tooMany = Value.array((0..<20_000).map { .integer($0) })
    let results = try fixture.engine.batchWrite([
      // Refused after its collection was founded.
      .set(path("never/a"), ["tags": tooMany]), .set(path("c/a"), ["n": 1]),
    ])
    #expect(code { _ = try results[0].get() } == .invalidArgument)
    #expect(try fixture.engine.readView().collectionIDs(below: .root) == ["c"])
    try fixture.set("never/b", ["n": 1])
    try fixture.expectClean()
  }

  @Test func aDocumentStandsInItOnce() throws {
    let text = message {
      _ = try fixture.engine.batchWrite([
        .set(path("c/a"), ["n": 1]), .set(path("c/b"), [:]), .delete(path("c/a")),
      ])
    }
    #expect(
      text == "the same document cannot be written more than once in a single request")
    #expect(try fixture.fields("c/b") == nil)
  }

  @Test func batchesWithoutValidWritesStoreNothing() throws {
    counter.reset()
    #expect(try fixture.engine.batchWrite([]).isEmpty)
    #expect(try fixture.engine.batchWrite([.create(path("c/a"), ["__x__": 1])]).count == 1)
    #expect(counter.counts.writes == 0)
  }

  @Test func aStoreThatFailsFailsTheWholeBatch() throws {
    let fault = StoreFault(failingOperation: 1, failingWrite: .isLost, counting: [.write])
    let store = MemoryStore()
    _ = try Engine(store)
    let engine = try Engine(ObservedStore(store, observer: fault))
    #expect(
      code { _ = try engine.batchWrite([.set(path("c/a"), [:]), .create(path("c/b"), [:])]) }
        == .unavailable)
    #expect(try Engine(store).readView().document(at: path("c/a")) == nil)
  }
}
