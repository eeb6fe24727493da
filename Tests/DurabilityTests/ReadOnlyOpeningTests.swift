import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Hearth
import HearthLevelDBStore
import TestSupport
import Testing

/// Opening a database for reading alone when its files are not as their writer left them.
@Suite struct ReadOnlyOpeningTests {
  private let files: DatabaseFiles

  init() throws {
    files = try DatabaseFiles(commitCount: 3)
  }

  /// Opens the files, which must stay unchanged.
  ///
  /// - Returns: the report of the opening, and the commits that exist.
  private func open() throws -> (report: OpenReport, commits: [String]) {
    let before = try FolderTrace(files.path)
    var options = Database.Options()
    options.access = .readOnly
    let database = try Database.open(at: files.path, options: options)
    let documents = try database.collection("c").query.order(by: "n").getDocuments().documents
    let report = database.openReport
    try database.close()
    #expect(try FolderTrace(files.path) == before)
    return (report, documents.map(\.id).filter { $0 != "latest" })
  }

  @Test func readsWhatAKillLeaves() throws {
    let (report, commits) = try open()
    #expect(commits == ["1", "2", "3"])
    #expect(report.cutLogs.isEmpty && !report.isNew && !report.lacksRepair)
  }

  @Test func aTornTailIsPassedOverAndReported() throws {
    try files.change { $0.removeLast(5) }
    let (report, commits) = try open()
    #expect(commits == ["1", "2"])
    #expect(report.cutLogs.map(\.byteCount) == [files.logEnds[3] - files.logEnds[2] - 5])
  }

  @Test func commitTimesAheadOfTheClockAreReported() throws {
    struct FarAhead: EngineClock {
      func now() -> Timestamp { (try? Timestamp(microseconds: 4_000_000_000_000_000)) ?? .minimum }
    }
    #expect(try open().report.commitTimeLead == nil)
    let engine = try Engine(LevelDBStore.open(folder: files.path).store, clock: FarAhead())
    _ = try engine.commit([.set(ResourcePath("c/4"), ["n": 4])])
    try engine.close()
    let (report, commits) = try open()
    #expect(commits == ["1", "2", "3", "4"])
    #expect(try #require(report.commitTimeLead) > .seconds(1_000_000))
  }

  @Test func aPowerLossIsReportedAndNotMended() throws {
    try files.pretendPowerLoss()
    let (report, commits) = try open()
    #expect(commits == ["1", "2", "3"])
    #expect(report.lacksRepair && report.repairedEntryCount == nil)
    #expect(try files.open().report.repairedEntryCount == 0)
  }

  /// A kill right after the files were made, before the first record was written.
  @Test func aDatabaseThatWasNeverFinishedIsNotThere() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "new")
    try LevelDBStore.open(folder: path).store.close()
    let before = try FolderTrace(path)
    var options = Database.Options()
    options.access = .readOnly
    do throws(DatabaseError) {
      _ = try Database.open(at: path, options: options)
      Issue.record("a database was opened that isn't there")
    } catch {
      #expect(error.code == .notFound && error.message.contains(path), "\(error)")
      #expect(!error.message.contains("change it"))
    }
    #expect(try FolderTrace(path) == before)
    let database = try Database.open(at: path)
    try database.close()
    try Database.open(at: path, options: options).close()
  }

  @Test func aDamagedMiddleIsRefused() throws {
    let offset = files.logEnds[1] + 20
    try files.change { $0[offset] ^= 4 }
    let before = try FolderTrace(files.path)
    var options = Database.Options()
    options.access = .readOnly
    do throws(DatabaseError) {
      _ = try Database.open(at: files.path, options: options)
      Issue.record("a damaged database was opened")
    } catch {
      #expect(error.code == .dataLoss && error.message.contains("hearth salvage"))
    }
    #expect(try FolderTrace(files.path) == before)
  }
}
