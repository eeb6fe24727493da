import Hearth
import HearthOrderedStore
import TestSupport
import Testing

@Suite struct MetricsTests {
  private let metrics = CapturedMetrics()
  private let database: Database
  private let cities: CollectionReference

  init() throws {
    var observability = Observability()
    observability.metrics = metrics
    database = try Database.inMemory(history: HistoryLimits(), observability: observability)
    cities = try database.collection("cities")
  }

  private func fill() throws {
    for number in 0..<5 {
      try cities.document("\(number)").setData(["n": .integer(Int64(number)), "even": "x"])
    }
  }

  @Test func everyOperationIsTimedByItsName() throws {
    try fill()
    _ = try cities.document("1").getDocument()
    _ = try cities.whereField("n", isGreaterThan: 1).getDocuments()
    try cities.forEachDocument { _ in false }
    _ = try cities.count()
    _ = try cities.aggregate([.sum("n")])
    _ = try cities.listDocuments()
    _ = try database.batchWrite([.delete(ResourcePath("a/b"))])
    try database.indexes.create(
      IndexDefinition(
        "cities",
        [
          IndexColumn(try FieldPath("even"), .ascending),
          IndexColumn(try FieldPath("n"), .descending),
        ]))
    _ = try database.verify()
    try database.compact()
    try database.recursiveDelete("cities")
    let counts = [
      "get": 1, "query": 2, "count": 1, "aggregate": 1, "list": 1, "commit": 5, "batch_write": 1,
      "index_build": 1, "verify": 1, "compact": 1, "recursive_delete": 1,
    ]
    for (operation, count) in counts {
      let durations = metrics["hearth.\(operation).duration{outcome=ok}"]
      #expect(durations.count == count, "\(operation)")
      #expect(durations.allSatisfy { $0 > 0 }, "\(operation)")
    }
    let operations = metrics.names.filter { $0.contains(".duration{") }
    #expect(operations.count == counts.count, "\(operations)")
    #expect(metrics["hearth.index_build.documents"] == [5])
  }

  @Test func asynchronousCallsAreTimedLikeOthers() async throws {
    try await cities.document("1").setData(["n": 1])
    _ = try await database.batchWrite([])
    _ = try await cities.document("1").getDocument()
    _ = try await cities.getDocuments()
    _ = try await cities.aggregate([.sum("n")])
    _ = try await cities.count()
    _ = try await database.listCollections()
    try await database.runTransaction { _ = try await $0.getDocuments(cities) }
    let operations = [
      "commit", "batch_write", "get", "aggregate", "count", "list", "transaction",
    ]
    for operation in operations {
      #expect(metrics["hearth.\(operation).duration{outcome=ok}"].count == 1, "\(operation)")
    }
    #expect(metrics["hearth.query.entries{operation=query}"] == [1, 1])
  }

  @Test func queriesTellWhatTheyRead() throws {
    try fill()
    _ = try cities.whereField("n", isGreaterThan: 1).getDocuments()
    _ = try cities.whereField("n", isGreaterThan: 1).count()
    _ = try cities.aggregate([.count(as: "count")])
    try cities.forEachDocument { _ in false }
    #expect(metrics["hearth.query.entries{operation=query}"] == [3, 1])
    #expect(metrics["hearth.query.documents{operation=query}"] == [3, 1])
    #expect(metrics["hearth.query.entries{operation=count}"] == [3])
    #expect(metrics["hearth.query.documents{operation=count}"] == [0])
    #expect(metrics["hearth.query.entries{operation=aggregate}"] == [5])
  }

  @Test func refusalsAreTimedByTheirCode() throws {
    try fill()
    let refused = try cities.whereField("even", isEqualTo: "x").order(by: "n")
    for _ in 0..<2 { #expect(code { _ = try refused.getDocuments() } == .failedPrecondition) }
    #expect(code { try cities.document("0").create(["n": 1]) } == .alreadyExists)
    #expect(metrics["hearth.query.duration{outcome=failed_precondition}"].count == 2)
    #expect(metrics["hearth.query.duration{outcome=ok}"].isEmpty)
    #expect(metrics["hearth.query.entries{operation=query}"].isEmpty)
    #expect(metrics["hearth.commit.duration{outcome=already_exists}"].count == 1)
  }

  @Test func groupsTellWhatTheyHold() throws {
    var batch = database.batch()
    for id in ["a", "b", "c"] { batch.setData(["n": 1], for: try cities.document(id)) }
    try batch.commit()
    #expect(metrics["hearth.commit.group.requests"] == [1])
    #expect(metrics["hearth.commit.group.writes"] == [3])
    #expect(metrics["hearth.commit.group.bytes"].allSatisfy { $0 > 100 })
    for name in ["wait", "staging", "storing"] {
      #expect(metrics["hearth.commit.group.\(name)"].count == 1)
      #expect(metrics["hearth.commit.group.\(name)"].allSatisfy { $0 > 0 })
    }
    #expect(metrics["hearth.commit.stall"].isEmpty)
    #expect(metrics["hearth.history.moments"] == [1])
    try batch.commit()
    // Without a change, no version was stored and none superseded.
    #expect(metrics["hearth.commit.group.bytes"].last == 0)
    #expect(metrics["hearth.history.moments"] == [1])
  }

  @Test func aTransactionIsOneOperationWithItsReadsAndConflicts() throws {
    let document = try cities.document("1")
    try document.setData(["n": 1])
    var attemptCount = 0
    try database.runTransaction { transaction in
      attemptCount += 1
      _ = try transaction.getDocument(document)
      if attemptCount == 1 { try document.setData(["n": 2]) }
      try transaction.setData(["n": 3], for: document)
    }
    #expect(metrics["hearth.transaction.duration{outcome=ok}"].count == 1)
    #expect(metrics["hearth.transaction.conflicts"] == [1])
    #expect(metrics["hearth.get.duration{outcome=ok}"].count == 2)
    struct Stop: Error {}
    #expect(throws: Stop.self) { try database.runTransaction { _ in throw Stop() } }
    #expect(metrics["hearth.transaction.duration{outcome=thrown}"].count == 1)
  }

  @Test func aSlowWriteOfTheStoreIsAStall() throws {
    var observability = Observability()
    observability.metrics = metrics
    observability.stallThreshold = .zero
    let database = try Database.inMemory(observability: observability)
    try database.document("a/b").setData(["n": 1])
    #expect(metrics["hearth.commit.stall"] == metrics["hearth.commit.group.storing"])
    #expect(metrics["hearth.commit.stall"].count == 1)
  }

  @Test func namesCarryWhatTheCallerWants() throws {
    var observability = Observability()
    observability.metrics = metrics
    observability.prefix = "store"
    observability.dimensions = [("database", "cities")]
    let database = try Database.inMemory(observability: observability)
    _ = try database.document("a/b").getDocument()
    _ = try database.collection("a").getDocuments()
    #expect(metrics["store.get.duration{database=cities,outcome=ok}"].count == 1)
    #expect(metrics["store.query.entries{database=cities,operation=query}"] == [0])
    #expect(metrics.names.allSatisfy { $0.hasPrefix("store.") && $0.contains("database=cities") })
  }
}
