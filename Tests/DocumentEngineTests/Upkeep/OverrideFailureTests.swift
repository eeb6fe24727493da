import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import TestSupport
import Testing

/// Changes of field overrides that a document breaks, after the process died during them.
@Suite struct OverrideFailureTests {
  private let field = FieldPath(unchecked: ["tags"])
  /// Indexes for which the entries of a document with 19,000 elements are too many.
  private let wanted = [
    SingleFieldIndex(.contains, scope: .collection),
    SingleFieldIndex(.contains, scope: .collectionGroup),
    SingleFieldIndex(.ascending, scope: .collectionGroup),
  ]

  /// Fills a store with four documents, the last of which has entries only for the indexes of
  /// `wanted`.
  private func filled(_ store: MemoryStore) throws -> Engine {
    let engine = try Engine(store)
    let tags = Value.array((0..<19_000).map { .integer($0) })
    for (id, value) in [("a", 1), ("b", ["x", "y"]), ("c", 2), ("d", tags)] as [(String, Value)] {
      _ = try engine.commit([.set(ResourcePath("c/\(id)"), ["tags": value])])
    }
    return engine
  }

  /// Begins a change, and leaves it unfinished when the n-th write fails.
  private func leave(
    _ store: MemoryStore, atWrite number: Int, _ change: (Engine) throws -> Void
  ) throws {
    let fault = StoreFault(failingOperation: number, counting: [.write])
    let engine = try Engine(ObservedStore(store, observer: fault), settings: .building(1))
    #expect(throws: DatabaseError.self) { try change(engine) }
    #expect(fault.operationCount == number, "the change was at its end before")
  }

  /// Opens the store, makes the steps that are due, and returns the overrides after them.
  private func overridesAtEnd(_ store: MemoryStore) throws -> [FieldOverride] {
    let engine = try Engine(store, settings: .building(1))
    #expect(try engine.builds.list().map(\.state) == [.building])
    while try engine.builds.step() != nil {}
    #expect(try engine.builds.list().map(\.state) == [.failed])
    #expect(try engine.verify().isClean)
    let overrides = try engine.readView().catalog.indexes.overrides
    // No record of the earlier state is kept.
    let reopened = try Engine(store)
    #expect(!reopened.builds.hasWork)
    #expect(try reopened.readView().catalog.indexes.overrides == overrides)
    return overrides
  }

  @Test(arguments: [2, 3, 4]) func theOverrideOfBeforeComesBack(failingWrite: Int) throws {
    let store = MemoryStore()
    let before = [
      SingleFieldIndex(.ascending, scope: .collection),
      SingleFieldIndex(.descending, scope: .collection),
      SingleFieldIndex(.contains, scope: .collection),
    ]
    try filled(store).setOverride("c", field, before)
    try leave(store, atWrite: failingWrite) { try $0.setOverride("c", field, wanted) }
    let states = Dictionary(uniqueKeysWithValues: before.map { ($0, IndexState.ready) })
    #expect(try overridesAtEnd(store) == [FieldOverride("c", field, states)])
  }

  @Test(arguments: [2, 3, 4])
  func aFieldWithoutAnOverrideHasNoneAfterTheFailure(failingWrite: Int) throws {
    let store = MemoryStore()
    _ = try filled(store)
    try leave(store, atWrite: failingWrite) { try $0.setOverride("c", field, wanted) }
    #expect(try overridesAtEnd(store).isEmpty)
  }
}
