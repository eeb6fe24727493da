import Foundation
import HearthLevelDBStore
import HearthOrderedStore
import TestSupport
import Testing

/// Ascending batches, which LevelDB takes without rewriting them, and scratch room.
@Suite struct LoadedStoreTests {
  private static let anchor = Array("s".utf8)

  private func key(_ number: Int) -> [UInt8] { Array("a\(1_000_000 + number)".utf8) }

  private func open(_ folder: TemporaryFolder) throws -> LevelDBStore {
    var options = LevelDBOptions()
    options.anchor = LoadedStoreTests.anchor
    options.writeBufferByteCount = 64 << 10
    return try LevelDBStore.open(folder: folder.path(of: "db"), options: options).store
  }

  private func load(_ numbers: Range<Int>, into store: any OrderedStore) throws {
    try store.load { write in
      for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 100) {
        var batch = StoreBatch()
        for number in start..<start + 100 {
          batch.put(key(number), Array(repeating: UInt8(number & 255), count: 100))
        }
        try write(batch)
      }
    }
  }

  private func count(in store: any OrderedStore) throws -> Int {
    let cursor = try store.makeCursor()
    try cursor.seek(to: Array("a".utf8))
    var count = 0
    while cursor.isValid, [UInt8](copying: cursor.key) == key(count) {
      count += 1
      try cursor.next()
    }
    try cursor.checkReads()
    return count
  }

  @Test func loadedKeysAreThereAfterCompactionsAndReopening() throws {
    let folder = try TemporaryFolder()
    var store = try open(folder)
    var batch = StoreBatch()
    batch.put(LoadedStoreTests.anchor, [1])
    try store.write(batch)
    for part in 0..<4 {
      try load(part * 2000..<part * 2000 + 2000, into: store)
      #expect(try count(in: store) == part * 2000 + 2000)
      if part % 2 == 1 { try store.compact(from: nil, to: nil) }
      try store.close()
      store = try open(folder)
    }
    #expect(try count(in: store) == 8000)
    #expect(try store.makeSnapshot().value(of: LoadedStoreTests.anchor) == [1])
  }

  @Test func compactionsBesideLoadsLoseNothing() throws {
    let folder = try TemporaryFolder()
    let store = try open(folder)
    var batch = StoreBatch()
    batch.put(LoadedStoreTests.anchor, [1])
    try store.write(batch)
    try onThreads(2) { thread in
      for part in 0..<5 {
        if thread == 0 {
          try load(part * 1000..<part * 1000 + 1000, into: store)
        } else {
          try store.compact(from: nil, to: nil)
        }
      }
    }
    #expect(try count(in: store) == 5000)
  }

  @Test func scratchRoomComesBackAndLeavesNoFile() throws {
    let folder = try TemporaryFolder()
    let store = try open(folder)
    for scratch in [try store.makeScratch(), MemoryScratch()] {
      try scratch.append([1, 2, 3])
      try scratch.append([4, 5])
      #expect(try scratch.bytes(in: 1..<4) == [2, 3, 4])
      #expect(try scratch.bytes(in: 4..<4) == [])
    }
    #expect(try store.makeScratch() !== store.makeScratch())
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "db"))
    #expect(!names.contains("SCRATCH"))
  }
}
