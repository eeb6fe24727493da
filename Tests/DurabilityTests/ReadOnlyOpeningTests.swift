import Hearth
import TestSupport
import Testing

/// What opening for reading alone does with files that are not as their writer left them.
@Suite struct ReadOnlyOpeningTests {
  private let files: DatabaseFiles

  init() throws {
    files = try DatabaseFiles(commitCount: 3)
  }

  /// Opens the files, which must stay as they are.
  ///
  /// - Returns: what opening reported, and the commits that are there.
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

  @Test func aPowerLossIsReportedAndNotMended() throws {
    try files.pretendPowerLoss()
    let (report, commits) = try open()
    #expect(commits == ["1", "2", "3"])
    #expect(report.lacksRepair && report.repairedEntryCount == nil)
    #expect(try files.open().report.repairedEntryCount == 0)
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
