import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

/// Documents that move to another place in a scan that is kept as a bitmap.
@Suite struct MovedEntryTests {
  private static func field(_ name: String) -> FieldPath { FieldPath(unchecked: [name]) }

  private static func document(_ number: Int, at time: Int) -> Write {
    .set(
      ResourcePath(unchecked: ["t", "d\(10_000 + number)"]),
      [
        "a": .integer(Int64(number % 60)), "b": 2, "c": .integer(Int64(time)),
      ])
  }

  private func names(_ query: StructuredQuery, _ engine: Engine) throws -> [String] {
    let execution = try engine.readView().run(query)
    var names: [String] = []
    while let document = try execution.nextDocument() { names.append(document.path.description) }
    return names
  }

  @Test(arguments: [IndexMode.ascending, .descending])
  func stayInTheScan(_ mode: IndexMode) throws {
    let engine = try Engine(MemoryStore())
    for start in stride(from: 0, to: 3000, by: 500) {
      _ = try engine.commit((start..<start + 500).map { Self.document($0, at: 10_000 + $0) })
    }
    for name in ["a", "b"] {
      try engine.createIndex(
        IndexDefinition(
          "t",
          [IndexColumn(Self.field(name), .ascending), IndexColumn(Self.field("c"), mode)]))
    }
    let query = StructuredQuery(
      collectionID: "t",
      filter: .and([.field(Self.field("a"), .equal, 7), .field(Self.field("b"), .equal, 2)]),
      orders: [Order(Self.field("c"), mode == .ascending ? .ascending : .descending)])
    let all = try names(query, engine)
    #expect(all.count == 50)
    for _ in 0..<40 { #expect(try names(query, engine) == all) }
    let execution = try engine.readView().run(query)
    while try execution.nextEntry() {}
    #expect(execution.statistics.testCount > 0, "a bitmap is asked")
    // To the front, and to the end.
    for (number, time) in [(7 + 60 * 20, 1), (7 + 60 * 10, 90_000)] {
      _ = try engine.commit([Self.document(number, at: time)])
      #expect(try names(query, engine).sorted() == all.sorted())
    }
  }
}
