import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthStorageFormat
import Testing

/// Documents that an engine notes and that the next engine over the same store reads back.
@Suite struct WarmStartTests {
  private let store = MemoryStore()

  private func fixture(documentByteCount: Int = 4 << 20) throws -> EngineFixture {
    var settings = EngineSettings()
    settings.documentCacheByteCount = documentByteCount
    return try EngineFixture(store, settings: settings)
  }

  private func write(_ count: Int, to fixture: EngineFixture) throws {
    for start in stride(from: 0, to: count, by: 500) {
      _ = try fixture.engine.commit(
        (start..<min(start + 500, count)).map {
          .set(try ResourcePath("c/\($0)"), ["n": .integer(Int64($0))])
        })
    }
  }

  private func read(_ numbers: some Sequence<Int>, from fixture: EngineFixture) throws {
    for number in numbers {
      #expect(try fixture.fields("c/\(number)") == ["n": .integer(Int64(number))])
    }
  }

  /// Takes all steps, and returns their number.
  @discardableResult
  private func warmUp(_ warmStart: WarmStart) throws -> Int {
    var count = 1
    while try warmStart.step() { count += 1 }
    return count
  }

  private func keptCount(_ fixture: EngineFixture) -> Int {
    fixture.engine.documentCacheStatistics?.documentCount ?? 0
  }

  /// Reads some documents, and notes them.
  private func leaveNote(of numbers: some Sequence<Int>) throws {
    let fixture = try fixture()
    try write(2000, to: fixture)
    try read(numbers, from: fixture)
    let warmStart = WarmStart(fixture.engine)
    try warmUp(warmStart)
    try warmStart.note()
  }

  @Test func documentsThatWereReadAreReadBack() throws {
    let hot = stride(from: 0, to: 2000, by: 2)
    try leaveNote(of: hot)
    let next = try fixture()
    #expect(keptCount(next) == 0)
    // Sixteen steps of at most 64 documents, and one that finds no other record.
    #expect(try warmUp(WarmStart(next.engine)) == 17)
    #expect(keptCount(next) == 1000)
    try read(hot, from: next)
    let statistics = try #require(next.engine.documentCacheStatistics)
    #expect(statistics.hitCount == 1000 && statistics.missCount == 0)
    try next.expectClean()
  }

  @Test func documentsReadByNameAreFoundWithoutASearch() throws {
    try leaveNote(of: 0..<10)
    let next = try fixture()
    try warmUp(WarmStart(next.engine))
    // The engine's own way to a document asks the caches alone.
    for number in 0..<10 {
      #expect(try next.engine.document(at: ResourcePath("c/\(number)")) != nil)
    }
    #expect(next.engine.documentCacheStatistics?.hitCount == 10)
    #expect(next.engine.documentCacheStatistics?.missCount == 0)
  }

  @Test func deletedAndChangedDocumentsAreReadAsTheyAre() throws {
    try leaveNote(of: 0..<100)
    let next = try fixture()
    _ = try next.engine.commit(
      (0..<50).map { Write(path: try ResourcePath("c/\($0)"), operation: .delete) })
    try next.set("c/60", ["n": "new"])
    try warmUp(WarmStart(next.engine))
    #expect(keptCount(next) == 50)
    #expect(try next.fields("c/10") == nil)
    #expect(try next.fields("c/60") == ["n": "new"])
  }

  @Test func aNoteThatIsNotReadBackYetStays() throws {
    try leaveNote(of: 0..<1000)
    let second = try fixture()
    let broken = WarmStart(second.engine)
    #expect(try broken.step())
    try broken.note()
    let third = try fixture()
    try warmUp(WarmStart(third.engine))
    #expect(keptCount(third) == 1000)
  }

  @Test func aSmallerMemoryIsFilledAndNoFurther() throws {
    try leaveNote(of: 0..<2000)
    let next = try fixture(documentByteCount: 128 << 10)
    let steps = try warmUp(WarmStart(next.engine))
    let statistics = try #require(next.engine.documentCacheStatistics)
    #expect(statistics.documentCount > 0 && statistics.byteCount <= 128 << 10)
    // The whole note would take 33 steps.
    #expect(steps < 20)
  }

  @Test func aShorterNoteReplacesALongerOne() throws {
    // More than one record has room for.
    let count = 17_000
    let first = try fixture(documentByteCount: 64 << 20)
    try write(count, to: first)
    try read(0..<count, from: first)
    let warmStart = WarmStart(first.engine)
    try warmUp(warmStart)
    try warmStart.note()
    let noted = KeyRange.prefix(StorageKey.hotDocumentsPrefix)
    func recordCount() throws -> Int {
      var count = 0
      try store.makeSnapshot().forEachEntry(in: noted) { _, _ in
        count += 1
        return true
      }
      return count
    }
    #expect(try recordCount() == 2)
    let second = try fixture(documentByteCount: 1 << 20)
    let again = WarmStart(second.engine)
    try warmUp(again)
    try again.note()
    #expect(try recordCount() == 1)
  }

  @Test func aDamagedNoteIsToldAndReplaced() throws {
    try leaveNote(of: 0..<10)
    var batch = StoreBatch()
    batch.put(StorageKey.hotDocuments(part: 0), [1, 0x80])
    try store.write(batch)
    let next = try fixture()
    let warmStart = WarmStart(next.engine)
    #expect(code { _ = try warmStart.step() } == .dataLoss)
    try read(0..<20, from: next)
    try warmStart.note()
    let third = try fixture()
    try warmUp(WarmStart(third.engine))
    #expect(keptCount(third) == 20)
  }
}
