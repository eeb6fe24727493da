import Hearth
import HearthQueryPlanning
import Testing

@Suite struct PartitionTests {
  private let database: Database

  /// Creates two collections of the group `items`, and one that is not part of it.
  init() throws {
    database = try Database.inMemory()
    for parent in ["shops/a", "shops/b"] {
      for start in stride(from: 0, to: 1000, by: 500) {
        var batch = database.batch()
        for number in start..<start + 500 {
          batch.setData(["n": 1], for: try database.document("\(parent)/items/\(number)"))
        }
        try batch.commit()
      }
    }
    try database.document("shops/a/other/x").setData([:])
  }

  @Test func partsAreTheWholeGroup() throws {
    let items = try database.collectionGroup("items")
    let all = try items.getDocuments().documents.map(\.reference.path)
    #expect(all.count == 2000)
    for count in [1, 2, 4] {
      let parts = try items.partitions(count)
      #expect(parts.count == count)
      let found = try parts.map { try $0.getDocuments().documents.map(\.reference.path) }
      #expect(found.flatMap { $0 } == all)
      #expect(found.allSatisfy { $0.count * count > 500 })
    }
  }

  @Test func asynchronously() async throws {
    let items = try database.collectionGroup("items")
    let parts = try await items.partitions(3)
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for part in parts { group.addTask { try await part.count() } }
      return try await group.reduce(0, +)
    }
    #expect(counts == 2000)
    let ofSnapshot = try await database.snapshot().partitions(3, of: items)
    #expect(ofSnapshot.map(\.structuredQuery) == parts.map(\.structuredQuery))
  }

  @Test func aSmallGroupIsOnePart() throws {
    #expect(try database.collectionGroup("other").partitions(8).count == 1)
    #expect(try database.collectionGroup("none").partitions(8).count == 1)
  }

  @Test func otherQueriesAreRefused() throws {
    let items = try database.collectionGroup("items")
    let count = "Partition count must be greater than zero."
    #expect(failure { _ = try items.partitions(0) }?.message == count)
    #expect(failure { _ = try items.partitions(.min) }?.message == count)
    #expect(code { _ = try items.limit(to: 5).partitions(2) } == .invalidArgument)
    #expect(code { _ = try items.limit(toLast: 5).partitions(2) } == .invalidArgument)
    #expect(code { _ = try items.order(by: "n").partitions(2) } == .failedPrecondition)
    let collection = try database.collection("shops/a/items").query
    #expect(code { _ = try collection.partitions(2) } == .invalidArgument)
  }

  @Test func aSnapshotIsDividedAsItWas() throws {
    let items = try database.collectionGroup("items")
    let snapshot = try database.snapshot()
    let before = try items.partitions(4).map(\.structuredQuery)
    for start in stride(from: 0, to: 1000, by: 500) {
      var batch = database.batch()
      for number in start..<start + 500 {
        batch.delete(try database.document("shops/a/items/\(number)"))
      }
      try batch.commit()
    }
    #expect(try items.partitions(4).map(\.structuredQuery) != before)
    #expect(try snapshot.partitions(4, of: items).map(\.structuredQuery) == before)
    let parts = try snapshot.partitions(4, of: items)
    #expect(try parts.map { try snapshot.count($0) }.reduce(0, +) == 2000)
    let other = try Database.inMemory()
    #expect(code { _ = try other.snapshot().partitions(4, of: items) } == .invalidArgument)
  }
}
