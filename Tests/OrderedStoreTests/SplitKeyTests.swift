import LevelDBStore
import OrderedStore
import TestSupport
import Testing

/// Which keys are suspected of coming back, by the edits of a MANIFEST.
@Suite("Split keys") struct SplitKeyTests {
  private let older = Version(5, 10, isDeletion: false)
  private let newer = Version(5, 20, isDeletion: true)

  private func suspect(
    _ key: UInt8, _ sequence: UInt64, isExposed: Bool
  ) -> SplitKeys.Suspect {
    SplitKeys.Suspect(key: [key], olderSequence: sequence, isExposed: isExposed)
  }

  private func suspects(_ edits: EditBytes...) -> [SplitKeys.Suspect] {
    var keys = SplitKeys()
    for edit in edits {
      let isEdit = keys.apply(edit.bytes)
      #expect(isEdit)
    }
    return keys.suspects
  }

  @Test(arguments: [true, false])
  func neighboursThatShareAKeySplitIt(isLeftFirst: Bool) {
    let left = EditBytes().adding(1, 100, Version(1, 3), newer)
    let right = EditBytes().adding(1, 101, older, Version(9, 4))
    let found = isLeftFirst ? suspects(left, right) : suspects(right, left)
    #expect(found == [suspect(5, 10, isExposed: false)])
    let both = EditBytes().adding(2, 101, older, Version(9, 4)).adding(2, 100, Version(1, 3), newer)
    #expect(suspects(both) == found)
  }

  @Test func otherTablesSplitNothing() {
    let left = EditBytes().adding(1, 100, Version(1, 3), newer)
    #expect(suspects(left, EditBytes().adding(2, 101, older, Version(9, 4))).isEmpty)
    #expect(suspects(left, EditBytes().adding(1, 101, Version(6, 1), Version(9, 4))).isEmpty)
    // The tables of level 0 hold any keys, and go together.
    let upper = EditBytes().adding(0, 100, Version(1, 3), newer)
    #expect(suspects(upper, EditBytes().adding(0, 101, older, Version(9, 4))).isEmpty)
    // An older delete does what the newer one did.
    let deleted = Version(5, 10, isDeletion: true)
    #expect(suspects(left, EditBytes().adding(1, 101, deleted, Version(9, 4))).isEmpty)
  }

  @Test func aKeyIsExposedWhenTheNewerVersionsGoAlone() {
    let split = EditBytes().adding(2, 100, Version(1, 3), newer).adding(
      2, 101, older, Version(9, 4))
    let found = suspects(split)
    let upper = EditBytes().adding(1, 102, Version(2, 30), Version(2, 30))
    let dropped = EditBytes().removing(1, 102).removing(2, 100)
      .adding(2, 103, Version(1, 3), Version(4, 2))
    #expect(suspects(split, upper, dropped) == found + [suspect(5, 10, isExposed: true)])
    // With nothing left of the left table.
    let gone = EditBytes().removing(1, 102).removing(2, 100)
    #expect(suspects(split, upper, gone) == found + [suspect(5, 10, isExposed: true)])
    // What comes in its place has versions of the key too: they are newer.
    let kept = EditBytes().removing(1, 102).removing(2, 100)
      .adding(2, 103, Version(1, 3), Version(5, 20, isDeletion: false))
    #expect(suspects(split, upper, kept) == found)
    // Both went, or the older one did.
    let both = EditBytes().removing(2, 101).removing(2, 100)
      .adding(3, 103, Version(1, 3), Version(9, 4))
    #expect(suspects(split, upper, both) == found)
    let moved = EditBytes().removing(2, 101).adding(3, 101, older, Version(9, 4))
    #expect(suspects(split, upper, moved) == found)
  }

  @Test func aKeyMayFillATable() {
    let split = EditBytes()
      .adding(2, 100, Version(1, 3), newer)
      .adding(2, 101, Version(5, 15), Version(5, 12))
      .adding(2, 102, older, Version(9, 4))
    let found = suspects(split)
    #expect(found.count == 2)
    let first = suspects(split, EditBytes().removing(2, 100))
    #expect(first == found + [suspect(5, 15, isExposed: true)])
    let two = suspects(split, EditBytes().removing(2, 101).removing(2, 100))
    #expect(two == found + [suspect(5, 10, isExposed: true)])
    let other = suspects(split, EditBytes().removing(2, 100).removing(2, 101))
    #expect(other == found + [suspect(5, 10, isExposed: true)])
  }

  @Test func whatIsNoEditIsRefused() {
    var keys = SplitKeys()
    for bytes: [UInt8] in [[8], [6, 1], [7, 1, 1, 1, 3, 1, 2, 3], [200]] {
      let isEdit = keys.apply(bytes)
      #expect(!isEdit)
    }
    // A table that nobody knows goes.
    let isEdit = keys.apply(EditBytes().removing(1, 7).bytes)
    #expect(isEdit)
    #expect(keys.suspects.isEmpty)
  }
}

/// Reading a MANIFEST that grows.
@Suite("The end of a MANIFEST") struct ManifestTailTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "MANIFEST-000001")
  }

  @Test(arguments: 0..<3)
  func readsEachRecordOnceItIsWhole(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var payloads: [[UInt8]] = []
    var log: [UInt8] = []
    var ends: [Int] = []
    for number in 0..<24 {
      // Some end a few bytes before their block does.
      let left = 32_768 - log.count % 32_768
      let count =
        number % 4 == 0 && left > 20
        ? left - 7 - Int.random(in: 0...8, using: &random)
        : Int.random(in: 0...(number % 5 == 0 ? 90_000 : 3000), using: &random)
      payloads.append([UInt8](repeating: UInt8(number + 100), count: count))
      LogBytes.append(payloads[number], to: &log)
      ends.append(log.count)
    }
    let file = try GrowingFile(path)
    var tail = try ManifestTail(path)
    var written = 0
    var read: [[UInt8]] = []
    while written < log.count {
      let step = [1, 6, 100, 40_000].randomElement(using: &random) ?? 1
      let next = min(log.count, written + Int.random(in: 1...step, using: &random))
      try file.append(log[written..<next])
      written = next
      read += try tail.newRecords()
      #expect(read.count == ends.count { $0 <= written }, "seed \(seed), byte \(written)")
      let more = try tail.newRecords()
      #expect(more.isEmpty)
    }
    #expect(read == payloads)
  }

  @Test func refusesDamageBeforeAWholeRecord() throws {
    var log: [UInt8] = []
    LogBytes.append([1, 2, 3], to: &log)
    let good = log.count
    LogBytes.append([4, 5, 6], to: &log)
    log[good + 8] ^= 1
    let file = try GrowingFile(path)
    try file.append(log[...])
    var tail = try ManifestTail(path)
    // As far as anyone can tell it is still being written.
    let records = try tail.newRecords()
    #expect(records == [[1, 2, 3]])
    log = []
    LogBytes.append([7], to: &log)
    try file.append(log[...])
    do throws(StoreError) {
      _ = try tail.newRecords()
      Issue.record("damage was stepped over")
    } catch {
      #expect(error.code == .corrupt && error.message.contains("byte \(good)"), "\(error)")
    }
  }
}
