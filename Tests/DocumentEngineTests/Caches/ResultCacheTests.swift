import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

/// Results of repeated queries that are kept: they are used, and no commit leaves a wrong one.
@Suite struct ResultCacheTests {
  private static func field(_ name: String) -> FieldPath { FieldPath(unchecked: [name]) }

  private static func task(_ number: Int, user: Int64 = 1, text: String = "") -> Write {
    .set(
      ResourcePath(unchecked: ["t", String(1000 + number)]),
      ["user": .integer(user), "rank": .integer(Int64(number)), "text": .string(text)])
  }

  /// Returns an engine with 40 tasks of a user and 40 of another.
  private static func filled(
    _ settings: EngineSettings = .keepingScansAtOnce
  ) throws -> Engine {
    let engine = try Engine(MemoryStore(), settings: settings)
    _ = try engine.commit((0..<40).map { task($0) } + (40..<80).map { task($0, user: 2) })
    return engine
  }

  private static func page(
    user: Value = 1, limit: Int? = 20, offset: Int = 0
  ) -> StructuredQuery {
    StructuredQuery(
      collectionID: "t", filter: .field(field("user"), .equal, user), offset: offset,
      limit: limit)
  }

  private struct Answer: Equatable {
    var names: [String] = []
    var texts: [Value?] = []
  }

  private static func answer(_ query: StructuredQuery, in view: ReadView) throws -> Answer {
    let execution = try view.run(query)
    var documents: [FetchedDocument] = []
    try execution.readDocuments {
      documents.append($0)
      return true
    }
    return Answer(
      names: documents.map(\.documentID),
      texts: try documents.map { try $0.value(at: "text") })
  }

  /// Asks until the result is kept.
  private static func warm(_ query: StructuredQuery, _ engine: Engine) throws {
    let before = engine.scanCacheStatistics.resultCount
    for _ in 0..<6 { _ = try answer(query, in: engine.readView()) }
    try #require(engine.scanCacheStatistics.resultCount == before + 1)
  }

  @Test func aRepeatedPageIsKept() throws {
    let engine = try Self.filled()
    let query = Self.page()
    let first = try Self.answer(query, in: engine.readView())
    try Self.warm(query, engine)
    #expect(engine.scanCacheStatistics.resultByteCount > 0)
    #expect(try Self.answer(query, in: engine.readView()) == first)
    #expect(first.names.count == 20)
    // Another value, another limit and another projection are other queries.
    #expect(try Self.answer(Self.page(user: 2), in: engine.readView()).names.first == "1040")
    #expect(try Self.answer(Self.page(limit: 3), in: engine.readView()).names.count == 3)
    var names = query
    names.projection = []
    let bare = try Self.answer(names, in: engine.readView())
    #expect(bare.names == first.names && bare.texts.allSatisfy { $0 == nil })
  }

  @Test func theWorkOfAKeptResultIsReported() throws {
    let engine = try Self.filled()
    let query = Self.page(limit: nil)
    try Self.warm(query, engine)
    let execution = try engine.readView().run(query)
    #expect(try execution.countResults() == 40)
    #expect(execution.statistics.entriesRead == 40 && execution.statistics.entriesCached == 40)
    #expect(execution.statistics.seekCount == 0)
  }

  @Test func changesOfDocumentsShow() throws {
    let engine = try Self.filled()
    let query = Self.page()
    try Self.warm(query, engine)
    // The entries stay: the result is kept, and the document is the new one.
    _ = try engine.commit([Self.task(3, text: "new")])
    let changed = try Self.answer(query, in: engine.readView())
    #expect(changed.texts[3] == "new")
    #expect(engine.scanCacheStatistics.resultCount == 1)
  }

  @Test func changesOfEntriesEndResults() throws {
    let engine = try Self.filled()
    let query = Self.page()
    try Self.warm(query, engine)
    let before = try engine.readView()
    let old = try Self.answer(query, in: before)
    _ = try engine.commit([.delete(ResourcePath(unchecked: ["t", "1000"])), Self.task(1, user: 2)])
    let new = try Self.answer(query, in: engine.readView())
    #expect(new.names == (2..<22).map { String(1000 + $0) })
    // A view of the moment before has what it had.
    #expect(try Self.answer(query, in: before) == old)
    try Self.warm(Self.page(user: 2), engine)
    _ = try engine.commit([Self.task(1)])
    #expect(try Self.answer(Self.page(user: 2), in: engine.readView()).names.first == "1040")
  }

  @Test func aViewBeforeTheResultDoesNotGetIt() throws {
    let engine = try Self.filled()
    let before = try engine.readView()
    _ = try engine.commit([Self.task(90)])
    let query = Self.page(limit: nil)
    try Self.warm(query, engine)
    #expect(try Self.answer(query, in: engine.readView()).names.count == 41)
    #expect(try Self.answer(query, in: before).names.count == 40)
  }

  @Test func aFieldThatIsNoLongerIndexedIsRefused() throws {
    let engine = try Self.filled()
    let query = Self.page()
    try Self.warm(query, engine)
    try engine.setOverride("t", Self.field("user"), [])
    #expect(throws: DatabaseError.self) { try engine.readView().run(query) }
  }

  @Test func countsAndOffsetsAreKept() throws {
    let engine = try Self.filled()
    let query = Self.page(limit: 10, offset: 35)
    for _ in 0..<6 { #expect(try engine.readView().run(query).countResults() == 5) }
    #expect(engine.scanCacheStatistics.resultCount == 1)
    let execution = try engine.readView().run(query)
    #expect(try execution.countResults() == 5)
    #expect(execution.statistics.resultsSkipped == 35)
    #expect(try Self.answer(query, in: engine.readView()).names.first == "1035")
  }

  /// A caller may take the results in several parts, which end where pages end.
  @Test func aPartOfAResultIsNotKept() throws {
    let engine = try Engine(MemoryStore(), settings: .keepingScansAtOnce)
    _ = try engine.commit((0..<400).map { Self.task($0) })
    let query = Self.page(limit: nil)
    for _ in 0..<6 {
      let execution = try engine.readView().run(query)
      var taken = 0
      try execution.readDocuments { _ in
        taken += 1
        return taken < 256
      }
      #expect(taken == 256)
      try execution.readDocuments { _ in
        taken += 1
        return true
      }
      #expect(taken == 400)
    }
    #expect(engine.scanCacheStatistics.resultCount == 0)
    #expect(try engine.readView().run(query).countResults() == 400)
  }

  @Test func memoryIsBounded() throws {
    var settings = EngineSettings.keepingScansAtOnce
    settings.scanCacheByteCount = 400_000
    let engine = try Self.filled(settings)
    for limit in 1...200 {
      for _ in 0..<4 { _ = try Self.answer(Self.page(limit: limit), in: engine.readView()) }
    }
    let statistics = engine.scanCacheStatistics
    #expect(statistics.resultCount > 0 && statistics.resultByteCount <= 50_000)
  }

  @Test func nothingIsKeptWithoutMemory() throws {
    let engine = try Self.filled(.withoutCaches)
    for _ in 0..<6 { _ = try Self.answer(Self.page(), in: engine.readView()) }
    #expect(engine.scanCacheStatistics.resultCount == 0)
  }
}
