import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

/// No view misses a document because another view found its place empty.
@Suite struct EmptyRangeTests {
  /// Settings in which all ranges that first seeks cross are remembered.
  private static var settings: EngineSettings {
    var settings = EngineSettings()
    settings.emptyRangeInterval = 0
    return settings
  }

  private static func query(
    _ direction: SortDirection, from start: Int64? = nil
  ) -> StructuredQuery {
    StructuredQuery(
      collectionID: "c", orders: [Order(FieldPath(unchecked: ["n"]), direction)],
      start: start.map { Cursor([.integer($0)], isBefore: true) }, limit: 3)
  }

  private static func numbers(_ view: ReadView, _ query: StructuredQuery) throws -> [Int64] {
    let execution = try view.run(query)
    var numbers: [Int64] = []
    while let document = try execution.nextDocument() {
      guard case .integer(let number)? = try document.value(at: "n") else { continue }
      numbers.append(number)
    }
    return numbers
  }

  @Test(arguments: [SortDirection.ascending, .descending])
  func documentsInAFormerlyEmptyRangeAreFound(direction: SortDirection) throws {
    let fixture = try EngineFixture(settings: Self.settings)
    func isAhead(_ number: Int64) -> Int64 { direction == .ascending ? number : -number }
    for number in 1...9 as ClosedRange<Int64> {
      try fixture.set("c/\(number)", ["n": .integer(isAhead(number))])
    }
    let query = Self.query(direction)
    for number in 1...5 {
      _ = try fixture.engine.commit([.delete(ResourcePath("c/\(number)"))])
      _ = try fixture.run(query)
    }
    let old = try fixture.engine.readView()
    #expect(try Self.numbers(old, query) == [6, 7, 8].map(isAhead))
    try fixture.set("c/new", ["n": .integer(isAhead(3))])
    #expect(
      try Self.numbers(fixture.engine.readView(), query) == [3, 6, 7].map(isAhead))
    #expect(try Self.numbers(old, query) == [6, 7, 8].map(isAhead))
    // A range that an old view found empty may have documents since.
    #expect(
      try Self.numbers(fixture.engine.readView(), query) == [3, 6, 7].map(isAhead))
  }

  @Test func aViewFromBeforeADeletionStillFindsWhatWasDeleted() throws {
    let fixture = try EngineFixture(settings: Self.settings)
    for number in 1...5 as ClosedRange<Int64> {
      try fixture.set("c/\(number)", ["n": .integer(number)])
    }
    let old = try fixture.engine.readView()
    for number in 1...3 { _ = try fixture.engine.commit([.delete(ResourcePath("c/\(number)"))]) }
    let query = Self.query(.ascending)
    #expect(try Self.numbers(fixture.engine.readView(), query) == [4, 5])
    #expect(try Self.numbers(old, query) == [1, 2, 3])
  }

  /// LevelDB keeps deleted keys until it compacts, and counts none that it crosses.
  @Test(arguments: [SortDirection.ascending, .descending])
  func pagesAtTheHeadOfAQueueCrossFewDeletedKeys(direction: SortDirection) throws {
    let crossings = DeletedKeyCrossings()
    var settings = EngineSettings.uncached
    settings.scanCacheByteCount = 0
    let fixture = try EngineFixture(
      ObservedStore(MemoryStore(), observer: crossings), settings: settings)
    func set(_ number: Int64) throws {
      let value = direction == .ascending ? number : -number
      try fixture.set("c/\(number)", ["n": .integer(value)])
    }
    for number: Int64 in 0..<20 { try set(number) }
    let query = Self.query(direction)
    var counts: [Int] = []
    for number: Int64 in 0..<100 {
      _ = try fixture.engine.commit([.delete(ResourcePath("c/\(number)"))])
      try set(number + 20)
      let before = crossings.count
      _ = try fixture.run(query)
      counts.append(crossings.count - before)
    }
    // Two pages show that the head has moved.
    #expect(counts[..<3] == [1, 2, 1])
    #expect(Set(counts[3...]) == [1])
  }

  /// Queries from every place, in both directions, from the present and from kept views, between
  /// writes.
  @Test func everyViewFindsWhatItHas() throws {
    let count = GeneratedCases.count(unlessTold: 400)
    let seed = GeneratedCases.seed(count: count)
    for number in 0..<count {
      var random = SplitMix64(seed: seed &+ UInt64(number))
      let fixture = try EngineFixture(settings: Self.settings)
      var present: Set<Int64> = []
      var kept: [(view: ReadView, numbers: Set<Int64>)] = []
      for _ in 0..<60 {
        let changed = Int64.random(in: 0..<16, using: &random)
        if random.oneIn(2) {
          try fixture.set("c/\(changed)", ["n": .integer(changed)])
          present.insert(changed)
        } else {
          _ = try fixture.engine.commit([.delete(ResourcePath("c/\(changed)"))])
          present.remove(changed)
        }
        kept.append((try fixture.engine.readView(), present))
        if kept.count > 4 { kept.remove(at: Int.random(in: 0..<4, using: &random)) }
        let (view, numbers) = random.pick(kept)
        let isAscending = random.oneIn(2)
        let start = random.oneIn(2) ? nil : Int64.random(in: 0..<16, using: &random)
        let expected = numbers.filter { number in
          guard let start else { return true }
          return isAscending ? number >= start : number <= start
        }.sorted { isAscending ? $0 < $1 : $0 > $1 }.prefix(3)
        let found = try Self.numbers(
          view, Self.query(isAscending ? .ascending : .descending, from: start))
        guard found == Array(expected) else {
          Issue.record(
            "HEARTH_SEED=\(seed &+ UInt64(number)) HEARTH_CASES=1: \(found), not \(expected)")
          return
        }
      }
    }
  }
}

/// Counts the deleted keys that seeks cross, which a store keeps until it compacts.
private final class DeletedKeyCrossings: StoreObserver {
  private struct State {
    var deleted: Set<[UInt8]> = []
    var count = 0
  }

  private let state = Lock(State())

  var count: Int { state.withLock { $0.count } }

  func willPerform(_ operation: StoreOperation) {}
  func didRead(byteCount: Int) {}

  func willWrite(_ batch: StoreBatch, to store: any OrderedStore) {
    state.withLock { state in
      batch.forEach { operation, key, _ in
        if operation == .put {
          state.deleted.remove([UInt8](copying: key))
        } else {
          state.deleted.insert([UInt8](copying: key))
        }
      }
    }
  }

  func didSeek(to key: [UInt8], at found: [UInt8]?) {
    guard let found else { return }
    let isForward = key.byteCompare(found) != .greater
    let (lower, upper) = isForward ? (key, found) : (found, key)
    state.withLock { state in
      state.count += state.deleted.count { deleted in
        deleted.byteCompare(lower) != .less && deleted.byteCompare(upper) == .less
      }
    }
  }
}
