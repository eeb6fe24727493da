import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Hearth
import HearthLevelDBStore
import HearthOrderedStore
import HearthStorageFormat
import TestSupport

/// A database of tasks of about 400 bytes. Their fields have no indexes of their own: the run
/// measures composite indexes.
struct TaskDatabase {
  static let group = "tasks"
  static let userCount = 1000
  static let byUser = IndexDefinition(
    group,
    [
      IndexColumn(FieldPath(unchecked: ["userId"]), .ascending),
      IndexColumn(FieldPath(unchecked: ["createdTime"]), .descending),
    ])
  /// The index that is built.
  static let byPriority = IndexDefinition(
    group,
    [
      IndexColumn(FieldPath(unchecked: ["userId"]), .ascending),
      IndexColumn(FieldPath(unchecked: ["priority"]), .ascending),
      IndexColumn(FieldPath(unchecked: ["createdTime"]), .ascending),
    ])

  let store: LevelDBStore
  let documentCount: Int

  static func path(_ number: Int) -> ResourcePath {
    ResourcePath(unchecked: [group, "t\(UInt64(number) &* 0x9E37_79B9_7F4A_7C15)"])
  }

  static func write(_ number: Int, _ random: inout SplitMix64) -> Write {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    func text(_ count: Int) -> String {
      String(decoding: (0..<count).map { _ in random.pick(alphabet) }, as: UTF8.self)
    }
    let fields: MapValue = [
      "title": .string(text(40)), "priority": .integer(.random(in: 0...2, using: &random)),
      "completed": .boolean(random.oneIn(2)),
      "createdTime": .integer(Int64(1_700_000_000 + number)),
      "userId": .string("user\(Int.random(in: 0..<userCount, using: &random))"),
      "listId": .string("list\(Int.random(in: 0..<5000, using: &random))"),
      "tags": .array((0..<Int.random(in: 0...3, using: &random)).map { _ in .string(text(6)) }),
      "body": .string(text(220)),
    ]
    return .set(path(number), fields)
  }

  /// Creates the database in `folder`, with the index by user.
  init(in folder: TemporaryFolder, documentCount: Int) throws {
    self.documentCount = documentCount
    let path = folder.path(of: "database")
    // The loaded documents are durable with the close.
    var options = LevelDBOptions()
    options.isDurable = false
    let loading = try Engine(LevelDBStore.open(folder: path, options: options).store)
    try loading.setOverride(Self.group, nil, [])
    try loading.createIndex(Self.byUser)
    var random = SplitMix64(seed: 1)
    for start in stride(from: 0, to: documentCount, by: 500) {
      _ = try loading.commit(
        (start..<min(start + 500, documentCount)).map { Self.write($0, &random) })
    }
    try loading.compact()
    try loading.close()
    store = try LevelDBStore.open(folder: path).store
  }

  /// Returns all entries of an index, each key without the index's id, one after the other.
  func entries(of definition: IndexDefinition, in catalog: Catalog) throws -> [UInt8] {
    guard let index = catalog.indexes.composites.first(where: { $0.definition == definition })
    else { return [] }
    let range = KeyRange.prefix(StorageKey.compositePrefix(id: index.id))
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: range.lower)
    var bytes: [UInt8] = []
    while cursor.isValid, cursor.key.compare(range.upper.span.bytes) == .less {
      bytes += [UInt8](copying: cursor.key).dropFirst(range.lower.count)
      bytes += [UInt8](copying: cursor.value)
      try cursor.next()
    }
    try cursor.checkReads()
    return bytes
  }
}

/// Returns a time as it is printed.
func text(_ duration: Duration) -> String { "\((duration / .milliseconds(1)).rounded() / 1000) s" }
