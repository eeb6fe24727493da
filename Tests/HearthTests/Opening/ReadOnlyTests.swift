import Foundation
import Hearth
import Logging
import TestSupport
import Testing

/// A database that was opened for reading alone.
@Suite struct ReadOnlyTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path(of: "cities.hearth") }

  private static var options: Database.Options {
    var options = Database.Options()
    options.access = .readOnly
    return options
  }

  /// Creates a database with an index, one that is not built yet, a time to live and counts.
  init() throws {
    folder = try TemporaryFolder()
    var options = Database.Options()
    options.runsBackgroundWork = false
    let database = try Database.open(at: path, options: options)
    let cities = try database.collection("cities")
    for (id, country, population) in [("tokyo", "JP", 37), ("kyoto", "JP", 1), ("lyon", "FR", 2)] {
      try cities.document(id).setData([
        "country": .string(country), "population": .integer(Int64(population)),
      ])
    }
    try database.indexes.create(Cities.countryAndPopulation())
    try database.timesToLive.set(FieldPath("end"), in: "cities")
    try database.indexes.keepCounts(of: [FieldPath("country")], in: "cities")
    try database.compact()
    try cities.document("nara").setData(["country": "JP", "population": 3])
    try cities.document("lyon").delete()
    _ = try database.indexes.begin([Self.unfinished()])
    try database.close()
  }

  private static func unfinished() throws -> IndexDefinition {
    IndexDefinition(
      "cities",
      [
        IndexColumn(try FieldPath("population"), .ascending),
        IndexColumn(try FieldPath("country"), .descending),
      ])
  }

  private func largestOfJapan(_ database: Database) throws -> [String] {
    try database.collection("cities").whereField("country", isEqualTo: "JP")
      .order(by: "population", descending: true).ids()
  }

  @Test func answersAllReadsAndLeavesNoTrace() throws {
    let before = try FolderTrace(path)
    let database = try Database.open(at: path, options: Self.options)
    #expect(!database.openReport.isNew && database.openReport.administrationFailure == nil)
    #expect(!database.openReport.lacksRepair)
    #expect(try largestOfJapan(database) == ["tokyo", "nara", "kyoto"])
    #expect(try database.collection("cities").count() == 3)
    #expect(try database.document("cities/lyon").getDocument().exists == false)
    #expect(try database.listCollections().map(\.id) == ["cities"])
    #expect(try database.verify().isClean)
    #expect(try database.statistics(countingEntries: true).documentCount == 3)
    #expect(try database.id() == .default)
    let sum = try database.runTransaction { transaction in
      try transaction.getDocument(database.document("cities/tokyo")).value("population")
    }
    #expect(sum == 37)
    #expect(try FolderTrace(path) == before)
    try database.close()
    #expect(try FolderTrace(path) == before)
  }

  @Test func tellsListenersOfItsMoment() async throws {
    let database = try await Database.open(at: path, options: Self.options)
    for try await snapshot in try database.collection("cities").snapshots {
      #expect(snapshot.documents.count == 3)
      break
    }
    try await database.close()
  }

  @Test func refusesEveryChange() throws {
    let before = try FolderTrace(path)
    let database = try Database.open(at: path, options: Self.options)
    let tokyo = try database.document("cities/tokyo")
    let missing = try database.document("cities/missing")
    let build = try database.indexes.build(of: Self.unfinished())
    let index = try Cities.countryAndPopulation()
    let calls: [(String, () throws -> Void)] = [
      ("setData", { try tokyo.setData(["country": "JP"]) }),
      ("create", { try tokyo.create([:]) }),
      ("updateData", { try missing.updateData(["a": 1]) }),
      ("delete", { try missing.delete() }),
      ("commit", { try database.commit([]) }),
      ("batchWrite", { _ = try database.batchWrite([.set(tokyo.path, [:])]) }),
      ("transaction", { try database.runTransaction { try $0.delete(tokyo) } }),
      ("recursiveDelete", { try database.recursiveDelete("missing") }),
      ("indexes.create", { try database.indexes.create(index) }),
      ("indexes.createAll", { try database.indexes.createAll([]) }),
      ("indexes.drop", { try database.indexes.drop(index) }),
      ("indexes.hide", { try database.indexes.hide(index) }),
      ("indexes.tune", { try database.indexes.tune(index, covering: true) }),
      ("keepCounts", { try database.indexes.keepCounts(of: [], in: "cities") }),
      (
        "dropCounts",
        { try database.indexes.dropCounts(of: [FieldPath("country")], in: "cities") }
      ),
      ("keepSums", { try database.indexes.keepSums(true) }),
      ("setOverride", { try database.indexes.setOverride([], of: nil, in: "cities") }),
      ("timesToLive.set", { try database.timesToLive.set(FieldPath("b"), in: "towns") }),
      ("timesToLive.remove", { try database.timesToLive.remove(FieldPath("end"), in: "cities") }),
      ("timesToLive.sweep", { try database.timesToLive.sweep() }),
      ("build.wait", { try build.wait() }),
      ("build.pause", { try build.pause() }),
      ("build.cancel", { try build.cancel() }),
      ("repair", { _ = try database.repair() }),
      ("compact", { try database.compact() }),
    ]
    for (name, call) in calls {
      let error = failure(of: call)
      #expect(error?.code == .failedPrecondition, "\(name): \(String(describing: error))")
      #expect(error?.message.contains("opened for reading only") == true, "\(name)")
      #expect(error?.message.contains(path) == true, "\(name)")
    }
    #expect(try database.indexes.list().map(\.state) == [.ready, .creating])
    #expect(try largestOfJapan(database) == ["tokyo", "nara", "kyoto"])
    try database.close()
    #expect(try FolderTrace(path) == before)
  }

  /// A writer is not disturbed, and its later writes are not visible.
  @Test func showsTheMomentOfItsOpeningBesideAWriter() throws {
    let writer = try Database.open(at: path)
    try writer.document("cities/sapporo").setData(["country": "JP", "population": 2])
    let reader = try Database.open(at: path, options: Self.options)
    let cities = ["tokyo", "nara", "sapporo", "kyoto"]
    #expect(try largestOfJapan(reader) == cities)
    try writer.document("cities/sapporo").delete()
    try writer.compact()
    #expect(try largestOfJapan(reader) == cities)
    let later = try Database.open(at: path, options: Self.options)
    #expect(try largestOfJapan(later) == ["tokyo", "nara", "kyoto"])
    for database in [reader, later, writer] { try database.close() }
    // The readers don't hinder the next writer.
    try Database.open(at: path).close()
  }

  /// Another process may be writing the log at this moment, so its cut end is logged as information
  /// and not as a warning.
  @Test func passesOverTheBeginningOfAWriteAndSaysSo() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: path + "/store")
    let log = try #require(names.first { $0.hasSuffix(".log") })
    let file = try #require(FileHandle(forWritingAtPath: path + "/store/" + log))
    try file.seekToEnd()
    try file.write(contentsOf: Data([1, 2, 3]))
    try file.close()
    let captured = CapturedLog()
    var options = Self.options
    options.observability.logger = captured.logger(.info)
    let database = try Database.open(at: path, options: options)
    #expect(database.openReport.cutLogs.map(\.byteCount) == [3])
    let told = captured.entries.filter { $0.metadata["bytes"] == "3" }
    #expect(told.map(\.level) == [.info])
    #expect(!captured.entries.contains { "\($0.message)".contains("cut off by a crash") })
    try database.close()
  }

  @Test func makesNoDatabase() throws {
    let missing = folder.path(of: "missing")
    #expect(code { _ = try Database.open(at: missing, options: Self.options) } == .notFound)
    #expect(!FileManager.default.fileExists(atPath: missing))
  }

  @Test func refusesAnotherIdentity() throws {
    var options = Self.options
    options.databaseID = try DatabaseID(project: "other")
    #expect(code { _ = try Database.open(at: path, options: options) } == .failedPrecondition)
  }
}
