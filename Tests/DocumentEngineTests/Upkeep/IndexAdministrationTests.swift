import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

@Suite struct IndexAdministrationTests {
  private let a = FieldPath(unchecked: ["a"])
  private let b = FieldPath(unchecked: ["b"])

  private var aThenB: IndexDefinition {
    IndexDefinition("c", [IndexColumn(a, .ascending), IndexColumn(b, .descending)])
  }

  private var query: StructuredQuery {
    StructuredQuery(
      collectionID: "c", filter: .field(a, .equal, 1), orders: [Order(b, .descending)])
  }

  private func filled(_ store: any OrderedStore = MemoryStore(), count: Int = 1200) throws
    -> EngineFixture
  {
    let fixture = try EngineFixture(store, settings: .building(500))
    for start in stride(from: 0, to: count, by: 100) {
      _ = try fixture.engine.commit((start..<start + 100).map(document))
    }
    return fixture
  }

  private func document(_ number: Int) -> Write {
    let fields: MapValue = ["a": .integer(Int64(number % 3)), "b": .integer(Int64(number))]
    return .set(ResourcePath(unchecked: ["c", "d\(number)"]), fields)
  }

  @Test func anIndexIsBuiltOverExistingDocumentsAndMaintained() throws {
    let fixture = try filled()
    #expect(code { _ = try fixture.engine.readView().plan(query) } == .failedPrecondition)
    var progress: [BuildProgress] = []
    try fixture.engine.createIndex(aThenB) { progress.append($0) }
    #expect(progress.map(\.documentsDone) == [500, 1000, 1200])
    #expect(progress.allSatisfy { $0.documentsTotal == 1200 })
    #expect(try fixture.run(query).count == 400)
    try fixture.set("c/new", ["a": 1, "b": 99_999])
    #expect(try fixture.names(query).first == "c/new")
    try fixture.expectClean()
  }

  @Test func aDroppedIndexLeavesNoEntry() throws {
    let store = MemoryStore()
    let fixture = try filled(store)
    let before = try keyCount(store)
    try fixture.engine.createIndex(aThenB)
    #expect(try keyCount(store) == before + 1200 + 1)
    try fixture.engine.dropIndex(aThenB)
    #expect(try keyCount(store) == before)
    #expect(code { _ = try fixture.engine.readView().plan(query) } == .failedPrecondition)
    #expect(code { try fixture.engine.dropIndex(aThenB) } == .notFound)
    // Created again it has another id, so no old entry can come back.
    try fixture.engine.createIndex(aThenB)
    #expect(try fixture.engine.readView().catalog.indexes.composites.map(\.id) == [2])
    try fixture.expectClean()
  }

  private func keyCount(_ store: any OrderedStore) throws -> Int {
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: [])
    var count = 0
    while cursor.isValid {
      count += 1
      try cursor.next()
    }
    return count
  }

  @Test func aHiddenIndexIsMaintainedAndNotUsed() throws {
    let store = MemoryStore()
    let fixture = try filled(store)
    let engine = fixture.engine
    try engine.createIndex(aThenB)
    try engine.setHidden(true, aThenB)
    #expect(code { _ = try engine.readView().plan(query) } == .failedPrecondition)
    try fixture.set("c/new", ["a": 1, "b": 99_999])
    try fixture.expectClean()
    // It stays hidden, and is unchanged when it is shown again.
    let again = try EngineFixture(store)
    #expect(code { _ = try again.engine.readView().plan(query) } == .failedPrecondition)
    try again.engine.setHidden(true, aThenB)
    try again.engine.setHidden(false, aThenB)
    #expect(try again.names(query).first == "c/new")
    try again.engine.setHidden(true, aThenB)
    #expect(code { try again.engine.createIndex(aThenB) } == .alreadyExists)
    try again.engine.dropIndex(aThenB)
    #expect(code { try again.engine.setHidden(false, aThenB) } == .notFound)
    // No record is left to hide the next one.
    try again.engine.createIndex(aThenB)
    #expect(try again.names(query).count == 401)
    try again.expectClean()
  }

  @Test func aTransactionConflictsWithTheHidingOfAnIndex() throws {
    let fixture = try filled()
    try fixture.engine.createIndex(aThenB)
    let transaction = try fixture.engine.beginTransaction()
    let execution = try transaction.readView().run(query)
    while try execution.nextDocument() != nil {}
    try transaction.append(.set(ResourcePath("c/x"), [:]))
    try fixture.engine.setHidden(true, aThenB)
    #expect(code { _ = try transaction.commit() } == .aborted)
  }

  @Test func definitionsThatProductionRefusesAreRefused() throws {
    let fixture = try EngineFixture()
    func refusal(_ columns: [IndexColumn]) -> String? {
      do {
        try fixture.engine.createIndex(IndexDefinition("c", columns))
        return nil
      } catch { return error.message }
    }
    let unnecessary = "this index is not necessary, configure using single field index controls"
    #expect(refusal([IndexColumn(a, .ascending)]) == unnecessary)
    #expect(refusal([IndexColumn(.documentID, .ascending)]) == unnecessary)
    #expect(refusal([IndexColumn(.documentID, .descending)]) == nil)
    #expect(
      refusal([IndexColumn(a, .ascending), IndexColumn(.documentID, .descending)]) == nil)
    #expect(
      refusal([IndexColumn(a, .contains), IndexColumn(b, .contains)])
        == "An index may not have more than one CONTAINS field.")
    try fixture.engine.createIndex(aThenB)
    #expect(code { try fixture.engine.createIndex(aThenB) } == .alreadyExists)
  }

  @Test func aDocumentThatCannotBeIndexedFailsTheBuild() throws {
    let fixture = try EngineFixture()
    let long = Value.string(String(repeating: "x", count: 1500))
    let names = (0..<6).map { "f\($0)" }
    try fixture.set("c/wide", MapValue(names.map { ($0, long) }))
    let wide = IndexDefinition(
      "c", names.map { IndexColumn(FieldPath(unchecked: [$0]), .ascending) })
    do {
      try fixture.engine.createIndex(wide)
      Issue.record("the index was built")
    } catch {
      #expect(error.code == .invalidArgument)
      #expect(error.message == "c/wide: Index entry is too large.")
    }
    #expect(try fixture.engine.readView().catalog.indexes.composites.isEmpty)
    try fixture.expectClean()
  }

  @Test func anIndexThatWouldGiveADocumentTooManyEntriesIsNotBuilt() throws {
    let fixture = try EngineFixture()
    let tags = Value.array((0..<19_000).map { .integer($0) })
    try fixture.set("c/tagged", ["tags": tags, "b": 1])
    let contains = IndexDefinition(
      "c", [IndexColumn(FieldPath(unchecked: ["tags"]), .contains), IndexColumn(b, .ascending)])
    do {
      try fixture.engine.createIndex(contains)
      Issue.record("the index was built")
    } catch {
      #expect(error.message == "c/tagged: too many index entries for entity /c/tagged")
    }
    try fixture.expectClean()
    _ = try fixture.engine.commit([.delete(ResourcePath("c/tagged"))])
    try fixture.expectClean()
  }

  @Test func changesOfIndexesAtOnceComeOneAfterTheOther() async throws {
    let fixture = try filled()
    let (engine, definition) = (fixture.engine, aThenB)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          // The second thread finds the index created, or dropped, and no state in between.
          if number.isMultiple(of: 2) {
            try? engine.createIndex(definition)
          } else {
            try? engine.dropIndex(definition)
          }
        }
      }
    }
    try fixture.expectClean()
  }

  @Test func aBrokenOffBuildGoesOnFromItsLastChunk() throws {
    let store = MemoryStore()
    let count = try filled(store).engine.readView().catalog.indexes.composites.count
    #expect(count == 0)
    // The third write fails: the definition and one chunk are written.
    let fault = StoreFault(failingOperation: 3, counting: [.write])
    let failing = try Engine(
      ObservedStore(store, observer: fault), settings: .building(500))
    #expect(code { try failing.createIndex(aThenB) } == .unavailable)

    let reopened = try Engine(store, settings: .building(500))
    #expect(try reopened.readView().catalog.indexes.composites.map(\.state) == [.creating])
    let refusal = #expect(throws: DatabaseError.self) { try reopened.readView().plan(query) }
    #expect(refusal?.message.contains("That index is currently building") == true)
    var progress: [BuildProgress] = []
    try reopened.createIndex(aThenB) { progress.append($0) }
    #expect(progress.map(\.documentsDone) == [500, 700])
    #expect(try reopened.verify().isClean)
    #expect(try reopened.readView().run(query).skipDocument())
  }

  // MARK: Overrides

  @Test func anExemptedFieldHasNoEntriesAndServesNoQuery() throws {
    let store = MemoryStore()
    let fixture = try filled(store)
    let before = try keyCount(store)
    try fixture.engine.setOverride("c", b, [])
    #expect(try keyCount(store) == before - 1200 + 1)
    let onB = StructuredQuery(collectionID: "c", filter: .field(b, .equal, 7))
    let refusal = #expect(throws: DatabaseError.self) { try fixture.engine.readView().plan(onB) }
    #expect(
      refusal?.message.hasPrefix(
        "The query requires a COLLECTION_ASC index for collection c and field b.") == true)
    try fixture.set("c/d7", ["a": 5, "b": 7])
    try fixture.expectClean()

    try fixture.engine.removeOverride("c", b)
    #expect(try fixture.names(onB) == ["c/d7"])
    #expect(try keyCount(store) == before)
    try fixture.expectClean()
    #expect(code { try fixture.engine.removeOverride("c", b) } == .notFound)
  }

  @Test func aGroupIndexServesAllCollectionsOfTheId() throws {
    let fixture = try EngineFixture()
    for path in ["c/1", "x/1/c/2", "x/2/c/3", "c/1/d/4"] { try fixture.set(path, ["a": 1]) }
    var group = StructuredQuery(
      collectionID: "c", allDescendants: true, filter: .field(a, .equal, 1))
    let refusal = #expect(throws: DatabaseError.self) { try fixture.engine.readView().plan(group) }
    #expect(
      refusal?.message.hasPrefix(
        "The query requires a COLLECTION_GROUP_ASC index for collection c and field a.") == true)
    try fixture.engine.setOverride(
      "c", a, SingleFieldIndex.defaults + [SingleFieldIndex(.ascending, scope: .collectionGroup)])
    #expect(try fixture.names(group) == ["c/1", "x/1/c/2", "x/2/c/3"])
    group.parent = try ResourcePath("x/2")
    #expect(try fixture.names(group) == ["x/2/c/3"])
    try fixture.expectClean()
  }

  @Test func theOverrideOfTheLongestPathGoverns() throws {
    let fixture = try EngineFixture()
    try fixture.set("c/1", ["m": ["x": 1, "y": 2], "n": 3])
    try fixture.engine.setOverride("c", nil, [])
    try fixture.engine.setOverride("c", FieldPath(unchecked: ["m"]), SingleFieldIndex.defaults)
    try fixture.engine.setOverride("c", FieldPath(unchecked: ["m", "y"]), [])
    func isServed(_ names: [String]) -> Bool {
      let filter = Filter.field(FieldPath(unchecked: names), .greaterThan, 0)
      let query = StructuredQuery(collectionID: "c", filter: filter)
      return (try? fixture.names(query)) == ["c/1"]
    }
    #expect(isServed(["m", "x"]))
    #expect(!isServed(["m", "y"]))
    #expect(!isServed(["n"]))
    try fixture.expectClean()
    try fixture.engine.removeOverride("c", FieldPath(unchecked: ["m", "y"]))
    #expect(isServed(["m", "y"]))
    try fixture.engine.removeOverride("c", nil)
    #expect(isServed(["n"]))
    try fixture.expectClean()
  }
}
