import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Foundation
import HearthLevelDBStore
import HearthOrderedStore
import HearthQueryPlanning
import HearthStorageFormat
import TestSupport
import Testing

/// A closed database whose documents are on several levels of tables and in a log, with versions
/// that were replaced and deleted. Tests damage copies of it.
final class LayeredDatabase: Sendable {
  static let composites = [
    IndexDefinition(
      "c",
      [
        IndexColumn(FieldPath(unchecked: ["kind"]), .ascending),
        IndexColumn(FieldPath(unchecked: ["n"]), .descending),
      ]),
    IndexDefinition(
      "parts",
      [
        IndexColumn(FieldPath(unchecked: ["kind"]), .ascending),
        IndexColumn(FieldPath(unchecked: ["n"]), .ascending),
      ], scope: .collectionGroup),
  ]

  static let counted = KeptCounts.Definition("c", [FieldPath(unchecked: ["kind"])])

  let path: String
  /// The contents of the database.
  let documents: [ResourcePath: Document]
  let answers: [[ResourcePath]]
  private let collectionNumbers: [ResourcePath: UInt64]
  /// Names and bytes of the tables, sorted by name.
  let tables: [(name: String, bytes: [UInt8])]
  private let folder: TemporaryFolder

  /// - Parameter count: the approximate number of documents.
  init(documentCount count: Int, seed: UInt64) throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "whole")
    try Self.write(to: path, count, seed)
    // To open it would leave no record in the log.
    let read = folder.path(of: "read")
    try FileManager.default.copyItem(atPath: path, toPath: read)
    (documents, answers) = try (Self.documents(at: read), Self.answers(at: read))
    collectionNumbers = try Self.collectionNumbers(of: documents.keys, at: read)
    tables = try Self.tables(in: path + "/store")
  }

  /// Returns a salvage's name for a document when the path of its collection is lost.
  func words(for path: ResourcePath) -> String {
    "document \(path.lastSegment ?? "") of collection \(collectionNumbers[path.parent] ?? 0)"
  }

  /// Returns the tables that count: a compaction may have left its inputs in the folder.
  private static func tables(in store: String) throws -> [(name: String, bytes: [UInt8])] {
    func bytes(of name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: store + "/" + name)))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: store).sorted()
    let manifest = try bytes(of: try #require(names.last { $0.hasPrefix("MANIFEST-") }))
    let numbers = ManifestReading(manifest).tableNumbers
    return try names.filter { name in
      name.hasSuffix(".ldb") && UInt64(name.dropLast(4)).map(numbers.contains) ?? false
    }
    .map { ($0, try bytes(of: $0)) }
  }

  // MARK: Writing

  private static func write(to path: String, _ count: Int, _ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    try session(path) { engine in
      for definition in composites { try engine.createIndex(definition) }
      try engine.setOverride(
        "c", FieldPath(unchecked: ["text"]), [SingleFieldIndex(.ascending, scope: .collection)])
      try engine.keepCounts(counted)
      try engine.setCovering(true, of: composites[1])
      try change(engine, Array(0..<count), round: 1, &generator)
      try engine.compact()
      try change(engine, Array(stride(from: 0, to: count, by: 3)), round: 2, &generator)
    }
    try session(path) { engine in
      try change(engine, Array(stride(from: 0, to: count, by: 7)), round: 3, &generator)
      try change(engine, Array(count..<count + count / 10), round: 4, &generator)
      // Written again after their deletion, with other numbers.
      try change(engine, Array(stride(from: 0, to: count, by: 11)), round: 5, &generator)
    }
    try session(path) { engine in
      let numbers = Array(stride(from: 1, to: count, by: 31))
      try change(engine, numbers, round: 6, batchCount: 2, &generator)
    }
  }

  private static func session(_ path: String, _ body: (Engine) throws -> Void) throws {
    var options = LevelDBOptions()
    options.isDurable = false
    options.writeBufferByteCount = 64 << 10
    options.blockByteCount = 2048
    let engine = try Engine(LevelDBStore.open(folder: path, options: options).store)
    try body(engine)
    try engine.close()
  }

  /// Sets most of the documents, and deletes one in eight after the first round.
  private static func change(
    _ engine: Engine, _ numbers: [Int], round: Int64, batchCount: Int = 40,
    _ generator: inout SplitMix64
  ) throws {
    var writes: [Write] = []
    for number in numbers {
      var path = ResourcePath(unchecked: ["c", "\(number)"])
      if number % 4 == 3 { path = path.appending(unchecked: "parts").appending(unchecked: "p") }
      if round > 1, generator.oneIn(8) {
        writes.append(.delete(path))
      } else {
        let length = generator.oneIn(40) ? 5000 : Int.random(in: 0..<200, using: &generator)
        let text = String(repeating: "\(number) ", count: length / 5)
        writes.append(
          .set(
            path,
            [
              "kind": .string("kind-\(number % 5)"), "n": .integer(Int64(number)),
              "round": .integer(round), "tags": [.integer(round), .integer(Int64(number % 10))],
              "text": .string(text),
            ]))
      }
      if writes.count == batchCount {
        _ = try engine.commit(writes)
        writes.removeAll()
      }
    }
    _ = try engine.commit(writes)
  }

  // MARK: Reading

  static let queries: [StructuredQuery] = [
    StructuredQuery(collectionID: "c"),
    StructuredQuery(
      collectionID: "c", filter: .field(FieldPath(unchecked: ["kind"]), .equal, "kind-1"),
      orders: [Order(FieldPath(unchecked: ["n"]), .descending)]),
    StructuredQuery(
      collectionID: "parts", allDescendants: true,
      filter: .field(FieldPath(unchecked: ["kind"]), .equal, "kind-2"),
      orders: [Order(FieldPath(unchecked: ["n"]))]),
    StructuredQuery(
      collectionID: "c", filter: .field(FieldPath(unchecked: ["tags"]), .arrayContains, 3)),
    StructuredQuery(collectionID: "c", orders: [Order(FieldPath(unchecked: ["round"]))]),
  ]

  static func documents(at path: String) throws -> [ResourcePath: Document] {
    let engine = try Engine(LevelDBStore.open(folder: path).store)
    let documents = try documents(in: engine)
    try engine.close()
    return documents
  }

  private static func documents(in engine: Engine) throws -> [ResourcePath: Document] {
    var documents: [ResourcePath: Document] = [:]
    for query in [
      StructuredQuery(collectionID: "c"),
      StructuredQuery(collectionID: "parts", allDescendants: true),
    ] {
      let execution = try engine.readView().run(query)
      while let record = try execution.nextDocument() {
        documents[record.path] = try record.document()
      }
    }
    return documents
  }

  private static func collectionNumbers(
    of documents: some Sequence<ResourcePath>, at path: String
  ) throws -> [ResourcePath: UInt64] {
    let (store, _) = try LevelDBStore.open(folder: path)
    let snapshot = try store.makeSnapshot()
    var numbers: [ResourcePath: UInt64] = [:]
    for collection in Set(documents.map(\.parent)) {
      let value = try #require(try snapshot.value(of: StorageKey.collection(collection)))
      numbers[collection] = try StorageKey.number(of: value.span.bytes)
    }
    try store.close()
    return numbers
  }

  static func answers(at path: String) throws -> [[ResourcePath]] {
    let engine = try Engine(LevelDBStore.open(folder: path).store)
    let answers = try queries.map { try answer(to: $0, engine) }
    try engine.close()
    return answers
  }

  static func answer(to query: StructuredQuery, _ engine: Engine) throws -> [ResourcePath] {
    let execution = try engine.readView().run(query)
    var paths: [ResourcePath] = []
    while let record = try execution.nextDocument() { paths.append(record.path) }
    return paths
  }

  // MARK: Copies

  /// Copies the files with some of them changed.
  ///
  /// - Parameter bytes: the contents of changed files in the copy, by their names in the folder
  ///   `store`; a file with `nil` is left out.
  func copy(changing bytes: [String: [UInt8]?]) throws -> String {
    let copy = folder.path(of: "copy-\(UUID().uuidString)")
    let files = FileManager.default
    try files.createDirectory(atPath: copy + "/store", withIntermediateDirectories: true)
    try files.copyItem(atPath: path + "/FORMAT", toPath: copy + "/FORMAT")
    for name in try files.contentsOfDirectory(atPath: path + "/store") {
      let (old, new) = (path + "/store/" + name, copy + "/store/" + name)
      if let changed = bytes[name] {
        if let changed { try Data(changed).write(to: URL(fileURLWithPath: new)) }
      } else if name.hasSuffix(".ldb") {
        // Tables are never changed, only removed.
        try files.linkItem(atPath: old, toPath: new)
      } else {
        try files.copyItem(atPath: old, toPath: new)
      }
    }
    return copy
  }

  func remove(_ copy: String) throws { try FileManager.default.removeItem(atPath: copy) }
}
