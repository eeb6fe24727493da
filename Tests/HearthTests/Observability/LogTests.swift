import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Hearth
import Logging
import HearthOrderedStore
import TestSupport
import Testing

@Suite struct LogTests {
  private let log = CapturedLog()

  private func database(
    _ level: Logger.Level = .trace, slowerThan threshold: Duration? = nil
  ) throws -> Database {
    var observability = Observability()
    observability.logger = log.logger(level)
    observability.slowQueryThreshold = threshold
    return try Database.inMemory(observability: observability)
  }

  private func entries(_ message: String) -> [CapturedLog.Entry] {
    log.entries.filter { $0.message == message }
  }

  /// A clock that was decades ahead at the last write to the database.
  @Test func commitTimesAheadOfTheClockAreToldAtTheOpen() throws {
    struct FarAhead: EngineClock {
      func now() -> Timestamp { (try? Timestamp(microseconds: 4_000_000_000_000_000)) ?? .minimum }
    }
    let store = MemoryStore()
    _ = try Engine(store, clock: FarAhead()).commit([.set(ResourcePath("c/1"), [:])])
    var observability = Observability()
    observability.logger = log.logger(.warning)
    let database = try Database.over(store, observability: observability)
    let lead = try #require(database.openReport.commitTimeLead)
    #expect(lead > .seconds(1_000_000))
    let message = "Commit times are ahead of the clock: it was wrong once, or is now."
    #expect(entries(message).map(\.level) == [.warning])
    #expect(entries(message).first?.metadata["ahead"] == "\(lead)")
    try database.document("c/2").setData([:])
    #expect(entries(message).count == 1, "once is enough")
    #expect(try database.statistics().commitTimeLead.map { $0 > .seconds(1_000_000) } == true)
    #expect(try Database.inMemory().openReport.commitTimeLead == nil)
  }

  @Test func aSlowQueryIsLoggedWithItsTextAndPlan() throws {
    let database = try database(.info, slowerThan: .zero)
    let cities = try database.collection("cities")
    for number in 0..<4 { try cities.document("\(number)").setData(["n": .integer(Int64(number))]) }
    let query = try cities.whereField("n", isGreaterThan: 1).order(by: "n").limit(to: 1)
    _ = try query.getDocuments()
    _ = try query.aggregate([.count(), .sum("n")])
    let slow = entries("A query was slow.")
    #expect(slow.map(\.level) == [.warning, .warning])
    let first = try #require(slow.first?.metadata)
    #expect(first["operation"] == "query")
    #expect(first["query"] == "cities where n > 1 order by n limit 1")
    #expect(first["entries"] == "1" && first["documents"] == "1" && first["seeks"] == "1")
    #expect(first["duration"]?.hasSuffix("seconds") == true)
    #expect(
      first["plan"] == """
        one index, ordered by n ASC, __name__ ASC
          automatic (n ASC, __name__ ASC)  [1 entry, 1 seek]
          range     n > 1
          limit     1
        """)
    let second = try #require(slow.last?.metadata)
    #expect(second["operation"] == "aggregate" && second["documents"] == "0")
    #expect(second["query"] == "cities where n > 1 order by n limit 1 aggregate count, sum n")
  }

  @Test func aFastQueryIsNotLogged() throws {
    let database = try database(.info, slowerThan: .seconds(3600))
    _ = try database.collection("cities").getDocuments()
    #expect(log.entries.map(\.message) == ["Database opened."])
  }

  @Test func aMissingIndexIsInformation() throws {
    let database = try database(.info)
    let query = try database.collection("cities").whereField("a", isEqualTo: "secret")
      .order(by: "b")
    #expect(code { _ = try query.getDocuments() } == .failedPrecondition)
    let entry = try #require(entries("A query lacks an index.").first)
    #expect(entry.level == .info)
    #expect(
      entry.metadata == [
        "operation": "query", "collectionGroup": "cities", "index": "(a ASC, b ASC, __name__ ASC)",
      ])
  }

  @Test func noDocumentDataIsLogged() throws {
    let database = try database(.trace)
    let document = try database.document("cities/tokyo")
    try document.setData(["name": "secret"])
    #expect(code { try document.create(["name": "secret"]) } == .alreadyExists)
    _ = try database.collection("cities").whereField("name", isEqualTo: "secret").getDocuments()
    try database.indexes.create(
      IndexDefinition(
        "cities",
        [
          IndexColumn(try FieldPath("name"), .ascending),
          IndexColumn(try FieldPath("n"), .ascending),
        ]))
    let texts = log.entries.map { "\($0.message) \($0.metadata)" }
    #expect(texts.count > 5)
    #expect(!texts.contains { $0.contains("secret") })
    let loud = log.entries.filter { $0.level >= .info }.map { "\($0.message) \($0.metadata)" }
    #expect(!loud.contains { $0.contains("tokyo") })
    #expect(entries("An operation failed.").first?.level == .debug)
    #expect(entries("An index build made progress.").first?.level == .trace)
    #expect(entries("An index build ended.").map(\.level) == [.info])
  }

  @Test func aBuildInTheBackgroundThatFailsIsAWarning() async throws {
    let database = try database(.debug)
    let long = Value.string(String(repeating: "x", count: 1500))
    let names = (0..<6).map { "f\($0)" }
    try await database.document("cities/wide").setData(MapValue(names.map { ($0, long) }))
    let columns = try names.map { IndexColumn(try FieldPath($0), .ascending) }
    for build in try await database.indexes.begin([IndexDefinition("cities", columns)]) {
      for await _ in build.updates {}
    }
    let failed = try #require(entries("An index build failed: a document can't be indexed.").first)
    #expect(failed.level == .warning)
    #expect(failed.metadata["collectionGroup"] == "cities")
    #expect(failed.metadata["index"]?.contains("f0 ASC") == true)
    // Names of documents are only for debugging.
    #expect(failed.metadata["message"] == nil)
    let reason = try #require(entries("The reason of a failed index build.").first)
    #expect(reason.level == .debug)
    #expect(reason.metadata["message"] == "cities/wide: Index entry is too large.")
  }

  @Test(arguments: [StoreError.Code.inputOutput, .full])
  func aFailingStoreIsAnError(_ failure: StoreError.Code) throws {
    var observability = Observability()
    observability.logger = log.logger(.info)
    let fault = StoreFault(
      failingOperation: 2, error: StoreError(failure, "a fault of the test"), counting: [.write])
    let database = try Database.over(
      ObservedStore(MemoryStore(), observer: fault), observability: observability)
    let document = try database.document("a/b")
    #expect(code { try document.setData(["n": 1]) } != nil)
    let entry = try #require(entries("An operation failed.").first)
    #expect(entry.level == .error)
    #expect(entry.metadata["operation"] == "commit")
  }

  @Test func openingTellsWhetherTheDatabaseIsNew() throws {
    _ = try database()
    #expect(log.entries.first?.message == "Database opened.")
    #expect(log.entries.first?.metadata == ["new": "true"])
  }
}
