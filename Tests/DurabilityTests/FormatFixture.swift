import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthLevelDBStore
import HearthQueryPlanning

/// The contents of the small databases under `Fixtures`, one for each format that a release has
/// written.
///
/// `HEARTH_WRITE_FIXTURE=FOLDER` with `--filter writesAFixture` writes one into a new folder. Each
/// is written once, by the release that introduced its format, and never again: the test is that
/// later releases read it.
struct FormatFixture {
  /// Definitions of the composite indexes, each with a query that only this one serves.
  static let composites: [(definition: IndexDefinition, query: StructuredQuery)] = [
    (
      IndexDefinition("samples", [IndexColumn(kind, .ascending), IndexColumn(rank, .descending)]),
      StructuredQuery(
        collectionID: "samples", filter: .field(kind, .equal, "string"),
        orders: [Order(rank, .descending)])
    ),
    (
      IndexDefinition(
        "parts", [IndexColumn(kind, .ascending), IndexColumn(value, .ascending)],
        scope: .collectionGroup),
      StructuredQuery(
        collectionID: "parts", allDescendants: true, orders: [Order(kind), Order(value)])
    ),
    (
      IndexDefinition("samples", [IndexColumn(tags, .contains), IndexColumn(value, .descending)]),
      StructuredQuery(
        collectionID: "samples", filter: .field(tags, .arrayContains, "odd"),
        orders: [Order(value, .descending)])
    ),
  ]

  /// Queries that the automatic indexes, a merge of them, or the override serve.
  static let otherQueries = [
    StructuredQuery(collectionID: "samples"),
    StructuredQuery(collectionID: "samples", orders: [Order(value)]),
    StructuredQuery(collectionID: "samples", orders: [Order(value, .descending)]),
    StructuredQuery(collectionID: "samples", filter: .field(tags, .arrayContains, "even")),
    StructuredQuery(
      collectionID: "samples",
      filter: .and([.field(kind, .equal, "double"), .field(tags, .arrayContains, "odd")])),
    StructuredQuery(collectionID: "parts", below: ResourcePath(unchecked: ["samples", "map-0"])),
    StructuredQuery(collectionID: "parts", allDescendants: true),
    StructuredQuery(collectionID: "parts", allDescendants: true, orders: [Order(rank)]),
  ]

  /// A query that the override leaves without an index, so that it is refused.
  static let refusedQuery = StructuredQuery(
    collectionID: "parts", below: ResourcePath(unchecked: ["samples", "map-0"]),
    orders: [Order(rank, .descending)])

  static let overrideIndexes = [SingleFieldIndex(.ascending, scope: .collectionGroup)]

  private static let kind = FieldPath(unchecked: ["kind"])
  static let rank = FieldPath(unchecked: ["rank"])
  private static let tags = FieldPath(unchecked: ["tags"])
  private static let value = FieldPath(unchecked: ["value"])

  /// Returns every document, sorted by path.
  static func documents() throws -> [(path: ResourcePath, fields: MapValue)] {
    var documents: [(path: ResourcePath, fields: MapValue)] = []
    for (kind, values) in try FixtureValues.byKind() {
      for (index, value) in values.enumerated() {
        let path = ResourcePath(unchecked: ["samples", "\(kind)-\(index)"])
        documents.append((path, fields(kind, index, value)))
        if index == 0 {
          let part = path.appending(unchecked: "parts").appending(unchecked: "\u{E9}")
          documents.append((part, fields(kind, index + 1, .array([value == .null ? 1 : .null]))))
        }
      }
    }
    return documents.sorted { $0.path < $1.path }
  }

  private static func fields(_ kind: String, _ index: Int, _ value: Value) -> MapValue {
    [
      "kind": .string(kind), "rank": .integer(Int64(index)), "value": value,
      "tags": [.string(index % 2 == 0 ? "even" : "odd"), .integer(Int64(index))],
      "nested": ["deep": ["value": value], "dotted.name": .boolean(index == 0)],
    ]
  }

  // MARK: Writing

  /// Writes a database into a new folder, in two sessions, so that it has tables and a log, and
  /// keys that were replaced and deleted.
  static func write(to folder: String) throws {
    let documents = try documents()
    let first = try Engine(LevelDBStore.open(folder: folder).store)
    for document in documents {
      _ = try first.commit([.set(document.path, ["value": "as it was", "tags": ["odd"]])])
    }
    for number in 0..<5 {
      let path = ResourcePath(unchecked: ["samples", "deleted-\(number)", "parts", "1"])
      _ = try first.commit([.set(path, ["rank": .integer(Int64(number))])])
    }
    try first.createIndex(composites[0].definition)
    try first.createIndex(composites[1].definition)
    try first.compact()
    try first.close()

    let second = try Engine(LevelDBStore.open(folder: folder).store)
    try second.setOverride("parts", rank, overrideIndexes)
    for document in documents { _ = try second.commit([.set(document.path, document.fields)]) }
    for number in 0..<5 {
      let path = ResourcePath(unchecked: ["samples", "deleted-\(number)", "parts", "1"])
      _ = try second.commit([.delete(path)])
    }
    try second.createIndex(composites[2].definition)
    try second.close()
  }
}
