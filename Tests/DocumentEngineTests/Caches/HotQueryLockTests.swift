import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

/// A query whose parts are all in memory takes at most one lock of the process.
@Suite struct HotQueryLockTests {
  private static func settings() -> EngineSettings {
    var settings = EngineSettings()
    settings.scanCacheThreshold = 1
    return settings
  }

  private static let page = StructuredQuery(
    collectionID: "c", filter: .field(FieldPath(unchecked: ["a"]), .equal, 1), limit: 20)

  /// Returns an engine with the system's clock, since that of tests has a lock of its own.
  private static func engine() throws -> Engine {
    let engine = try Engine(over: MemoryStore(), settings: settings())
    for number in 0..<30 as Range<Int64> {
      _ = try engine.commit([
        .set(ResourcePath("c/\(number)"), ["a": 1, "n": .integer(number)])
      ])
    }
    return engine
  }

  /// Runs the query as a user of the library does, from the view to the documents.
  private static func documentCount(_ engine: Engine) throws -> (read: Int, cached: Int) {
    let execution = try engine.readView().run(page)
    try execution.readDocuments { _ in true }
    return (execution.statistics.documentsRead, execution.statistics.documentsCached)
  }

  @Test func aHotPageTakesOneLock() throws {
    let engine = try Self.engine()
    for _ in 0..<4 { _ = try Self.documentCount(engine) }
    let (read, cached) = try Self.documentCount(engine)
    #expect(read == 20 && cached == 20)
    let taken = try locksTaken { _ = try Self.documentCount(engine) }
    // Release builds don't count.
    #expect(taken ?? 1 == 1)
  }

  @Test func aHotCountTakesOneLock() throws {
    let engine = try Self.engine()
    func count() throws -> Int { try engine.readView().run(Self.page).countResults() }
    for _ in 0..<4 { _ = try count() }
    var found = 0
    let taken = try locksTaken { found = try count() }
    #expect(found == 20)
    #expect(taken ?? 1 == 1)
  }
}
