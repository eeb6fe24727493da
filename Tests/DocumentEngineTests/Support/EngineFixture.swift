import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import Testing

/// An engine over a memory store, with a clock that a test turns.
struct EngineFixture {
  let store: any OrderedStore
  let clock = TestClock()
  let engine: Engine

  init(
    _ store: any OrderedStore = MemoryStore(), history: HistoryLimits? = nil,
    settings: EngineSettings = EngineSettings()
  ) throws {
    self.store = store
    engine = try Engine(store, history: history, settings: settings, clock: clock)
  }

  @discardableResult
  func set(_ path: String, _ fields: MapValue) throws -> CommitResult {
    try engine.commit([.set(ResourcePath(path), fields)])
  }

  func fields(_ path: String) throws -> MapValue? {
    try engine.readView().document(at: ResourcePath(path))?.fields()
  }

  /// Returns the names of a query's results.
  func names(_ query: StructuredQuery) throws -> [String] {
    try run(query).map { $0.path.description }
  }

  func run(_ query: StructuredQuery) throws -> [Document] {
    let execution = try engine.readView().run(query)
    var documents: [Document] = []
    while let record = try execution.nextDocument() { documents.append(try record.document()) }
    return documents
  }

  func expectClean(_ comment: Comment? = nil) throws {
    let report = try engine.verify()
    #expect(report.isClean, "\(report.problems) \(comment?.rawValue ?? "")")
  }
}

extension EngineSettings {
  /// Settings without caches, so that every read shows in the work counters.
  static var uncached: EngineSettings {
    var settings = EngineSettings()
    settings.documentCacheByteCount = 0
    settings.nameCacheByteCount = 0
    settings.countCacheByteCount = 0
    return settings
  }
}

final class TestClock: EngineClock {
  private let time = Lock(Timestamp.minimum)

  init() {}

  func now() -> Timestamp { time.withLock { $0 } }
  func turn(to time: Timestamp) { self.time.withLock { $0 = time } }
}

/// Returns the text of the database error that `body` throws.
func message(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return (error as? DatabaseError)?.message
  }
}

/// Returns the code of the database error that `body` throws.
func code(_ body: () throws -> Void) -> DatabaseError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? DatabaseError)?.code
  }
}

extension EngineSettings {
  /// Returns settings in which index builds read a given number of documents at once.
  static func building(_ documentCount: Int) -> EngineSettings {
    var settings = EngineSettings()
    settings.build.chunkDocumentCount = documentCount
    return settings
  }
}
