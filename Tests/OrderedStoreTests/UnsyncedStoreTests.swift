import Foundation
import HearthLevelDBStore
import HearthOrderedStore
import TestSupport
import Testing

/// A store that was opened without syncs, and its record of that.
@Suite("Stores without syncs") struct UnsyncedStoreTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "database")
  }

  private func open(
    isDurable: Bool
  ) throws -> (store: LevelDBStore, report: StoreOpenReport) {
    var options = LevelDBOptions()
    options.isDurable = isDurable
    return try LevelDBStore.open(folder: path, options: options)
  }

  private var hasRecord: Bool { FileManager.default.fileExists(atPath: path + "/UNSYNCED") }

  @Test func recordsThatSyncsAreMissingWhileOpen() throws {
    let (store, report) = try open(isDurable: false)
    #expect(!store.isDurable && !report.isUncleanAfterPowerLoss)
    #expect(hasRecord)
    try write(store, 1)
    try store.close()
    #expect(!hasRecord)
    let (durable, second) = try open(isDurable: true)
    #expect(durable.isDurable && !second.isUncleanAfterPowerLoss)
    #expect(!hasRecord)
    try durable.close()
  }

  @Test func recordsTheDurabilityOfTheLastOpen() throws {
    for isDurable in [false, true, false] {
      try open(isDurable: isDurable).store.close()
      let text = try String(contentsOfFile: path + "/FORMAT", encoding: .utf8)
      #expect(text.hasSuffix(isDurable ? "durability synced\n" : "durability unsynced\n"))
    }
  }

  @Test func killedProcessLosesNothingAndNeedsNoCheck() throws {
    for isDurable in [true, false] {
      let crashed = try CrashedStore(batchByteCounts: [30, 30], isDurable: false)
      #expect(FileManager.default.fileExists(atPath: crashed.path + "/UNSYNCED"))
      let (batches, report) = try crashed.open(isDurable: isDurable)
      #expect(batches == [1, 2])
      #expect(!report.isUncleanAfterPowerLoss)
      #expect(!FileManager.default.fileExists(atPath: crashed.path + "/UNSYNCED"))
    }
  }

  /// The report stays until a caller has verified the store, however it is opened and closed
  /// meanwhile.
  @Test(arguments: [true, false])
  func reportsAPowerLossUntilVerified(_ isDurable: Bool) throws {
    let crashed = try CrashedStore(batchByteCounts: [30], isDurable: false)
    try crashed.pretendPowerLoss()
    for other in [isDurable, !isDurable, isDurable] {
      #expect(try crashed.open(isDurable: other).report.isUncleanAfterPowerLoss)
    }
    var options = LevelDBOptions()
    options.isDurable = isDurable
    let (store, report) = try LevelDBStore.open(folder: crashed.path, options: options)
    #expect(report.isUncleanAfterPowerLoss)
    try store.markVerified()
    #expect(FileManager.default.fileExists(atPath: crashed.path + "/UNSYNCED") == !isDurable)
    try store.close()
    #expect(try !crashed.open(isDurable: isDurable).report.isUncleanAfterPowerLoss)
  }
}
