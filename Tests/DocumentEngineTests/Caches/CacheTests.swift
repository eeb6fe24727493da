import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

/// The reads that caches save, and the guarantee that no reader gets anything old from them.
@Suite struct CacheTests {

  private static func settings(documents: Int = 1 << 20, names: Int = 1 << 16) -> EngineSettings {
    var settings = EngineSettings()
    settings.documentCacheByteCount = documents
    settings.nameCacheByteCount = names
    return settings
  }

  private func number(_ document: FetchedDocument?) throws -> Value? {
    try document?.value(at: "n")
  }

  private let byNumber = StructuredQuery(
    collectionID: "c", orders: [Order(FieldPath(unchecked: ["n"]))])

  private func results(_ view: ReadView) throws -> ([Value?], ExecutionStatistics) {
    let execution = try view.run(byNumber)
    var values: [Value?] = []
    while let document = try execution.nextDocument() { values.append(try number(document)) }
    return (values, execution.statistics)
  }

  @Test func documentsThatWereReadAreFoundInMemory() throws {
    let fixture = try EngineFixture(settings: Self.settings())
    for number in 0..<10 { try fixture.set("c/\(number)", ["n": .integer(Int64(number))]) }
    let first = try results(fixture.engine.readView())
    let second = try results(fixture.engine.readView())
    #expect(first.0 == second.0)
    #expect(first.1.documentsCached == 0)
    #expect(second.1.documentsRead == 10)
    #expect(second.1.documentsCached == 10)
    let statistics = try #require(fixture.engine.documentCacheStatistics)
    #expect(statistics.documentCount == 10)
    #expect(statistics.hitCount == 10)
  }

  /// A new document's name is known from its commit on, so that its record alone is read.
  @Test(arguments: [1, 20], [false, true])
  func namesOfNewDocumentsAreRemembered(_ documentCount: Int, _ hasHelp: Bool) throws {
    let counter = StoreCounter()
    var settings = Self.settings()
    settings.startWork = { if hasHelp { $0() } }
    let engine = try Engine(ObservedStore(MemoryStore(), observer: counter), settings: settings)
    let paths = (0..<documentCount).map { ResourcePath(unchecked: ["c", "\($0)"]) }
    _ = try engine.commit(paths.map { .create($0, ["n": 1]) })
    counter.reset()
    for path in paths { #expect(try number(engine.document(at: path)) == 1) }
    #expect(counter.counts.gets == documentCount)
  }

  @Test func aDocumentThatIsNotKeptIsOneMiss() throws {
    let fixture = try EngineFixture(settings: Self.settings())
    let path = ResourcePath(unchecked: ["c", "a"])
    try fixture.set("c/a", ["n": 1])
    #expect(try number(fixture.engine.document(at: path)) == 1)
    // Its name is still known, but the document changed: it has to be read again.
    try fixture.set("c/a", ["n": 2])
    let before = try #require(fixture.engine.documentCacheStatistics)
    #expect(try number(fixture.engine.document(at: path)) == 2)
    let after = try #require(fixture.engine.documentCacheStatistics)
    #expect(after.missCount - before.missCount == 1)
    #expect(after.hitCount == before.hitCount)
  }

  @Test func aViewKeepsWhatACommitChangesAndLaterOnesDoNot() throws {
    let fixture = try EngineFixture(settings: Self.settings())
    try fixture.set("c/a", ["n": 1])
    let old = try fixture.engine.readView()
    #expect(try number(old.document(at: ResourcePath("c/a"))) == 1)
    try fixture.set("c/a", ["n": 2])
    #expect(try number(fixture.engine.document(at: ResourcePath("c/a"))) == 2)
    #expect(try number(fixture.engine.document(at: ResourcePath("c/a"))) == 2)
    #expect(try number(old.document(at: ResourcePath("c/a"))) == 1)
    #expect(try results(old).0 == [1])
    #expect(try results(fixture.engine.readView()).0 == [2])
    // The old view has read its version again. No other view may be given that.
    #expect(try number(fixture.engine.document(at: ResourcePath("c/a"))) == 2)
  }

  @Test func aDocumentThatWasDeletedAndMadeAgainIsAnother() throws {
    let fixture = try EngineFixture(settings: Self.settings())
    let path = try ResourcePath("c/a")
    try fixture.set("c/a", ["n": 1])
    let first = try fixture.engine.readView()
    #expect(try number(first.document(at: path)) == 1)
    _ = try fixture.engine.commit([.delete(path)])
    let between = try fixture.engine.readView()
    #expect(try between.document(at: path) == nil)
    #expect(try fixture.engine.document(at: path) == nil)
    try fixture.set("c/a", ["n": 2])
    #expect(try number(fixture.engine.document(at: path)) == 2)
    #expect(try number(first.document(at: path)) == 1)
    #expect(try between.document(at: path) == nil)
    #expect(try number(fixture.engine.document(at: path)) == 2)
  }

  @Test func theMemoryIsBounded() throws {
    let limit = 256 << 10
    let fixture = try EngineFixture(settings: Self.settings(documents: limit, names: 4096))
    let text = String(repeating: "x", count: 400)
    for start in stride(from: 0, to: 2000, by: 500) {
      let writes = try (start..<start + 500).map {
        Write.set(try ResourcePath("c/\($0)"), ["n": .integer(Int64($0)), "t": .string(text)])
      }
      _ = try fixture.engine.commit(writes)
    }
    for _ in 0..<3 { #expect(try results(fixture.engine.readView()).0.count == 2000) }
    for number in 0..<2000 {
      let document = try fixture.engine.document(at: ResourcePath("c/\(number)"))
      #expect(try self.number(document) == .integer(Int64(number)))
    }
    let statistics = try #require(fixture.engine.documentCacheStatistics)
    #expect(statistics.byteCount <= limit)
    #expect(statistics.documentCount > 100)
  }

  @Test func aScanDoesNotDisplaceWhatIsAskedForOften() throws {
    let fixture = try EngineFixture(settings: Self.settings(documents: 1 << 20))
    let text = String(repeating: "x", count: 2000)
    for number in 0..<2000 {
      try fixture.set("c/\(number)", ["n": .integer(Int64(number)), "t": .string(text)])
    }
    let often = try (0..<20).map { try ResourcePath("c/\($0)") }
    func readOften() throws {
      for path in often { #expect(try fixture.engine.document(at: path) != nil) }
    }
    for _ in 0..<3 { try readOften() }
    _ = try results(fixture.engine.readView())
    let before = try #require(fixture.engine.documentCacheStatistics)
    try readOften()
    let after = try #require(fixture.engine.documentCacheStatistics)
    #expect(after.hitCount - before.hitCount >= 10)
  }

  @Test func nothingIsKeptWithoutMemory() throws {
    let fixture = try EngineFixture(settings: Self.settings(documents: 0, names: 0))
    try fixture.set("c/a", ["n": 1])
    for _ in 0..<2 { #expect(try results(fixture.engine.readView()).1.documentsCached == 0) }
    #expect(fixture.engine.documentCacheStatistics == nil)
  }

  @Test func aClosedEngineAnswersNothing() throws {
    let fixture = try EngineFixture(settings: Self.settings())
    try fixture.set("c/a", ["n": 1])
    let path = try ResourcePath("c/a")
    for _ in 0..<2 { #expect(try fixture.engine.document(at: path) != nil) }
    try fixture.engine.close()
    #expect(throws: DatabaseError.self) { try fixture.engine.document(at: path) }
  }

  @Test func betweenCommitsThereIsOneView() throws {
    let fixture = try EngineFixture(settings: Self.settings())
    try fixture.set("c/a", ["n": 1])
    let view = try fixture.engine.readView()
    #expect(try fixture.engine.readView() === view)
    try fixture.set("c/a", ["n": 2])
    let next = try fixture.engine.readView()
    #expect(next !== view)
    #expect(next.commitNumber == view.commitNumber + 1)
  }

  /// Writers raise a number, and readers must never see it fall, by any kind of read.
  @Test func readersNeverSeeAnythingOld() throws {
    let fixture = try EngineFixture(settings: Self.settings())
    let path = try ResourcePath("c/a")
    try fixture.set("c/a", ["n": 0])
    let engine = fixture.engine
    let last: Int64 = 300
    let isWritten = Lock(false)
    // Separate threads: readers that spin would hold up a writer among the tasks.
    try onThreads(4) { thread in
      if thread == 0 {
        defer { isWritten.withLock { $0 = true } }
        for number in 1...last {
          _ = try engine.commit([.set(path, ["n": .integer(number)])])
        }
        return
      }
      var seen: Int64 = 0
      var isOver = false
      // The last read begins after the end of all writes.
      while !isOver {
        isOver = isWritten.withLock { $0 }
        guard case .integer(let got)? = try engine.document(at: path)?.value(at: "n")
        else { throw DatabaseError(.internal, "no document") }
        #expect(got >= seen)
        let view = try engine.readView()
        let execution = try view.run(StructuredQuery(collectionID: "c"))
        guard case .integer(let found)? = try execution.nextDocument()?.value(at: "n")
        else { throw DatabaseError(.internal, "no result") }
        #expect(found >= got)
        seen = found
      }
      #expect(seen == last)
    }
  }
}
