import Foundation
import Hearth
import HearthFirestoreJSON
import HearthServer
import HearthServerCalls
import Synchronization
import TestSupport
import Testing

/// The databases of a server: opened at their first use, and closed when no caller uses them.
@Suite(.timeLimit(.minutes(10))) struct DatabaseRegistryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func registry(
    limit: Int = 100, idleTime: Duration = .zero, cacheByteCount: Int = 512 << 20,
    _ change: (inout ServedDatabases) -> Void = { _ in }
  ) throws -> DatabaseRegistry {
    var served = ServedDatabases.folder(folder.path(of: "data"))
    change(&served)
    return DatabaseRegistry(
      try DatabasePlaces(served), limit: limit, idleTime: idleTime, cacheByteCount: cacheByteCount,
      pause: { await Task.yield() })
  }

  private static func id(_ project: String, _ database: String = "(default)") throws -> DatabaseID {
    try DatabaseID(project: project, database: database)
  }

  /// Runs `body`, in which the synchronous forms of calls are meant. The other ones have threads
  /// that may hold the database for a moment after the call.
  private static func here<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

  /// Writes a document into a database.
  private static func write(
    _ number: Int, in id: DatabaseID, of registry: DatabaseRegistry
  ) async throws {
    let database = try await registry.database(id, for: .writing)
    _ = try here { try database.document("c/a").setData(["n": .integer(Int64(number))]) }
  }

  private static func number(
    in id: DatabaseID, of registry: DatabaseRegistry
  ) async throws -> Value? {
    let database = try await registry.database(id, for: .reading)
    return try here { try database.document("c/a").getDocument().data()?["n"] }
  }

  /// Names below a folder of the test; none if it is missing.
  private func names(in name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(of: name))) ?? []).sorted()
  }

  private static var openFileCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
  }

  // MARK: Making and opening

  @Test func eachDatabaseHasItsFolder() async throws {
    let registry = try registry()
    let ids = [
      try Self.id("p"), try Self.id("p", "b"), try Self.id("q"), try Self.id("Q.1"),
      try Self.id("é", "a b"),
    ]
    for (number, id) in ids.enumerated() { try await Self.write(number, in: id, of: registry) }
    for (number, id) in ids.enumerated() {
      #expect(try await Self.number(in: id, of: registry) == .integer(Int64(number)))
    }
    #expect(names(in: "data") == ["%C3%A9", "Q%2E1", "p", "q"])
    #expect(names(in: "data/p") == ["(default)", "b"])
    #expect(names(in: "data/%C3%A9") == ["a%20b"])
    await registry.closeAll()
  }

  @Test func aReadMakesNothing() async throws {
    let registry = try registry()
    #expect(try await Self.number(in: Self.id("p"), of: registry) == nil)
    #expect(names(in: "data") == [])
    try await Self.write(1, in: Self.id("p"), of: registry)
    #expect(try await Self.number(in: Self.id("p"), of: registry) == .integer(1))
    await registry.closeAll()
  }

  /// The tool can make a database while the server runs.
  @Test func aDatabaseThatWasMadeElsewhereIsFound() async throws {
    let registry = try registry()
    let id = try Self.id("p")
    #expect(try await Self.number(in: id, of: registry) == nil)
    let other = try self.registry()
    try await Self.write(7, in: id, of: other)
    await other.closeAll()
    #expect(try await Self.number(in: id, of: registry) == .integer(7))
    await registry.closeAll()
  }

  @Test func manyCallersOpenOnce() async throws {
    let (registry, id) = (try registry(), try Self.id("p"))
    let found = try await withThrowingTaskGroup(of: Database.self) { group in
      for _ in 0..<100 {
        group.addTask { try await registry.database(id, for: .writing) }
      }
      return try await group.reduce(into: [Database]()) { $0.append($1) }
    }
    #expect(found.count == 100)
    #expect(Set(found.map(ObjectIdentifier.init)).count == 1)
    #expect(registry.openCount == 1)
    await registry.closeAll()
  }

  /// A folder in the way fails every attempt, and none holds up the next one.
  @Test func aFailedOpeningIsToldToAll() async throws {
    let id = try Self.id("p")
    let path = folder.path(of: "data/p/(default)")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data("no database".utf8).write(to: URL(filePath: path + "/FORMAT"))
    let registry = try registry()
    let codes = await withTaskGroup(of: DatabaseError.Code?.self) { group in
      for _ in 0..<20 {
        group.addTask {
          do throws(DatabaseError) {
            _ = try await registry.database(id, for: .reading)
            return nil
          } catch {
            return error.code
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes == Array(repeating: .notFound, count: 20))
    #expect(registry.openCount == 0)
    await registry.closeAll()
  }

  @Test func onlyKnownDatabasesAreServed() async throws {
    let made = try registry()
    try await Self.write(1, in: Self.id("p"), of: made)
    await made.closeAll()
    let registry = try registry { $0.makesUnknown = false }
    #expect(try await Self.number(in: Self.id("p"), of: registry) == .integer(1))
    for use in [DatabaseUse.reading, .writing] {
      let error = await #expect(throws: DatabaseError.self) {
        _ = try await registry.database(Self.id("q", "d"), for: use)
      }
      #expect(error?.code == .notFound)
      #expect(
        error?.message == "The database d does not exist for project q Please visit "
          + "https://console.cloud.google.com/datastore/setup?project=q to add a Cloud Datastore "
          + "or Cloud Firestore database. ")
    }
    #expect(names(in: "data") == ["p"])
    await registry.closeAll()
  }

  @Test(arguments: [
    ".", "..", String(repeating: "a", count: 256), String(repeating: "é", count: 43),
  ])
  func idsThatNameNoFolderAreRefused(id: String) async throws {
    let registry = try registry()
    for use in [DatabaseUse.reading, .writing] {
      for id in [try Self.id(id), try Self.id("p", id)] {
        let error = await #expect(throws: DatabaseError.self) {
          _ = try await registry.database(id, for: use)
        }
        #expect(error?.code == .invalidArgument)
      }
    }
    #expect(names(in: "data") == [])
    #expect(names(in: "").allSatisfy { $0 == "data" })
    await registry.closeAll()
  }

  /// Ids that a file system would read as a path, or as nothing.
  @Test(arguments: ["...", ".removed", "~", "\u{0}", "..\u{0}", "%2E%2E", "-", "a\\b", "*", "\n"])
  func strangeIdsAreFoldersOfTheirOwn(id: String) async throws {
    let registry = try registry()
    try await Self.write(1, in: try Self.id(id, id), of: registry)
    let projects = names(in: "data")
    #expect(projects.count == 1)
    #expect(names(in: "data/\(projects.first ?? "")") == projects)
    #expect(projects.first?.contains(/^[A-Za-z0-9%-]+$/) == true)
    await registry.closeAll()
  }

  // MARK: Closing

  @Test func anIdleDatabaseIsClosedAndFoundAgain() async throws {
    let (registry, id) = (try registry(), try Self.id("p"))
    try await Self.write(1, in: id, of: registry)
    await registry.closeIdle()
    #expect(registry.openCount == 0)
    #expect(try await Self.number(in: id, of: registry) == .integer(1))
    await registry.closeAll()
  }

  @Test func aDatabaseIsIdleOnlyAfterAWhile() async throws {
    let registry = try registry(idleTime: .seconds(3600))
    try await Self.write(1, in: Self.id("p"), of: registry)
    await registry.closeIdle()
    #expect(registry.openCount == 1)
    await registry.closeAll()
  }

  @Test func aHolderKeepsADatabaseOpen() async throws {
    let registry = try registry(limit: 1)
    let id = try Self.id("p")
    try await Self.write(1, in: id, of: registry)
    do {
      let database = try await registry.database(id, for: .reading)
      let document = try Self.here { try database.document("c/a") }
      await registry.closeIdle()
      #expect(registry.openCount == 1)
      let error = await #expect(throws: DatabaseError.self) {
        _ = try await registry.database(Self.id("q"), for: .reading)
      }
      #expect(error?.code == .resourceExhausted)
      let found = try Self.here { try document.getDocument() }
      #expect(found.exists)
    }
    #expect(try await Self.number(in: Self.id("q"), of: registry) == nil)
    await registry.closeAll()
  }

  /// A call that holds its database while another one waits, but not to the end of that.
  private final class Holder: Sendable {
    private let database = Mutex<Database?>(nil)
    private let pausesLeft = Mutex(DatabaseRegistry.pauseCount)

    func hold(_ database: Database) { self.database.withLock { $0 = database } }

    @Sendable func pause() async {
      let isLast = pausesLeft.withLock { pausesLeft in
        pausesLeft -= 1
        return pausesLeft == 0
      }
      if isLast { database.withLock { $0 = nil } }
    }
  }

  @Test func aDatabaseThatIsGivenBackMakesRoom() async throws {
    let holder = Holder()
    let places = try DatabasePlaces(.folder(folder.path(of: "data")))
    let registry = DatabaseRegistry(places, limit: 1, pause: holder.pause)
    holder.hold(try await registry.database(Self.id("p"), for: .writing))
    #expect(try await Self.number(in: Self.id("q"), of: registry) == nil)
    await registry.closeAll()
  }

  // MARK: Memory

  @Test func theCachesShareTheirMemory() async throws {
    let registry = try registry(cacheByteCount: 64 << 20)
    try await Self.write(0, in: Self.id("p0"), of: registry)
    #expect(registry.openCacheByteCount == 16 << 20)
    for number in 1..<8 { try await Self.write(number, in: Self.id("p\(number)"), of: registry) }
    #expect((48 << 20...64 << 20).contains(registry.openCacheByteCount))
    await registry.closeIdle()
    #expect(registry.openCacheByteCount == 0)
    await registry.closeAll()
  }

  @Test func aDatabaseKeepsNoMoreThanItsShare() async throws {
    // A MiB for each, of which the documents have 32 parts of 120.
    let registry = try registry(cacheByteCount: 0)
    let database = try await registry.database(Self.id("p"), for: .writing)
    let text = Value.string(String(repeating: "a", count: 100_000))
    let kept = try Self.here {
      for number in 0..<10 {
        let document = try database.document("c/\(number)")
        _ = try document.setData(["text": text])
        _ = try document.getDocument()
      }
      return try database.statistics().caches.documentByteCount
    }
    #expect(kept < 300_000)
    await registry.closeAll()
  }

  @Test func theLongestIdleMakesRoom() async throws {
    let registry = try registry(limit: 2)
    for project in ["a", "b", "a", "c"] {
      try await Self.write(1, in: Self.id(project), of: registry)
    }
    #expect(registry.openCount == 2)
    // The lock tells which is open: b was closed for c.
    for (project, isOpen) in [("a", true), ("b", false), ("c", true)] {
      var options = Database.Options()
      options.createsIfMissing = false
      let path = folder.path(of: "data/\(project)/(default)")
      do throws(DatabaseError) {
        let database = try await Database.open(at: path, options: options)
        try await database.close()
        #expect(!isOpen)
      } catch {
        #expect(error.isInUse && isOpen)
      }
    }
    await registry.closeAll()
  }

  @Test func nothingIsOpenedAfterTheEnd() async throws {
    let registry = try registry()
    try await Self.write(1, in: Self.id("p"), of: registry)
    await registry.closeAll()
    #expect(registry.openCount == 0)
    let error = await #expect(throws: DatabaseError.self) {
      _ = try await registry.database(Self.id("p"), for: .reading)
    }
    #expect(error?.code == .unavailable)
  }

  // MARK: Removing

  @Test func aRemovedDatabaseIsEmpty() async throws {
    let (registry, id) = (try registry(), try Self.id("p"))
    try await Self.write(1, in: id, of: registry)
    try await Self.write(2, in: Self.id("p", "other"), of: registry)
    try await registry.remove(id)
    #expect(names(in: "data/p") == ["other"])
    #expect(try await Self.number(in: id, of: registry) == nil)
    #expect(try await Self.number(in: Self.id("p", "other"), of: registry) == .integer(2))
    await registry.closeAll()
  }

  @Test func aThousandProjectsLeaveNothing() async throws {
    let registry = try registry(limit: 8)
    // What the process opens once stays open.
    try await Self.write(0, in: Self.id("first"), of: registry)
    try await registry.remove(Self.id("first"))
    let before = Self.openFileCount
    for number in 0..<1_000 {
      let id = try Self.id("demo-\(number)")
      try await Self.write(number, in: id, of: registry)
      #expect(try await Self.number(in: id, of: registry) == .integer(Int64(number)))
      try await registry.remove(id)
    }
    #expect(registry.openCount == 0)
    #expect(names(in: "data") == [])
    // Other tests open files at the same time; a thousand databases would have five each.
    #expect(Self.openFileCount < before + 1_000)
    await registry.closeAll()
  }

  // MARK: Other places

  @Test func databasesInMemoryStay() async throws {
    let registry = DatabaseRegistry(try DatabasePlaces(.inMemory), limit: 2)
    try await Self.write(1, in: Self.id("p"), of: registry)
    try await Self.write(2, in: Self.id("q"), of: registry)
    await registry.closeIdle()
    #expect(try await Self.number(in: Self.id("p"), of: registry) == .integer(1))
    let error = await #expect(throws: DatabaseError.self) {
      _ = try await registry.database(Self.id("r"), for: .writing)
    }
    #expect(error?.code == .resourceExhausted)
    try await registry.remove(Self.id("q"))
    #expect(try await Self.number(in: Self.id("q"), of: registry) == nil)
    await registry.closeAll()
  }

  @Test func aThousandProjectsInMemoryAreReleased() async throws {
    let registry = DatabaseRegistry(try DatabasePlaces(.inMemory), limit: 4)
    weak var last: Database?
    for number in 0..<1_000 {
      let id = try Self.id("demo-\(number)")
      try await Self.write(number, in: id, of: registry)
      last = try await registry.database(id, for: .reading)
      try await registry.remove(id)
    }
    #expect(registry.openCount == 0)
    // The thread that closed it lets go of it at once, or never.
    while last != nil { await Task.yield() }
  }

  @Test func aFolderThatIsADatabaseIsServedAlone() async throws {
    let path = folder.path(of: "one")
    var options = Database.Options()
    options.databaseID = try Self.id("mine")
    let database = try await Database.open(at: path, options: options)
    try await database.document("c/a").setData(["n": 5])
    try await database.close()
    let places = try DatabasePlaces(.folder(path))
    #expect(places.only == options.databaseID)
    let registry = DatabaseRegistry(places, limit: 10)
    #expect(try await Self.number(in: Self.id("mine"), of: registry) == .integer(5))
    let error = await #expect(throws: DatabaseError.self) {
      _ = try await registry.database(Self.id("other"), for: .writing)
    }
    #expect(error?.code == .notFound)
    await registry.closeAll()
    var served = ServedDatabases.folder(path)
    served.project = "other"
    #expect(throws: DatabaseError.self) { _ = try DatabasePlaces(served) }
  }

  @Test func aFileIsNoFolder() throws {
    let path = folder.path(of: "file")
    try Data().write(to: URL(filePath: path))
    let error = #expect(throws: DatabaseError.self) { _ = try DatabasePlaces(.folder(path)) }
    #expect(error?.code == .failedPrecondition)
  }

  @Test func databasesGetTheIndexesOfTheFile() async throws {
    let index = """
      {"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [
        {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "ASCENDING"}]}]}
      """
    let file = try IndexFile(text: index)
    let registry = try registry { $0.indexes = file }
    for use in [DatabaseUse.reading, .writing] {
      let database = try await registry.database(Self.id("p"), for: use)
      let query = try database.collection("c").whereField("a", isEqualTo: 1).order(by: "b")
      let found = try Self.here { try query.getDocuments() }
      #expect(found.isEmpty)
    }
    await registry.closeAll()
  }
}
