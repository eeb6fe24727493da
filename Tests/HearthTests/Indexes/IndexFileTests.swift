import Foundation
import Hearth
import Testing

/// Index files of five well-known shapes, applied to databases and exported from them.
@Suite struct IndexFileTests {
  static let names = ["chat", "shop", "feed", "search", "deliveries"]

  /// Returns a database with a document that has entries in many of the indexes.
  private func database() throws -> Database {
    let database = try Database.inMemory()
    for group in ["rooms", "messages", "products", "orders", "posts", "passages", "stops"] {
      try database.collection(group).document("1").setData([
        "threadId": 1, "sentAt": 2, "category": "x", "price": 3, "tags": ["a", "b"],
        "rating": 4, "memberIds": ["p"], "lastMessageAt": 5, "likes": 6, "done": false,
        "sequence": 7, "publishedAt": 8, "language": "de", "source": "s", "status": "new",
      ])
    }
    return database
  }

  private func file(_ name: String) throws -> IndexFile {
    let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/index-files")
    let data = try Data(contentsOf: fixtures.appending(path: "\(name).json"))
    return try IndexFile(text: String(decoding: data, as: UTF8.self))
  }

  /// A file that is applied leaves no difference, and the exported file is the same again
  /// elsewhere.
  @Test(arguments: names) func roundTripLeavesNoDifference(_ name: String) throws {
    let file = try file(name)
    let first = try database()
    let plan = try first.indexes.plan(for: file, prunes: true)
    #expect(plan.created.count == file.composites.count)
    try first.indexes.apply(plan)
    #expect(try first.indexes.plan(for: file, prunes: true).steps == [])
    #expect(try first.indexes.list().allSatisfy { $0.state == .ready })
    #expect(try first.verify().problemCount == 0)

    let text = try first.indexes.file().text
    let second = try database()
    let exported = try IndexFile(text: text)
    try second.indexes.apply(try second.indexes.plan(for: exported))
    #expect(try second.indexes.file().text == text)
    #expect(try second.indexes.plan(for: file, prunes: true).steps == [])
    #expect(try first.indexes.plan(for: exported, prunes: true).steps == [])
    #expect(exported.sorted.text == text)
  }

  /// From one shape to another, and no index of the first is left.
  @Test func pruningLeavesOnlyTheFile() throws {
    let database = try database()
    for name in Self.names + ["chat"] {
      let file = try file(name)
      try database.indexes.apply(try database.indexes.plan(for: file, prunes: true))
      #expect(try database.indexes.plan(for: file, prunes: true).steps == [])
      let present = try database.indexes.file()
      #expect(present.composites.count == file.composites.count)
      #expect(present.overrides.map(\.name) == file.sorted.overrides.map(\.name))
    }
    #expect(try database.verify().problemCount == 0)
    try database.indexes.apply(try database.indexes.plan(for: IndexFile(), prunes: true))
    #expect(try database.indexes.file().isEmpty)
  }

  /// Without pruning, indexes that the file lacks are kept and reported.
  @Test func keepsWhatTheFileLacks() throws {
    let database = try database()
    try database.indexes.apply(try database.indexes.plan(for: file("chat")))
    let plan = try database.indexes.plan(for: file("search"))
    #expect(try plan.kept == database.indexes.file())
    try database.indexes.apply(plan)
    #expect(
      try database.indexes.list().count
        == file("chat").composites.count + file("search").composites.count)
  }

  /// A step that fails leaves the steps before it; the rest is done when its cause is gone.
  @Test func brokenOffItGoesOn() throws {
    let database = try Database.inMemory()
    let many = (0..<41_000).map { Value.integer(Int64($0)) }
    try database.indexes.setOverride([], of: FieldPath("list"), in: "c")
    let document = try database.collection("c").document("1")
    try document.setData(["list": .array(many), "n": 1])
    let n = IndexColumn(try FieldPath("n"), .ascending)
    let list = IndexColumn(try FieldPath("list"), .contains)
    let field = FieldIndexes(
      collectionGroup: "c", field: try FieldPath("n"), indexes: [SingleFieldIndex(.ascending)])
    let file = IndexFile(
      composites: [IndexDefinition("c", [n, list])],
      overrides: try database.indexes.file().overrides + [field])
    let plan = try database.indexes.plan(for: file)
    #expect(plan.steps.count == 2)
    #expect(throws: DatabaseError.self) { try database.indexes.apply(plan) }
    #expect(try database.indexes.plan(for: file).steps.count == 1)
    #expect(try database.indexes.list().isEmpty)
    try document.setData(["list": [1], "n": 1])
    try database.indexes.apply(try database.indexes.plan(for: file))
    #expect(try database.indexes.plan(for: file).steps == [])
  }

  /// The part of a file that another tool has applied counts as done.
  @Test func changesThatAnotherToolHasAppliedCountAsDone() throws {
    let database = try database()
    try database.indexes.apply(try database.indexes.plan(for: file("chat")))
    let (a, b) = (try FieldPath("a"), try FieldPath("b"))
    let old = IndexDefinition("old", [IndexColumn(a, .ascending), IndexColumn(b, .ascending)])
    try database.indexes.create(old)
    try database.indexes.setOverride([], of: a, in: "old")
    try database.timesToLive.set(b, in: "old")
    let plan = try database.indexes.plan(for: file("search"), prunes: true)
    func has(_ isIt: (IndexFilePlan.Step) -> Bool) -> Bool { plan.steps.contains(where: isIt) }
    #expect(has { if case .create = $0 { true } else { false } })
    #expect(has { if case .drop(old) = $0 { true } else { false } })
    #expect(has { if case .revert = $0 { true } else { false } })
    #expect(has { if case .disableTimeToLive = $0 { true } else { false } })
    for _ in 0..<2 { try database.indexes.apply(plan) }
    #expect(try database.indexes.plan(for: file("search"), prunes: true).steps == [])
  }

  @Test func redundantIndexesAreTold() throws {
    let database = try Database.inMemory()
    let a = IndexColumn(try FieldPath("a"), .ascending)
    let b = IndexColumn(try FieldPath("b"), .ascending)
    let wide = IndexDefinition("c", [a, b], scope: .collectionGroup)
    try database.indexes.create(IndexDefinition("c", [a, b]))
    #expect(try database.indexes.redundant() == [])
    try database.indexes.create(wide)
    let redundant = try database.indexes.redundant()
    #expect(redundant.map(\.definition) == [IndexDefinition("c", [a, b])])
    #expect(redundant.map(\.replacements) == [[wide]])
    #expect(redundant.allSatisfy { $0.isWhole && $0.isDroppable })
  }
}
