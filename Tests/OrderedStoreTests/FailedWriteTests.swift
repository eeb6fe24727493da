import Foundation
import HearthLevelDBStore
import HearthOrderedStore
import TestSupport
import Testing

/// The operations after a failed write.
@Suite("Failed writes") struct FailedWriteTests {
  /// The real store under a limit on the size of its files. Without the store's own refusal,
  /// LevelDB acknowledges later writes and loses them.
  @Test(arguments: [100_000, 1_000_000])
  func poisonTheStoreUntilItIsOpenedAgain(_ limit: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "database")
    let answer = try Probe("fill", path, "\(limit)").finish().split(separator: "\n")
    try #require(answer.count == 3, "\(answer)")
    let acknowledged = try #require(Int(answer[0].dropFirst("acknowledged ".count)))
    #expect(acknowledged > limit / 2000 && acknowledged < limit / 1000)
    #expect(answer[1] == "first refusal full")
    #expect(answer[2] == "later answers poisoned")

    let (store, report) = try LevelDBStore.open(folder: path)
    let entries = try store.makeSnapshot().entries()
    #expect(entries.count == acknowledged)
    for (number, entry) in entries.enumerated() {
      let byte = UInt8(number & 0xff)
      #expect(entry == Entry([UInt8(number >> 8), byte], [UInt8](repeating: byte, count: 1000)))
    }
    #expect(report.cuts.count == 1)
    #expect(report.lastSequence == UInt64(acknowledged))
    try write(store, 1)
    try store.close()
  }

  @Test(arguments: [
    ("Corruption: block checksum mismatch", StoreError.Code.corrupt),
    ("Corruption: 1 missing files; e.g.: /a/store/000005.ldb", .corrupt),
    ("NotFound: /a/store/000005.ldb: No such file or directory", .corrupt),
    ("IO error: /a/store/000005.ldb: No such file or directory", .corrupt),
    ("Invalid argument: /a/store: does not exist (create_if_missing is false)", .notAStore),
    ("Invalid argument: x does not match existing comparator : y", .notAStore),
    ("Invalid argument: something else", .inputOutput),
    ("IO error: lock /a/store/LOCK: Resource temporarily unavailable", .locked),
    ("IO error: lock /a/store/LOCK: already held by process", .locked),
    ("IO error: lock /a/store/LOCK: Permission denied", .permission),
    ("IO error: /a/store/LOCK: Permission denied", .permission),
    ("IO error: /a/store/000007.log: Read-only file system", .permission),
    ("IO error: /a/store/000007.log: Operation not permitted", .permission),
    ("IO error: /a/store/000007.log: No space left on device", .full),
    ("IO error: /a/store/000007.log: Disk quota exceeded", .full),
    ("IO error: /a/store/000007.log: File too large", .full),
    ("IO error: /a/store/000007.log: Too many open files", .tooManyFiles),
    ("IO error: /a/store/000007.log: Too many open files in system", .tooManyFiles),
    ("IO error: lock /a/store/LOCK: Too many open files", .tooManyFiles),
    ("IO error: lock /a/store/LOCK: No locks available", .inputOutput),
    ("IO error: lock /a/store/LOCK: Input/output error", .inputOutput),
    ("IO error: lock /a/store/LOCK: Invalid argument", .inputOutput),
    ("IO error: /a/store/000007.log: Cannot allocate memory", .inputOutput),
    ("IO error: Deleting DB during memtable compaction", .inputOutput),
    ("Not implemented: x", .inputOutput),
    ("", .inputOutput),
  ])
  func haveACodeByLevelDBsWords(_ words: String, _ code: StoreError.Code) {
    for operation in [LevelDBErrors.Operation.open, .read, .write] {
      #expect(LevelDBErrors.code(for: words, during: operation) == code)
    }
    // There is no data yet that could be lost.
    let making = LevelDBErrors.code(for: words, during: .make)
    #expect(making == (code == .corrupt ? .inputOutput : code))
  }

  /// A disk that can't read has lost its data; one that can't write hasn't.
  @Test(arguments: [
    "IO error: /a/store/000005.ldb: Input/output error",
    "IO error: /a/store/000005.ldb: Invalid argument",
    "IO error: /a/store/000005.sst: Invalid argument",
    "IO error: /a/store/000005.ldb: Structure needs cleaning",
    "IO error: /a/store/000005.ldb: Bad message",
  ])
  func haveACodeByTheOperation(_ words: String) {
    #expect(LevelDBErrors.code(for: words, during: .open) == .corrupt)
    #expect(LevelDBErrors.code(for: words, during: .read) == .corrupt)
    #expect(LevelDBErrors.code(for: words, during: .write) == .inputOutput)
    #expect(LevelDBErrors.code(for: words, during: .make) == .inputOutput)
  }

  /// Opening has read its files, other than tables, before this point; LevelDB now writes or syncs
  /// these.
  @Test(arguments: [
    "IO error: /a/store/MANIFEST-000007: Input/output error",
    "IO error: /a/store/000008.log: Input/output error",
    "IO error: /a/store/000008.dbtmp: Structure needs cleaning",
    "IO error: /a/store: Invalid argument",
  ])
  func areNoLossWhereOpeningWrites(_ words: String) {
    for operation in [LevelDBErrors.Operation.make, .open, .write] {
      #expect(LevelDBErrors.code(for: words, during: operation) == .inputOutput)
    }
  }
}

/// Bytes in a table that changed after they were written.
@Suite("Damaged tables") struct DamagedTableTests {
  private static let count = 2000

  /// The stores that read tables.
  enum Reader: CaseIterable, Sendable {
    case levelDB, readOnly
  }

  /// A read that is still inside the store delays the close. The words for the damaged key are
  /// requested from inside the read.
  @Test(arguments: Reader.allCases) func closeWaitsForARunningRead(_ reader: Reader) throws {
    let reading = Lock(ReadingState.outside)
    var options = uncompressed()
    options.describeKey = { _ in
      reading.withLock { $0 = .inside }
      reading.withLock(when: { $0 == .released }) { _ in }
      return "the key"
    }
    let (store, crashed) = try openDamaged(reader, options)
    defer { withExtendedLifetime(crashed) {} }
    let snapshot = try store.makeSnapshot()
    let ends = Lock<[String]>([])
    Thread {
      for number in 0..<Self.count where (try? snapshot.value(of: bigEndian(number))) == nil {
        break
      }
      ends.withLock { $0.append("read") }
    }.start()
    reading.withLock(when: { $0 == .inside }) { _ in }
    Thread {
      try? store.close()
      ends.withLock { $0.append("close") }
    }.start()
    // From the first refusal on, the close waits only for the read.
    while (try? store.makeSnapshot()) != nil {}
    for _ in 0..<1000 { #expect(ends.withLock { $0.isEmpty }) }
    reading.withLock { $0 = .released }
    ends.withLock(when: { $0.count == 2 }) { _ in }
  }

  private enum ReadingState { case outside, inside, released }

  private enum Part { case middle, index }

  /// Opens a store whose only table has a damaged block in the middle, or a damaged index.
  private func openDamaged(
    _ reader: Reader, _ reopening: LevelDBOptions? = nil, part: Part = .middle
  ) throws -> (store: any OrderedStore, crashed: CrashedStore) {
    let crashed = try CrashedStore(batchByteCounts: [1])
    let options = uncompressed()
    let (store, _) = try LevelDBStore.open(folder: crashed.path, options: options)
    var batch = StoreBatch()
    for number in 0..<Self.count { batch.put(bigEndian(number), bigEndian(number)) }
    try store.write(batch)
    try store.compact(from: nil, to: nil)
    try store.close()
    let table = try #require(
      try crashed.names().filter { $0.hasSuffix(".ldb") }.max { left, right in
        try crashed.bytes(of: left).count < crashed.bytes(of: right).count
      })
    try crashed.change(table) { bytes in
      let offset = part == .index ? TableBytes(bytes).index.lowerBound : bytes.count / 2
      bytes[offset] ^= 1
    }
    let damaged: any OrderedStore =
      switch reader {
      case .levelDB:
        try LevelDBStore.open(folder: crashed.path, options: reopening ?? options).store
      case .readOnly:
        try ReadOnlyStore.open(folder: crashed.path, options: reopening ?? options).store
      }
    return (damaged, crashed)
  }

  private func uncompressed() -> LevelDBOptions {
    var options = LevelDBOptions()
    options.isCompressed = false
    options.describeKey = { "number \($0.count == 4 ? Int($0[2]) << 8 + Int($0[3]) : -1)" }
    return options
  }

  @Test(arguments: Reader.allCases) func areToldByPointReads(_ reader: Reader) throws {
    let (store, crashed) = try openDamaged(reader)
    let snapshot = try store.makeSnapshot()
    var unreadable: [Int] = []
    for number in 0..<Self.count {
      do throws(StoreError) {
        #expect(try snapshot.value(of: bigEndian(number)) == bigEndian(number))
      } catch {
        #expect(error.code == .corrupt)
        #expect("\(error)".contains("number \(number) ") && "\(error)".contains(crashed.path))
        unreadable.append(number)
      }
    }
    #expect(unreadable.count > 10 && unreadable.count < 500)
  }

  /// LevelDB's iterator steps over the block and stays valid.
  @Test(arguments: Reader.allCases) func areToldToScansThatStopBeforeTheEnd(_ reader: Reader) throws
  {
    let (store, crashed) = try openDamaged(reader)
    defer { withExtendedLifetime(crashed) {} }
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: [])
    for _ in 0..<10 { try cursor.next() }
    try cursor.checkReads()
    var seen = 11
    while let entry = cursor.entry(), entry.key != bigEndian(Self.count - 10) {
      try cursor.next()
      seen += 1
    }
    #expect(cursor.isValid && seen < Self.count - 9)
    expectCorrupt { () throws(StoreError) in try cursor.checkReads() }
  }

  @Test(arguments: Reader.allCases) func areToldAtTheEndAndByEveryOtherMove(_ reader: Reader) throws
  {
    let (store, crashed) = try openDamaged(reader)
    defer { withExtendedLifetime(crashed) {} }
    let snapshot = try store.makeSnapshot()
    let whole = try snapshot.makeCursor()
    try whole.seek(to: [])
    expectCorrupt { () throws(StoreError) in while whole.isValid { try whole.next() } }
    let middle = (0..<Self.count).first { number in
      (try? snapshot.value(of: bigEndian(number))) == nil
    }
    let first = bigEndian(try #require(middle))
    for cursor in [try snapshot.makeCursor(), try snapshot.makeCursor()] {
      expectCorrupt { () throws(StoreError) in try cursor.seek(to: first) }
      #expect(!cursor.isValid)
      expectCorrupt { () throws(StoreError) in try cursor.seek(before: first) }
    }
    let behind = try snapshot.makeCursor()
    #expect(try behind.seekReadable(to: first))
    let next = try #require(behind.entry()).key
    #expect(first.lexicographicallyPrecedes(next))
    expectCorrupt { () throws(StoreError) in try behind.checkReads() }
    // A cursor that begins there meets no damage.
    let fresh = try snapshot.makeCursor()
    #expect(try !fresh.seekReadable(to: next) && fresh.entry()?.key == next)
    try fresh.checkReads()
    let backwards = try snapshot.makeCursor()
    try backwards.seek(to: bigEndian(Self.count - 1))
    expectCorrupt { () throws(StoreError) in while backwards.isValid { try backwards.previous() } }
  }

  /// LevelDB estimates without the parts that it can't read.
  @Test(arguments: Reader.allCases) func areNoReasonNotToEstimate(_ reader: Reader) throws {
    let (store, crashed) = try openDamaged(reader, part: .index)
    defer { withExtendedLifetime(crashed) {} }
    let last = bigEndian(Self.count / 2)
    expectCorrupt { () throws(StoreError) in _ = try store.makeSnapshot().value(of: last) }
    #expect(try store.approximateByteCount(from: [], to: last) >= 0)
    #expect(try store.approximateByteCount(from: last, to: last + [0]) >= 0)
  }

  private func expectCorrupt(_ body: () throws(StoreError) -> Void) {
    do throws(StoreError) {
      try body()
      Issue.record("damage was passed over")
    } catch {
      #expect(error.code == .corrupt, "\(error)")
    }
  }
}
