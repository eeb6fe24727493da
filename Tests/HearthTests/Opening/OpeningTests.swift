import Foundation
import Hearth
import TestSupport
import Testing

@Suite struct OpeningTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path(of: "cities.hearth") }

  init() throws { folder = try TemporaryFolder() }

  @Test func keepsDocumentsAndIndexesBetweenOpens() throws {
    let first = try Database.open(at: path)
    #expect(first.openReport.isNew)
    try first.document("cities/tokyo").setData(["country": "JP"])
    try first.indexes.create(Cities.countryAndPopulation())
    try first.close()

    let second = try Database.open(at: path)
    #expect(!second.openReport.isNew)
    #expect(second.openReport.cutLogs.isEmpty)
    #expect(second.openReport.repairedEntryCount == nil)
    #expect(try second.document("cities/tokyo").getDocument().value("country") == "JP")
    #expect(try second.indexes.list().map(\.state) == [.ready])
    try second.close()
  }

  @Test func opensWithoutASocketWhereItCantBeMade() throws {
    try Database.open(at: path).close()
    // The socket may replace no other kind of file.
    try FileManager.default.createDirectory(
      atPath: path + "/admin.sock/x", withIntermediateDirectories: true)
    let database = try Database.open(at: path)
    #expect(database.openReport.administrationFailure?.contains("can't be made") == true)
    try database.document("cities/tokyo").setData(["country": "JP"])
    try database.close()
  }

  @Test func tellsThatItIsInUse() throws {
    let database = try Database.open(at: path)
    let error = failure { _ = try Database.open(at: path) }
    #expect(error?.code == .unavailable && error?.isInUse == true)
    try database.close()
    #expect(failure { try database.document("a/b").delete() }?.isInUse == false)
  }

  /// A file that no user may write, with any rights.
  private static let unwritable = "/sys/kernel/uevent_seqnum"

  /// The advice to open the database for reading is for users who have one and want to change it.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: unwritable)))
  func advisesReadingWhereThatHelps() throws {
    try Database.open(at: path).close()
    try FileManager.default.removeItem(atPath: path + "/LOCK")
    try FileManager.default.createSymbolicLink(
      atPath: path + "/LOCK", withDestinationPath: Self.unwritable)
    let error = failure { _ = try Database.open(at: path) }
    #expect(error?.code == .permissionDenied)
    #expect(error?.message.contains("`.readOnly`") == true, "\(String(describing: error))")
    var options = Database.Options()
    options.access = .readOnly
    try Database.open(at: path, options: options).close()
    // There is no database to read.
    let missing = failure { _ = try Database.open(at: "/sys/kernel/cities.hearth") }
    #expect(missing?.code == .permissionDenied)
    #expect(missing?.message.contains("`.readOnly`") == false, "\(String(describing: missing))")
  }

  @Test func opensAndClosesAsynchronously() async throws {
    let database = try await Database.open(at: path)
    try await database.document("cities/tokyo").setData(["country": "JP"])
    try await database.close()
    let code = await code { _ = try await database.document("cities/tokyo").getDocument() }
    #expect(code == .failedPrecondition)
  }

  @Test func aDatabaseThatIsLetGoOfIsClosed() throws {
    do {
      let database = try Database.open(at: path)
      try database.document("cities/tokyo").setData([:])
    }
    let again = try Database.open(at: path)
    #expect(try again.document("cities/tokyo").getDocument().exists)
  }

  @Test func keepsCommitsWithoutSync() throws {
    var options = Database.Options()
    options.isDurable = false
    let database = try Database.open(at: path, options: options)
    try database.document("cities/tokyo").setData([:])
    try database.close()
    let again = try Database.open(at: path)
    #expect(try again.document("cities/tokyo").getDocument().exists)
  }

  @Test func createsNothingWhereItMustNot() {
    var options = Database.Options()
    options.createsIfMissing = false
    #expect(code { _ = try Database.open(at: path, options: options) } == .notFound)
  }

  @Test func refusesADatabaseThatIsOpenElsewhere() throws {
    let database = try Database.open(at: path)
    #expect(code { _ = try Database.open(at: path) } == .unavailable)
    try database.close()
    _ = try Database.open(at: path)
  }

  @Test func refusesAnotherIdentity() throws {
    var options = Database.Options()
    options.databaseID = try DatabaseID(project: "atlas")
    let database = try Database.open(at: path, options: options)
    #expect(try database.id().description == "projects/atlas/databases/(default)")
    try database.close()
    options.databaseID = try DatabaseID(project: "other")
    #expect(code { _ = try Database.open(at: path, options: options) } == .failedPrecondition)
    #expect(try Database.open(at: path).id().project == "atlas")
  }
}

@Suite struct ClosingTests {
  @Test(arguments: [true, false]) func everyCallAfterwardsIsRefused(isInMemory: Bool) throws {
    let folder = try TemporaryFolder()
    let database =
      isInMemory ? try Database.inMemory() : try Database.open(at: folder.path(of: "closed"))
    let cities = try database.collection("cities")
    let tokyo = try cities.document("tokyo")
    try database.close()
    try database.close()

    let calls: [(String, () throws -> Void)] = [
      ("getDocument", { _ = try tokyo.getDocument() }),
      ("setData", { try tokyo.setData([:]) }),
      ("delete", { try tokyo.delete() }),
      ("commit", { try database.commit([.set(tokyo.path, [:])]) }),
      ("getDocuments", { _ = try cities.getDocuments() }),
      ("count", { _ = try cities.count() }),
      ("forEachDocument", { try cities.forEachDocument { _ in true } }),
      ("explain", { _ = try cities.explain() }),
      ("indexesNotUsed", { _ = try cities.indexesNotUsed() }),
      ("listCollections", { _ = try database.listCollections() }),
      ("recursiveDelete", { try database.recursiveDelete("cities") }),
      ("indexes.list", { _ = try database.indexes.list() }),
      ("indexes.create", { try database.indexes.create(Cities.countryAndPopulation()) }),
      ("indexes.drop", { try database.indexes.drop(Cities.countryAndPopulation()) }),
      ("id", { _ = try database.id() }),
    ]
    for (name, call) in calls { #expect(code(call) == .failedPrecondition, "\(name)") }
  }
}
