import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

@Suite struct VectorIndexTests {
  private let color = FieldPath(unchecked: ["color"])
  private let tags = FieldPath(unchecked: ["tags"])
  private let embedding = FieldPath(unchecked: ["m", "v"])

  private func definition(
    _ columns: [IndexColumn] = [], dimension: Int = 2, scope: QueryScope = .collection
  ) -> IndexDefinition {
    IndexDefinition(
      "c", columns, scope: scope, vector: VectorColumn(embedding, dimension: dimension))
  }

  private func filled(_ store: any OrderedStore) throws -> EngineFixture {
    let fixture = try EngineFixture(store)
    try fixture.set("c/two", ["color": "red", "tags": [1, 2, 1], "m": ["v": .vector([1, 2])]])
    try fixture.set("c/three", ["color": "red", "tags": [1], "m": ["v": .vector([1, 2, 3])]])
    try fixture.set("c/array", ["color": "red", "tags": [1], "m": ["v": [1, 2]]])
    try fixture.set("c/none", ["color": "red", "tags": [1]])
    try fixture.set("c/bare", ["m": ["v": .vector([0.5, -0.0])]])
    try fixture.set("p/x/c/below", ["color": .null, "m": ["v": .vector([3, 4])]])
    return fixture
  }

  /// Returns the vectors that the entries of an index hold.
  private func vectors(_ store: any OrderedStore, _ fixture: EngineFixture) throws -> [[Double]] {
    guard let index = try fixture.engine.readView().catalog.indexes.composites.last else {
      return []
    }
    let range = KeyRange.prefix(StorageKey.compositePrefix(id: index.id))
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: range.lower)
    var vectors: [[Double]] = []
    while cursor.isValid, range.contains(cursor.key) {
      var vector = [0.0, 0]
      try EntryValue.readVector(into: &vector, from: cursor.value)
      vectors.append(vector)
      try cursor.next()
    }
    return vectors
  }

  private func entries(_ definition: IndexDefinition) throws -> [[Double]] {
    let store = MemoryStore()
    let fixture = try filled(store)
    try fixture.engine.createIndex(definition)
    try fixture.expectClean()
    return try vectors(store, fixture)
  }

  @Test func onlyVectorsOfTheDimensionHaveEntries() throws {
    #expect(try entries(definition()) == [[0.5, -0.0], [1, 2], [3, 4]])
    #expect(try entries(definition(dimension: 4)) == [])
    #expect(try entries(definition(scope: .collectionGroup)) == [[0.5, -0.0], [1, 2], [3, 4]])
  }

  @Test func allColumnsMustBeThere() throws {
    #expect(try entries(definition([IndexColumn(color, .ascending)])) == [[1, 2], [3, 4]])
    // One entry for each distinct element of the array.
    #expect(try entries(definition([IndexColumn(tags, .contains)])) == [[1, 2], [1, 2]])
  }

  @Test func entriesFollowTheirDocuments() throws {
    let store = MemoryStore()
    let fixture = try filled(store)
    try fixture.engine.createIndex(definition())
    try fixture.set("c/two", ["m": ["v": .vector([7, 8])]])
    #expect(try vectors(store, fixture) == [[0.5, -0.0], [7, 8], [3, 4]])
    try fixture.set("c/three", ["m": ["v": .vector([5, 6])]])
    _ = try fixture.engine.commit([.delete(ResourcePath("c/bare"))])
    #expect(try vectors(store, fixture) == [[5, 6], [7, 8], [3, 4]])
    try fixture.set("c/two", ["m": ["v": .vector([7, 8, 9])]])
    #expect(try vectors(store, fixture) == [[5, 6], [3, 4]])
    try fixture.expectClean()
  }

  @Test func theDefinitionSurvivesReopening() throws {
    let store = MemoryStore()
    let definition = definition([IndexColumn(color, .descending)], scope: .collectionGroup)
    try filled(store).engine.createIndex(definition)
    let reopened = try Engine(store)
    let indexes = try reopened.readView().catalog.indexes.composites
    #expect(indexes.map(\.definition) == [definition] && indexes[0].state == .ready)
    #expect(try reopened.verify().isClean)
    try reopened.dropIndex(definition)
    #expect(try reopened.verify().isClean)
  }

  /// An index of another dimension, or without the vector, is another index.
  @Test func theVectorIsPartOfTheIdentity() throws {
    let fixture = try filled(MemoryStore())
    let byColor = [IndexColumn(color, .ascending), IndexColumn(tags, .ascending)]
    try fixture.engine.createIndex(definition(byColor))
    try fixture.engine.createIndex(definition(byColor, dimension: 3))
    try fixture.engine.createIndex(IndexDefinition("c", byColor))
    #expect(code { try fixture.engine.createIndex(definition(byColor)) } == .alreadyExists)
    try fixture.engine.dropIndex(definition(byColor))
    #expect(code { try fixture.engine.dropIndex(definition(byColor)) } == .notFound)
    #expect(try fixture.engine.readView().catalog.indexes.composites.count == 2)
    try fixture.expectClean()
  }

  @Test func verifyFindsAWrongVectorAndRepairPutsItRight() throws {
    let store = MemoryStore()
    let fixture = try filled(store)
    try fixture.engine.createIndex(definition())
    let range = KeyRange.prefix(StorageKey.compositePrefix(id: 1))
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: range.lower)
    var (key, value) = (try cursor.requireKey(), try cursor.requireValue())
    value[value.count - 1] ^= 1
    var batch = StoreBatch()
    batch.put(key, value)
    key[key.count - 2] ^= 1
    batch.put(key, value)
    try store.write(batch)
    let report = try fixture.engine.verify()
    #expect(Set(report.problems.map(\.fault)) == [.wrongEntry, .strayEntry])
    #expect(try fixture.engine.repairIndexes() == 2)
    try fixture.expectClean()
    #expect(try vectors(store, fixture) == [[0.5, -0.0], [1, 2], [3, 4]])
  }

  @Test func definitionsThatCannotBeAreRefused() throws {
    let fixture = try EngineFixture()
    func refusal(_ definition: IndexDefinition) -> String? {
      do {
        try fixture.engine.createIndex(definition)
        return nil
      } catch { return error.message }
    }
    let range = "The dimension of a vector index must be from 1 to 2048."
    #expect(refusal(definition(dimension: 0)) == range)
    #expect(refusal(definition(dimension: 2049)) == range)
    #expect(refusal(definition(dimension: 2048)) == nil)
    #expect(refusal(definition(dimension: 1)) == nil)
    let ofNames = IndexDefinition("c", [], vector: VectorColumn(.documentID, dimension: 2))
    #expect(refusal(ofNames) == "__name__ is no vector.")
    #expect(
      refusal(definition([IndexColumn(tags, .contains), IndexColumn(color, .contains)]))
        == "An index may not have more than one CONTAINS field.")
  }

  @Test func theLongestVectorFitsItsEntry() throws {
    let store = MemoryStore()
    let fixture = try EngineFixture(store)
    try fixture.engine.createIndex(definition(dimension: 2048))
    try fixture.set("c/a", ["m": ["v": .vector(Array(repeating: 0.1, count: 2048))]])
    try fixture.expectClean()
    var vector = Array(repeating: 0.0, count: 2048)
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: StorageKey.compositePrefix(id: 1))
    try EntryValue.readVector(into: &vector, from: cursor.value)
    #expect(vector.allSatisfy { $0 == 0.1 })
  }
}

extension StoreCursor {
  fileprivate func requireKey() throws -> [UInt8] {
    try #require(isValid)
    return key.withUnsafeBytes { Array($0) }
  }

  fileprivate func requireValue() throws -> [UInt8] {
    try #require(isValid)
    return value.withUnsafeBytes { Array($0) }
  }
}
