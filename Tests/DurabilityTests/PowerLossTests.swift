import HearthDocumentModel
import Foundation
import Hearth
import HearthLevelDBStore
import HearthOrderedStore
import HearthStorageFormat
import TestSupport
import Testing

/// A database that was open without syncs when the machine lost power.
@Suite struct PowerLossTests {
  private static let commitCount = 8
  private let files: DatabaseFiles

  init() throws {
    files = try DatabaseFiles(commitCount: Self.commitCount, isDurable: false)
  }

  /// Removes a part of an older log while a newer one stays, so that commits between them are
  /// missing.
  private func loseTheMiddle() throws {
    let log = "store/" + DatabaseFiles.log
    let (lost, split) = (files.logEnds[3], files.logEnds[5])
    var newer: [UInt8] = []
    try files.change(log) { bytes in
      newer = Array(bytes[split...])
      bytes.removeLast(bytes.count - split)
      for offset in lost..<bytes.count { bytes[offset] = 0 }
    }
    try files.change("store/000005.log") { $0 = newer }
  }

  @Test func aKillAloneNeedsNoRepair() throws {
    let (report, commits) = try files.open(isDurable: false)
    #expect(commits == Array(1..<Self.commitCount + 1))
    #expect(report.repairedEntryCount == nil)
  }

  @Test(arguments: [true, false])
  func theRestIsAnEarlierMoment(_ isDurable: Bool) throws {
    try loseTheMiddle()
    try files.pretendPowerLoss()
    let (report, commits) = try files.open(isDurable: isDurable)
    #expect(commits == [1, 2, 3])
    #expect(report.cutLogs.map(\.file) == [DatabaseFiles.log, "000005.log"])
    #expect(report.repairedEntryCount == 0)
    // Once verified, it is a database like any other.
    #expect(try files.open(isDurable: isDurable).report.repairedEntryCount == nil)
  }

  /// Without a power loss the same files are a loss of data: syncs had been promised, or the
  /// machine kept running.
  @Test func theSameLossIsRefusedWithoutAPowerLoss() throws {
    try loseTheMiddle()
    try expectRefusal(.dataLoss, [DatabaseFiles.log, "damaged", "000005.log"], of: files)
  }

  /// Entries without documents, and documents without entries: no order of writes could leave them,
  /// but a disk that lost some writes can.
  @Test func indexesAreRepaired() throws {
    let changed = try loseEntries()
    #expect(changed > 2)
    try files.pretendPowerLoss()
    let (report, commits) = try files.open(isDurable: false)
    #expect(report.repairedEntryCount == changed)
    #expect(commits == Array(1..<Self.commitCount + 1))
    #expect(try files.open().report.repairedEntryCount == nil)
  }

  /// Deletes every fifth entry of the automatic indexes and puts one in a place where none belongs.
  ///
  /// - Returns: the number of wrong entries.
  private func loseEntries() throws -> Int {
    let store = try LevelDBStore.open(folder: files.path).store
    var batch = StoreBatch()
    var keys: [[UInt8]] = []
    let automatic = try #require(StorageKey.entryPrefixes.dropFirst(3).first)
    let snapshot = try store.makeSnapshot()
    let cursor = try snapshot.makeCursor()
    try cursor.seek(to: automatic)
    while cursor.isValid {
      let key = Self.bytes(cursor.key)
      guard key.starts(with: automatic) else { break }
      keys.append(key)
      try cursor.next()
    }
    try cursor.checkReads()
    let lost = stride(from: 0, to: keys.count, by: 5).map { keys[$0] }
    for key in lost { batch.delete(key) }
    let kept = try #require(keys.dropFirst().first)
    let value = try #require(try snapshot.value(of: kept))
    // The entry of one document, in the place of another.
    let strayKey = try #require(keys.last).dropLast() + [0x7F]
    batch.put(Array(strayKey), value)
    try store.write(batch)
    try store.close()
    return lost.count + 1
  }

  private static func bytes(_ span: RawSpan) -> [UInt8] {
    unsafe span.withUnsafeBytes { unsafe Array($0) }
  }
}
