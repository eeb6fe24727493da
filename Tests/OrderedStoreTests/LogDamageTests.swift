import HearthLevelDBStore
import HearthOrderedStore
import Testing

/// Opening a store with logs that a crash, or worse damage, has left.
@Suite("Damaged logs") struct LogDamageTests {
  private static let log = "000003.log"

  @Test func opensAStoreAfterAKill() throws {
    // The third batch spans blocks, and the fourth begins in the middle of one.
    let crashed = try CrashedStore(batchByteCounts: [30, 30, 100_000, 30])
    let (batches, report) = try crashed.open()
    #expect(batches == [1, 2, 3, 4])
    #expect(report.cuts.isEmpty && report.lastSequence == 4)
  }

  /// Every byte of every batch: damage to the last batch is cut off, to any other refused.
  @Test func judgesEachDamagedByte() throws {
    let batchCount = 4
    let crashed = try CrashedStore(batchByteCounts: [Int](repeating: 3, count: batchCount))
    let whole = try crashed.bytes()
    let lastStart = crashed.logEnds[batchCount - 1]
    for offset in whole.indices {
      var damaged = whole
      damaged[offset] ^= 1 << UInt8(offset % 8)
      let copy = try crashed.copy()
      try copy.replace(with: damaged)
      if offset < lastStart {
        let start = crashed.logEnds.last { $0 <= offset } ?? 0
        expectOpenRefusal(.corrupt, [Self.log, "at byte \(start)"], folder: copy.path)
        #expect(try copy.bytes() == damaged)
      } else {
        let (batches, report) = try copy.open()
        #expect(batches == [1, 2, 3])
        #expect(report.cuts.map(\.file) == [Self.log])
        #expect(report.cuts.map(\.byteOffset) == [lastStart])
        #expect(report.cuts.map(\.byteCount) == [whole.count - lastStart])
        #expect(report.cuts.map(\.batchCount) == [0])
      }
    }
  }

  /// Every length: the whole batches are left, and an end between two batches is no damage.
  @Test func judgesEachLength() throws {
    let crashed = try CrashedStore(batchByteCounts: [3, 3, 3])
    let whole = try crashed.bytes()
    for length in 0..<whole.count {
      let copy = try crashed.copy()
      try copy.replace(with: whole[..<length])
      let (batches, report) = try copy.open()
      let kept = crashed.logEnds.lastIndex { $0 <= length } ?? 0
      #expect(batches == Array(1..<kept + 1))
      #expect(report.lastSequence == UInt64(kept))
      let cutByteCount = length - crashed.logEnds[kept]
      #expect(report.cuts.map(\.byteCount) == (cutByteCount == 0 ? [] : [cutByteCount]))
      #expect(report.cuts.map(\.byteOffset) == (cutByteCount == 0 ? [] : [crashed.logEnds[kept]]))
    }
  }

  @Test(arguments: [1, 6, 7, 8, 500, 32_768, 40_000, 200_000])
  func cutsZerosAfterTheLastBatch(_ zeroCount: Int) throws {
    let crashed = try CrashedStore(batchByteCounts: [30, 100_000, 30])
    try crashed.change { $0 += [UInt8](repeating: 0, count: zeroCount) }
    let (batches, report) = try crashed.open()
    #expect(batches == [1, 2, 3])
    #expect(report.cuts.map(\.byteCount) == [zeroCount])
    #expect(try crashed.open().report.cuts.isEmpty)
  }

  @Test func cutsALastBatchThatTurnedToZeros() throws {
    let crashed = try CrashedStore(batchByteCounts: [30, 30, 100_000])
    let start = crashed.logEnds[2]
    // The middle alone, from the middle on, and all of it.
    for zeros in [start + 40_000..<start + 41_000, start + 40_000..<start + 90_000] {
      let copy = try crashed.copy()
      try copy.change { bytes in for offset in zeros { bytes[offset] = 0 } }
      let (batches, report) = try copy.open()
      #expect(batches == [1, 2])
      #expect(report.cuts.map(\.byteOffset) == [start])
    }
    try crashed.change { bytes in for offset in start..<bytes.count { bytes[offset] = 0 } }
    #expect(try crashed.open().batches == [1, 2])
  }

  @Test func refusesDamageInsideALongBatchThatOthersFollow() throws {
    let crashed = try CrashedStore(batchByteCounts: [30, 100_000, 30])
    for offset in [crashed.logEnds[1] + 3, 40_000, 70_000, crashed.logEnds[2] - 1] {
      let copy = try crashed.copy()
      try copy.change { $0[offset] ^= 0x10 }
      expectOpenRefusal(
        .corrupt, [Self.log, "at byte \(crashed.logEnds[1])", "1 whole batches"], folder: copy.path)
    }
  }

  @Test func checksContentsUnderGoodChecksums() throws {
    let crashed = try CrashedStore(batchByteCounts: [30])
    let good = try crashed.bytes()
    let next = LogBytes.record(LogBytes.batch(sequence: 2, number: 2))
    let control = try crashed.copy()
    try control.replace(with: good + next)
    #expect(try control.open().batches == [1, 2])
    var short = LogBytes.batch(sequence: 2, number: 2)
    short.removeLast()
    let long = LogBytes.batch(sequence: 2, number: 2) + [0]
    var miscounted = LogBytes.batch(sequence: 2, number: 2)
    miscounted[8] = 2
    var unknown = LogBytes.batch(sequence: 2, number: 2)
    unknown[12] = 7
    var overlong = LogBytes.batch(sequence: 2, number: 2)
    overlong.replaceSubrange(13..<14, with: [UInt8](repeating: 0xff, count: 11))
    for batch in [short, long, miscounted, unknown, overlong, [], [1]] {
      let last = try crashed.copy()
      try last.replace(with: good + LogBytes.record(batch))
      let (batches, report) = try last.open()
      #expect(batches == [1])
      #expect(report.cuts.map(\.byteOffset) == [good.count])
      let middle = try crashed.copy()
      try middle.replace(with: good + LogBytes.record(batch) + next)
      expectOpenRefusal(.corrupt, ["at byte \(good.count)"], folder: middle.path)
    }
  }

  @Test func refusesAGapInTheNumbers() throws {
    let crashed = try CrashedStore(batchByteCounts: [30, 30, 30])
    let ends = crashed.logEnds
    try crashed.change { $0.removeSubrange(ends[1]..<ends[2]) }
    expectOpenRefusal(.corrupt, ["at byte \(ends[1])"], folder: crashed.path)
  }

  /// Fragments that no writer leaves: a record that ends without a beginning, or the reverse.
  @Test func judgesFragmentsOutOfOrder() throws {
    let crashed = try CrashedStore(batchByteCounts: [30])
    let good = try crashed.bytes()
    let next = LogBytes.record(LogBytes.batch(sequence: 2, number: 2))
    for kind: UInt8 in [2, 3, 4, 5, 0] {
      let stray = LogBytes.record([1, 2, 3], kind: kind)
      let last = try crashed.copy()
      try last.replace(with: good + stray)
      #expect(try last.open().batches == [1])
      let middle = try crashed.copy()
      try middle.replace(with: good + stray + next)
      expectOpenRefusal(.corrupt, ["at byte \(good.count)"], folder: middle.path)
    }
    let whole = LogBytes.batch(sequence: 2, number: 2)
    let split =
      LogBytes.record(Array(whole[..<5]), kind: 2) + LogBytes.record(Array(whole[5..<6]), kind: 3)
      + LogBytes.record(Array(whole[6...]), kind: 4)
    try crashed.replace(with: good + split)
    #expect(try crashed.open().batches == [1, 2])
  }
}

/// Two live logs, as exist while the first becomes a table.
@Suite("Several damaged logs") struct SeveralLogsTests {
  private let crashed: CrashedStore
  private let ends: [Int]

  init() throws {
    crashed = try CrashedStore(batchByteCounts: [30, 30, 30, 30])
    ends = crashed.logEnds
    // A record may be anywhere within the first block.
    let bytes = try crashed.bytes()
    try crashed.replace(with: bytes[..<ends[2]])
    try crashed.replace("000005.log", with: bytes[ends[2]...])
  }

  @Test func opensBoth() throws {
    let (batches, report) = try crashed.open()
    #expect(batches == [1, 2, 3, 4])
    #expect(report.cuts.isEmpty && report.lastSequence == 4)
  }

  @Test func refusesDamageInTheOlder() throws {
    try crashed.change { $0[ends[1] + 3] ^= 1 }
    expectOpenRefusal(
      .corrupt, ["000003.log at byte \(ends[1])", "2 whole batches", "000005.log at byte 0"],
      folder: crashed.path)
  }

  @Test func refusesAMissingEndOfTheOlder() throws {
    try crashed.change { $0.removeLast($0.count - ends[1]) }
    expectOpenRefusal(.corrupt, ["000005.log at byte 0"], folder: crashed.path)
  }

  @Test func cutsTheEndOfTheNewer() throws {
    try crashed.change("000005.log") { $0.removeLast(5) }
    let (batches, report) = try crashed.open()
    #expect(batches == [1, 2, 3])
    #expect(report.cuts.map(\.file) == ["000005.log"])
  }

  @Test func cutsBothIfNoWholeBatchFollows() throws {
    try crashed.change { $0.removeLast(5) }
    try crashed.change("000005.log") { bytes in for i in bytes.indices { bytes[i] = 0 } }
    let (batches, report) = try crashed.open()
    #expect(batches == [1])
    #expect(report.cuts.map(\.file) == ["000003.log", "000005.log"])
  }

  /// Without syncs a later log may survive an earlier one; only the earlier commits are kept.
  @Test func keepsThePrefixOfAnUnsyncedStoreAfterAPowerLoss() throws {
    try crashed.change { $0[ends[1] + 3] ^= 1 }
    try crashed.pretendPowerLoss()
    let (batches, report) = try crashed.open(isDurable: false)
    #expect(batches == [1])
    #expect(report.isUncleanAfterPowerLoss)
    #expect(report.cuts.map(\.batchCount) == [0, 2])
    #expect(report.lastSequence == 1)
  }
}

@Suite("Damaged lists of files") struct ManifestDamageTests {
  private let crashed: CrashedStore
  private let manifest: String

  init() throws {
    // Opened once more, so that a table exists.
    crashed = try CrashedStore(batchByteCounts: [30, 30])
    _ = try crashed.open()
    manifest = try #require(try crashed.names().first { $0.hasPrefix("MANIFEST-") })
  }

  @Test func refusesDamageBeforeOtherEdits() throws {
    try crashed.change(manifest) { $0[10] ^= 1 }
    expectOpenRefusal(.corrupt, [manifest, "at byte 0"], folder: crashed.path)
  }

  @Test func refusesAMissingOrForeignCurrent() throws {
    for text in ["", "x", "MANIFEST-\n", "MANIFEST-000099\n", "../other\n"] {
      try crashed.replace("CURRENT", with: Array(text.utf8))
      expectOpenRefusal(.corrupt, ["damaged"], folder: crashed.path)
    }
    try crashed.remove("CURRENT")
    expectOpenRefusal(.corrupt, ["CURRENT", "missing"], folder: crashed.path)
  }

  @Test(arguments: [".ldb", ".log"])
  func refusesAMissingFile(_ suffix: String) throws {
    let name = try #require(try crashed.names().first { $0.hasSuffix(suffix) })
    try crashed.remove(name)
    expectOpenRefusal(.corrupt, ["missing"], folder: crashed.path)
    // No file was made in its place.
    #expect(try !crashed.names().contains(name))
  }

  @Test func refusesAMissingStore() throws {
    try crashed.remove("")
    expectOpenRefusal(.corrupt, ["store is missing"], folder: crashed.path)
  }

  /// A crash while an edit was appended; the edit had no effect yet.
  @Test func cutsATornEdit() throws {
    let whole = try crashed.bytes(of: manifest)
    let torn: [[UInt8]] = [
      [1], [1, 2, 3, 4, 5, 6, 7, 8], [UInt8](repeating: 0, count: 100),
      LogBytes.record([2, 9]).dropLast(),
    ]
    for end in torn {
      let copy = try crashed.copy()
      try copy.replace(manifest, with: whole + end)
      let (batches, report) = try copy.open()
      #expect(batches == [1, 2])
      #expect(report.cuts.map(\.file) == [manifest])
      #expect(report.cuts.map(\.byteCount) == [end.count])
    }
  }

  @Test func refusesEditsThatAreNone() throws {
    let whole = try crashed.bytes(of: manifest)
    let edits: [[UInt8]] = [[], [99], [2], [1, 200, 1], [7, 0, 1, 1, 1], [6, 0]]
    for edit in edits.dropFirst() {
      try crashed.replace(manifest, with: whole + LogBytes.record(edit))
      expectOpenRefusal(.corrupt, [manifest, "at byte \(whole.count)"], folder: crashed.path)
    }
  }
}
