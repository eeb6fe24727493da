import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import TestSupport
import Testing

/// Policies and sweeps (§3.9).
@Suite struct TimeToLiveTests {
  private let field = FieldPath(unchecked: ["end"])

  private func time(_ seconds: Int64) throws -> Timestamp {
    try Timestamp(microseconds: seconds * 1_000_000)
  }

  private func end(_ seconds: Int64) throws -> MapValue {
    ["end": .timestamp(try time(seconds))]
  }

  private func sweep(_ engine: Engine, at seconds: Int64, limit: Int = 100) throws -> Int {
    var sweep = TimeToLiveSweep(engine, documentCountLimit: limit)
    var count = 0
    while true {
      let advance = try sweep.step(at: time(seconds))
      guard !advance.isDone else { return count }
      count += advance.documentCount
    }
  }

  private func policies(_ engine: Engine) throws -> [TimeToLive] {
    try engine.readView().catalog.timesToLive
  }

  private func names(_ engine: Engine, _ collection: String = "c") throws -> [String] {
    var names: [String] = []
    try engine.readView().forEachDocumentPath(in: ResourcePath(collection)) { path in
      names.append(path.lastSegment ?? "")
      return true
    }
    return names
  }

  @Test func aPolicyThatIsRemovedWhileItIsBuiltIsCancelled() throws {
    let engine = try EngineFixture(settings: .building(1)).engine
    for number in 0..<3 { _ = try engine.commit([.set(ResourcePath("c/\(number)"), ["end": 1])]) }
    var isRemoved = false
    let text = message {
      try engine.setTimeToLive("c", field) { _ in
        guard !isRemoved else { return }
        isRemoved = true
        #expect(throws: Never.self) { try engine.removeTimeToLive("c", field) }
      }
    }
    #expect(text == "The time to live of c by end was removed before its index was built.")
    let build = try #require(try engine.builds.list().last)
    #expect(build.state == .cancelled)
    #expect(build.subject == .timeToLive(collectionGroup: "c", field: field))
  }

  @Test func pastTimesGoAndAllElseStays() throws {
    let fixture = try EngineFixture()
    try fixture.set("c/before", end(99))
    try fixture.set("c/at", end(100))
    try fixture.set("c/after", end(101))
    try fixture.set("c/none", [:])
    try fixture.set("c/text", ["end": "1970-01-01"])
    try fixture.set("c/list", ["end": .array([.timestamp(try time(1))])])
    try fixture.set("d/before", end(99))
    try fixture.engine.setTimeToLive("c", field)
    try fixture.set("c/new", end(5))
    try fixture.set("x/y/c/deep", end(6))
    try fixture.set("c/before/kept/below", end(7))
    #expect(try sweep(fixture.engine, at: 100) == 3)
    #expect(try names(fixture.engine) == ["after", "at", "list", "none", "text"])
    #expect(try fixture.fields("x/y/c/deep") == nil)
    #expect(try fixture.fields("c/before/kept/below") != nil)
    #expect(try fixture.fields("d/before") != nil)
    try fixture.expectClean()
  }

  @Test func offsetCountsAndCanBeChanged() throws {
    let fixture = try EngineFixture()
    try fixture.engine.setTimeToLive("c", field, offsetSeconds: 1000)
    try fixture.set("c/a", end(100))
    #expect(try sweep(fixture.engine, at: 1100) == 0)
    #expect(try sweep(fixture.engine, at: 1101) == 1)
    try fixture.set("c/a", end(100))
    try fixture.engine.setTimeToLive("c", field, offsetSeconds: 2_147_483_647)
    #expect(try sweep(fixture.engine, at: 2_147_483_747) == 0)
    #expect(try sweep(fixture.engine, at: 2_147_483_748) == 1)
    #expect(try policies(fixture.engine).map(\.offsetSeconds) == [2_147_483_647])
  }

  @Test func oldestGoFirstSomeInEachStep() throws {
    let fixture = try EngineFixture()
    try fixture.engine.setTimeToLive("c", field)
    for number in 0..<10 { try fixture.set("c/\(number)", end(Int64(100 - number))) }
    var sweep = TimeToLiveSweep(fixture.engine, documentCountLimit: 4)
    #expect(try sweep.step(at: time(1000)).documentCount == 4)
    #expect(try names(fixture.engine) == ["0", "1", "2", "3", "4", "5"])
    #expect(try sweep.step(at: time(1000)).documentCount == 4)
    #expect(try sweep.step(at: time(1000)).documentCount == 2)
    #expect(try sweep.step(at: time(1000)).isDone)
    #expect(try names(fixture.engine).isEmpty)
    try fixture.expectClean()
  }

  @Test func mistakesAreRefused() throws {
    let engine = try EngineFixture().engine
    try engine.setTimeToLive("c", field)
    try engine.setTimeToLive("c", field)
    let other = FieldPath(unchecked: ["other"])
    #expect(code { try engine.setTimeToLive("c", other) } == .failedPrecondition)
    #expect(code { try engine.setTimeToLive("c/d", field) } == .invalidArgument)
    #expect(code { try engine.setTimeToLive("d", .documentID) } == .invalidArgument)
    #expect(code { try engine.setTimeToLive("d", field, offsetSeconds: -1) } == .invalidArgument)
    #expect(
      code { try engine.setTimeToLive("d", field, offsetSeconds: 2_147_483_648) }
        == .invalidArgument)
    #expect(code { try engine.removeTimeToLive("c", other) } == .notFound)
    try engine.removeTimeToLive("c", field)
    try engine.setTimeToLive("c", other)
    #expect(try policies(engine).map(\.field) == [other])
  }

  @Test func removedPolicyLeavesNothing() throws {
    let fixture = try EngineFixture()
    try fixture.set("c/a", end(1))
    let before = try storedKeys(fixture.store)
    try fixture.engine.setTimeToLive("c", field)
    #expect(try storedKeys(fixture.store) != before)
    try fixture.engine.removeTimeToLive("c", field)
    #expect(try storedKeys(fixture.store) == before)
    #expect(try sweep(fixture.engine, at: 1000) == 0)
    try fixture.expectClean()
  }

  @Test func policyIsThereAfterReopening() throws {
    let fixture = try EngineFixture()
    try fixture.set("c/a", end(1))
    try fixture.engine.setTimeToLive("c", field, offsetSeconds: 7)
    let again = try EngineFixture(fixture.store)
    #expect(try policies(again.engine).map(\.offsetSeconds) == [7])
    #expect(try policies(again.engine).map(\.state) == [.ready])
    #expect(try sweep(again.engine, at: 1000) == 1)
  }

  @Test func queriesAreNotServedByIt() throws {
    let fixture = try EngineFixture()
    try fixture.engine.setOverride("c", field, [])
    try fixture.engine.setTimeToLive("c", field)
    let query = StructuredQuery(
      collectionID: "c", filter: .field(field, .lessThan, .timestamp(try time(5))))
    #expect(code { _ = try fixture.names(query) } == .failedPrecondition)
  }

  @Test func documentThatWasGivenAnotherTimeStays() throws {
    let fixture = try EngineFixture()
    try fixture.engine.setTimeToLive("c", field)
    try fixture.set("c/a", end(1))
    // Left by a fault: the entry says that a document is due, which isn't.
    let entry = try #require(try storedEntries(fixture.store).first { $0.key.first == 0x69 })
    try fixture.set("c/a", end(5000))
    var batch = StoreBatch()
    batch.put(entry.key, entry.value)
    try fixture.store.write(batch)
    let engine = try EngineFixture(fixture.store).engine
    #expect(try sweep(engine, at: 1000) == 0)
    #expect(try !engine.verify().isClean)
    #expect(try engine.repairIndexes() == 1)
    #expect(try sweep(engine, at: 6000) == 1)
  }

  @Test func damagedDocumentStaysAndTheRestGoes() throws {
    let fixture = try EngineFixture()
    try fixture.engine.setTimeToLive("c", field)
    for number in 0..<5 { try fixture.set("c/\(number)", end(Int64(number))) }
    let record = try #require(try storedEntries(fixture.store).first { $0.key.first == 0x64 })
    var batch = StoreBatch()
    batch.put(record.key, [0xFF])
    try fixture.store.write(batch)
    let engine = try EngineFixture(fixture.store).engine
    var sweep = TimeToLiveSweep(engine, documentCountLimit: 2)
    let first = try sweep.step(at: time(1000))
    #expect(first.documentCount == 1 && first.error?.code == .dataLoss)
    #expect(try sweep.step(at: time(1000)).documentCount == 2)
    #expect(try sweep.step(at: time(1000)).documentCount == 1)
    #expect(try sweep.step(at: time(1000)).isDone)
  }

  private func storedEntries(
    _ store: any OrderedStore
  ) throws -> [(key: [UInt8], value: [UInt8])] {
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: [])
    var entries: [(key: [UInt8], value: [UInt8])] = []
    while cursor.isValid {
      entries.append((Array(copying: cursor.key), Array(copying: cursor.value)))
      try cursor.next()
    }
    return entries
  }

  private func storedKeys(_ store: any OrderedStore) throws -> [[UInt8]] {
    try storedEntries(store).map(\.key)
  }
}
