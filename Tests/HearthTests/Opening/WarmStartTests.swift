import Hearth
import HearthLevelDBStore
import HearthOrderedStore
import HearthStorageFormat
import TestSupport
import Testing

/// The warm start through the database's own door: the option, opening and close.
@Suite struct DatabaseWarmStartTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path(of: "cities.hearth") }

  init() throws { folder = try TemporaryFolder() }

  private func options(warm: Bool) -> Database.Options {
    var options = Database.Options()
    options.startsWarm = warm
    return options
  }

  private func open(warm: Bool) throws -> Database {
    try Database.open(at: path, options: options(warm: warm))
  }

  @Test(.timeLimit(.minutes(5))) func documentsComeBackAfterOpening() async throws {
    try writeAndRead()
    let second = try await Database.open(at: path, options: options(warm: true))
    while second.cacheStatistics.documentCount < 30 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(second.cacheStatistics.documentCount == 30)
    #expect(try await second.document("cities/7").getDocument().value("n") == 7)
    #expect(second.cacheStatistics.documentHitCount == 1)
    #expect(second.cacheStatistics.documentMissCount == 0)
    #expect(try await second.verify().isClean)
    try await second.close()
  }

  /// Writes 40 documents, reads 30 of them, and closes the database.
  private func writeAndRead() throws {
    let database = try open(warm: true)
    let cities = try database.collection("cities")
    var batch = database.batch()
    for number in 0..<40 {
      batch.setData(["n": .integer(Int64(number))], for: try cities.document("\(number)"))
    }
    try batch.commit()
    for number in 0..<30 { _ = try cities.document("\(number)").getDocument() }
    try database.close()
  }

  @Test(arguments: [false, true]) func onlyTheOptionLeavesANote(isWarm: Bool) throws {
    let database = try open(warm: isWarm)
    try database.document("cities/tokyo").setData(["n": 1])
    _ = try database.document("cities/tokyo").getDocument()
    try database.close()
    let store = try LevelDBStore.open(folder: path, options: LevelDBOptions()).store
    let key = StorageKey.hotDocuments(part: 0)
    #expect((try store.makeSnapshot().value(of: key) != nil) == isWarm)
    try store.close()
  }
}
