import Foundation
import HearthLevelDBStore
import HearthOrderedStore
import TestSupport
import Testing

/// Reads of a store without LevelDB, which leave no trace in it.
@Suite("Read-only stores") struct ReadOnlyStoreTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static var options: LevelDBOptions {
    var options = LevelDBOptions()
    options.isDurable = false
    // Small, so that there are several levels, of several blocks.
    options.writeBufferByteCount = 64 << 10
    options.tableByteCount = 1 << 20
    options.blockByteCount = 512
    return options
  }

  // MARK: The law

  /// All that LevelDB holds, in tables of all levels and in logs, is read without it.
  @Test func readsAsLevelDBDoes() throws {
    let count = GeneratedCases.count(unlessTold: 6)
    let seed = GeneratedCases.seed(count: count)
    for number in 0..<count {
      let path = folder.path(of: "\(number)")
      let writer = try LevelDBStore.open(folder: path, options: Self.options).store
      var generator = SplitMix64(seed: seed &+ UInt64(number))
      try Self.fill(writer, &generator)
      let expected = try writer.makeSnapshot()
      let reader = try ReadOnlyStore.open(folder: path).store
      try Self.compare(reader.makeSnapshot(), expected, &generator)
      try writer.close()
      let again = try ReadOnlyStore.open(folder: path).store
      let entries = try again.makeSnapshot().entries()
      #expect(try reader.makeSnapshot().entries() == entries)
      #expect(!entries.isEmpty)
    }
  }

  /// LevelDB ends no table before 1 MiB, so this takes some megabytes.
  @Test func readsLevelsOfSeveralTables() throws {
    let path = folder.path(of: "wide")
    let writer = try makeWideStore(path)
    var generator = SplitMix64(seed: 7)
    let names = try FileManager.default.contentsOfDirectory(atPath: path + "/store")
    #expect(names.count { $0.hasSuffix(".ldb") } > 3)
    for _ in 0..<200 {
      var batch = StoreBatch()
      batch.delete(Self.key(&generator))
      batch.put(Self.key(&generator), [1])
      try writer.write(batch)
    }
    let reader = try ReadOnlyStore.open(folder: path).store
    try Self.compare(reader.makeSnapshot(), writer.makeSnapshot(), &generator)
    try writer.close()
  }

  /// Writes a store with several tables on one level.
  private func makeWideStore(_ path: String) throws -> LevelDBStore {
    let store = try LevelDBStore.open(folder: path, options: Self.options).store
    var generator = SplitMix64(seed: 7)
    for number in 0..<2000 {
      var batch = StoreBatch()
      batch.put(
        Self.key(number), (0..<2500).map { _ in UInt8.random(in: 0...255, using: &generator) })
      try store.write(batch)
    }
    try store.compact(from: nil, to: nil)
    return store
  }

  private static func key(_ generator: inout SplitMix64) -> [UInt8] {
    key(Int.random(in: 0..<2000, using: &generator))
  }

  private static func key(_ number: Int) -> [UInt8] {
    // Keys of different lengths, some of them the beginnings of others.
    Array("k\(number % 40)\(number % 3 == 0 ? "" : "/\(number)")".utf8)
  }

  private static func fill(
    _ store: LevelDBStore, _ generator: inout SplitMix64
  ) throws {
    for _ in 0..<Int.random(in: 1...300, using: &generator) {
      var batch = StoreBatch()
      for _ in 0..<Int.random(in: 0...20, using: &generator) {
        let key = key(&generator)
        if generator.oneIn(4) {
          batch.delete(key)
        } else {
          let count =
            generator.oneIn(200) ? 20_000 : Int.random(in: 0..<150, using: &generator)
          batch.put(key, (0..<count).map { _ in UInt8.random(in: 0..<9, using: &generator) })
        }
      }
      batch.put(key(&generator), [1])
      try store.write(batch)
      if generator.oneIn(80) { try store.compact(from: nil, to: nil) }
      if generator.oneIn(40) { try store.compact(from: key(&generator), to: key(&generator)) }
    }
  }

  private static func compare(
    _ tested: any StoreSnapshot, _ expected: any StoreSnapshot, _ generator: inout SplitMix64
  ) throws {
    let entries = try expected.entries()
    #expect(try tested.entries() == entries)
    #expect(try tested.entriesBackwards() == entries.reversed())
    let (left, right) = (try tested.makeCursor(), try expected.makeCursor())
    for _ in 0..<300 {
      let key = key(&generator)
      #expect(try tested.value(of: key) == expected.value(of: key))
      for cursor in [left, right] { try cursor.seek(to: key) }
      #expect(left.entry() == right.entry())
      for _ in 0..<3 where left.isValid && right.isValid {
        let isForward = generator.oneIn(2)
        for cursor in [left, right] {
          if isForward { try cursor.next() } else { try cursor.previous() }
        }
        #expect(left.entry() == right.entry())
      }
      for cursor in [left, right] { try cursor.seek(before: key) }
      #expect(left.entry() == right.entry())
    }
  }

  // MARK: Files left as they are

  /// Writes a store with tables and a log, as a killed process leaves it.
  private func makeStore() throws -> (path: String, entries: [Entry]) {
    let path = folder.path(of: "whole")
    let store = try LevelDBStore.open(folder: path, options: Self.options).store
    var generator = SplitMix64(seed: 1)
    try Self.fill(store, &generator)
    try write(store, 7)
    let entries = try store.makeSnapshot().entries()
    let copy = folder.path(of: "copy")
    try store.close()
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    return (copy, entries)
  }

  @Test func leavesTheFolderAsItIs() throws {
    let (path, entries) = try makeStore()
    for name in ["LOCK", "store/LOCK"] {
      try FileManager.default.removeItem(atPath: path + "/" + name)
    }
    let before = try FolderTrace(path)
    let (store, report) = try ReadOnlyStore.open(folder: path)
    #expect(report.cuts.isEmpty && !report.isNew)
    #expect(try store.makeSnapshot().entries() == entries)
    #expect(try store.makeSnapshot().entriesBackwards() == entries.reversed())
    _ = try store.approximateByteCount(from: [], to: [0xff])
    expectReadOnly { () throws(StoreError) in try store.write(StoreBatch()) }
    expectReadOnly { () throws(StoreError) in try store.compact(from: nil, to: nil) }
    expectReadOnly { () throws(StoreError) in try store.checkWritable() }
    #expect(try FolderTrace(path) == before)
    try store.close()
    #expect(try FolderTrace(path) == before)
  }

  private func expectReadOnly(_ body: () throws(StoreError) -> Void) {
    do throws(StoreError) {
      try body()
      Issue.record("a store that is only read took a change")
    } catch {
      #expect(error.code == .readOnly && "\(error)".contains("reading only"))
    }
  }

  /// The reader is a user without any right to write, since the tests may run as one with every
  /// right, and the disk appears to have no space left.
  @Test func needsNoRightToWriteAndNoSpace() throws {
    let (path, entries) = try makeStore()
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      try allow(name == "store" ? 0o555 : 0o444, path + "/" + name)
    }
    try allow(0o555, path)
    try allow(0o755, folder.path)
    let before = try FolderTrace(path)
    let answer = try Probe("read", path, "65534").finish()
    #expect(answer == "read \(entries.count)\n")
    #expect(try FolderTrace(path) == before)
    let refusal = try Probe("open", path, "65534").finish()
    #expect(refusal.hasPrefix("permission: "))
    for item in [path, path + "/store"] { try allow(0o755, item) }
  }

  private func allow(_ rights: Int, _ item: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: item)
  }

  @Test func missingForeignAndNewerStoresAreToldApart() throws {
    let missing = folder.path(of: "missing")
    #expect(refusal { _ = try ReadOnlyStore.open(folder: missing) }?.code == .notAStore)
    #expect(!FileManager.default.fileExists(atPath: missing))
    #expect(refusal { _ = try ReadOnlyStore.open(folder: folder.path) }?.code == .notAStore)
    let (path, _) = try makeStore()
    try Data("Hearth database\nformat 2\n".utf8).write(to: URL(fileURLWithPath: path + "/FORMAT"))
    #expect(refusal { _ = try ReadOnlyStore.open(folder: path) }?.code == .newerFormat)
  }

  private func refusal(_ body: () throws -> Void) -> StoreError? {
    do {
      try body()
    } catch let error as StoreError {
      return error
    } catch {
      Issue.record("\(error)")
    }
    return nil
  }

  // MARK: Crashes and damage

  @Test func passesOverATornTailAndTellsOfIt() throws {
    let crashed = try CrashedStore(batchByteCounts: [50, 60, 70])
    try crashed.change { $0.removeLast(20) }
    let before = try FolderTrace(crashed.path)
    let (store, report) = try ReadOnlyStore.open(folder: crashed.path)
    #expect(report.cuts.map(\.byteOffset) == [crashed.logEnds[2]])
    #expect(report.lastSequence == 2)
    #expect(try store.makeSnapshot().entries().map(\.key) == [[1], [2]])
    #expect(try FolderTrace(crashed.path) == before)
  }

  @Test func refusesALogThatLacksWhatOthersFollow() throws {
    let crashed = try CrashedStore(batchByteCounts: [50, 60, 70])
    try crashed.change { [offset = crashed.logEnds[1] + 20] in $0[offset] ^= 1 }
    #expect(refusal { _ = try ReadOnlyStore.open(folder: crashed.path) }?.code == .corrupt)
    // Commits without syncs are read up to there.
    try crashed.pretendPowerLoss()
    let (store, report) = try ReadOnlyStore.open(folder: crashed.path)
    #expect(report.isUncleanAfterPowerLoss && report.cuts.map(\.batchCount) == [1])
    #expect(try store.makeSnapshot().entries().map(\.key) == [[1]])
  }

  @Test func refusesAStoreThatLacksATable() throws {
    let (path, _) = try makeStore()
    let names = try FileManager.default.contentsOfDirectory(atPath: path + "/store")
    let table = try #require(names.first { $0.hasSuffix(".ldb") })
    try FileManager.default.removeItem(atPath: path + "/store/" + table)
    #expect(refusal { _ = try ReadOnlyStore.open(folder: path) }?.code == .corrupt)
  }

  /// A checksum doesn't show that the written data was wrong. Entries before the alleged first one
  /// would not be found, and a scan backwards would never pass that place.
  @Test func refusesABlockThatLacksItsFirstEntry() throws {
    let crashed = try CrashedStore(batchByteCounts: [1])
    var options = Self.options
    options.isCompressed = false
    let store = try LevelDBStore.open(folder: crashed.path, options: options).store
    // These keys share no beginning, so that each is written whole.
    for number in 1..<4 { try write(store, number, byteCount: 1) }
    try store.compact(from: nil, to: nil)
    try store.close()
    let table = try #require(try crashed.names().first { $0.hasSuffix(".ldb") })
    try crashed.change(table) { bytes in
      var changed = TableBytes(bytes)
      // Three bytes for lengths, the key with its number, and the value.
      changed.setRestart(3 + 9 + 1)
      bytes = changed.bytes
    }
    let snapshot = try ReadOnlyStore.open(folder: crashed.path).store.makeSnapshot()
    let error = refusal { _ = try snapshot.value(of: [1]) }
    try #require(error?.code == .corrupt)
    let cursor = try snapshot.makeCursor()
    #expect(refusal { try cursor.seek(before: [9]) }?.code == .corrupt && !cursor.isValid)
  }

  /// A file fails without being damaged, right after a key that could be read.
  @Test func aMoveThatFailsLeavesTheCursorNowhere() throws {
    let path = folder.path(of: "wide")
    try makeWideStore(path).close()
    let store = path + "/store"
    let tables = try FileManager.default.contentsOfDirectory(atPath: store)
      .filter { $0.hasSuffix(".ldb") }.sorted()
    try #require(tables.count > 2)
    let broken = store + "/" + tables[tables.count / 2]
    try FileManager.default.removeItem(atPath: broken)
    try FileManager.default.createDirectory(atPath: broken, withIntermediateDirectories: false)
    let snapshot = try ReadOnlyStore.open(folder: path).store.makeSnapshot()
    let forwards = try snapshot.makeCursor()
    try forwards.seek(to: [])
    let ahead = refusal { while forwards.isValid { try forwards.next() } }
    #expect(ahead?.code == .inputOutput && !forwards.isValid)
    let backwards = try snapshot.makeCursor()
    try backwards.seek(before: [0xff])
    let behind = refusal { while backwards.isValid { try backwards.previous() } }
    #expect(behind?.code == .inputOutput && !backwards.isValid)
  }
}

/// Reads of a store that another process has open and writes to.
@Suite("Read-only stores beside a writer") struct ReadOnlyBesideTests {
  private static let keyCount = 300
  private static let batchCount = 2000
  private static let latest: [UInt8] = [0xff]

  private static func key(_ number: Int) -> [UInt8] { bigEndian(number % keyCount) }

  /// Returns batch `number`, which puts one key, deletes another, and records that it was the last.
  private static func batch(_ number: Int) -> StoreBatch {
    var batch = StoreBatch()
    batch.put(key(number), bigEndian(number) + [UInt8](repeating: 1, count: 200))
    batch.delete(key(number + keyCount / 2))
    batch.put(latest, bigEndian(number))
    return batch
  }

  /// Returns the entries of the store after a number of batches.
  private static func entries(after count: Int) -> [Entry] {
    var values: [[UInt8]: [UInt8]] = [:]
    // Earlier batches were all replaced.
    for number in max(1, count - keyCount)..<count + 1 {
      batch(number).forEach { operation, key, value in
        values[[UInt8](copying: key)] = operation == .put ? [UInt8](copying: value) : nil
      }
    }
    return values.map { Entry($0.key, $0.value) }.sorted { $0.key.precedes($1.key) }
  }

  /// While tables come and go, a reader finds all batches up to one, and every batch that was
  /// acknowledged before it opened.
  @Test func showOneMomentOfIt() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "database")
    var options = LevelDBOptions()
    options.isDurable = false
    options.writeBufferByteCount = 64 << 10
    let writer = try LevelDBStore.open(folder: path, options: options).store
    try writer.write(Self.batch(1))
    let acknowledged = Lock(1)
    let failures = Lock<[String]>([])
    Thread {
      for number in 2..<Self.batchCount + 1 {
        do {
          try writer.write(Self.batch(number))
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
        acknowledged.withLock { $0 = number }
      }
    }.start()
    var before = 0
    var early: (store: ReadOnlyStore, entries: [Entry])?
    while before < Self.batchCount {
      before = acknowledged.withLock { $0 }
      let store = try ReadOnlyStore.open(folder: path).store
      let entries = try store.makeSnapshot().entries()
      let count = try #require(entries.last?.value).reduce(0) { $0 << 8 | Int($1) }
      #expect(count >= before && entries == Self.entries(after: count))
      if early == nil { early = (store, entries) }
    }
    // The files that the first reader has open are deleted by now.
    #expect(try early?.store.makeSnapshot().entries() == early?.entries)
    #expect(failures.withLock { $0 } == [])
    try writer.close()
  }

  /// A writer that opens and closes makes and removes files, each between two looks at the folder.
  @Test func passOverAFileThatVanishesMeanwhile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "database")
    try LevelDBStore.open(folder: path).store.close()
    let (fresh, record) = (folder.path(of: "new"), path + "/UNSYNCED")
    try Data("another-start-of-the-machine\n".utf8).write(to: URL(fileURLWithPath: fresh))
    let isDone = Lock(false)
    let hasEnded = Lock(false)
    Thread {
      while !isDone.withLock({ $0 }) {
        // It appears whole, as a writer makes it.
        link(fresh, record)
        unlink(record)
      }
      hasEnded.withLock { $0 = true }
    }.start()
    defer {
      isDone.withLock { $0 = true }
      hasEnded.withLock(when: { $0 }) { _ in }
    }
    for _ in 0..<2000 { try ReadOnlyStore.open(folder: path).store.close() }
  }

  /// The refusal names the cause and the folder.
  @Test func tellTooFewFileHandles() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "database")
    var options = LevelDBOptions()
    options.isDurable = false
    // Enough for twenty tables.
    options.writeBufferByteCount = 1 << 20
    options.tableByteCount = 1 << 20
    options.isCompressed = false
    let writer = try LevelDBStore.open(folder: path, options: options).store
    for number in 0..<100 {
      var batch = StoreBatch()
      batch.put(bigEndian(number), [UInt8](repeating: 1, count: 200_000))
      try writer.write(batch)
    }
    try writer.compact(from: nil, to: nil)
    try writer.close()
    let answer = try Probe("few", path, "12").finish()
    #expect(answer.hasPrefix("tooManyFiles: ") && answer.contains(path), "\(answer)")
    #expect(answer.contains("(Too many open files)"), "\(answer)")
    #expect(try Probe("few", path, "200").finish() == "read 100\n")
  }
}
