import Hearth
import TestSupport
import Testing

/// Opening a database whose log is not as its writer left it.
@Suite struct DamageTests {
  private static let commitCount = 8
  private let files: DatabaseFiles

  init() throws {
    files = try DatabaseFiles(commitCount: Self.commitCount)
  }

  private var allCommits: [Int] { Array(1..<Self.commitCount + 1) }
  private var log: String { "store/" + DatabaseFiles.log }

  @Test func aKillLosesNothing() throws {
    let (report, commits) = try files.open()
    #expect(commits == allCommits)
    #expect(report.cutLogs.isEmpty && !report.isNew && report.repairedEntryCount == nil)
  }

  /// One wrong bit in an acknowledged commit that others follow: data is lost, and only a person
  /// can decide.
  @Test(arguments: [0, 1, commitCount / 2, commitCount - 2])
  func aDamagedMiddleIsRefusedAndLeftAlone(_ commit: Int) throws {
    let offset = files.logEnds[commit] + 20
    try files.change { $0[offset] ^= 0x04 }
    let words = [log, "damaged", "at byte \(files.logEnds[commit])", "salvage"]
    try expectRefusal(.dataLoss, words, of: files)
    // With the bit restored no data is missing.
    try files.change { $0[offset] ^= 0x04 }
    #expect(try files.open().commits == allCommits)
  }

  @Test func aZeroedMiddleIsRefusedAndLeftAlone() throws {
    let zeros = files.logEnds[3]..<files.logEnds[4]
    try files.change { bytes in for offset in zeros { bytes[offset] = 0 } }
    try expectRefusal(.dataLoss, [log, "damaged", "\(Self.commitCount - 4) whole"], of: files)
  }

  /// The last commit was being written when the process ended: it was never acknowledged.
  @Test(arguments: [1, 5, 40])
  func aTornTailIsCutAndReported(_ missing: Int) throws {
    try files.change { $0.removeLast(missing) }
    try expectCut(byteCount: lastByteCount - missing)
  }

  @Test func aZeroedTailIsCutAndReported() throws {
    let start = files.logEnds[Self.commitCount - 1]
    try files.change { bytes in for offset in start + 30..<bytes.count { bytes[offset] = 0 } }
    try expectCut(byteCount: lastByteCount)
  }

  @Test(arguments: [7, 4096, 100_000])
  func zerosBehindTheLastCommitAreCut(_ count: Int) throws {
    try files.change { $0 += [UInt8](repeating: 0, count: count) }
    let (report, commits) = try files.open()
    #expect(commits == allCommits)
    #expect(report.cutLogs.map(\.byteCount) == [count])
  }

  @Test func damageInTheLastCommitIsCut() throws {
    try files.change { $0[$0.count - 10] ^= 1 }
    try expectCut(byteCount: lastByteCount)
  }

  private var lastByteCount: Int {
    files.logEnds[Self.commitCount] - files.logEnds[Self.commitCount - 1]
  }

  /// Expects every commit but the last, of which `byteCount` bytes were cut off.
  private func expectCut(byteCount: Int) throws {
    let (report, commits) = try files.open()
    #expect(commits == allCommits.dropLast())
    #expect(report.cutLogs.map(\.file) == [DatabaseFiles.log])
    #expect(report.cutLogs.map(\.byteCount) == [byteCount])
    // It is reported once: the file is good now.
    #expect(try files.open().report.cutLogs.isEmpty)
  }
}
