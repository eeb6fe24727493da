import Foundation
import HearthLevelDBStore
import HearthOrderedStore
import TestSupport
import Testing

/// A key that every batch puts, so that no memtable fits between the inputs of a compaction.
@Suite("Anchors") struct AnchorTests {
  private let folder: TemporaryFolder
  private let path: String
  private let anchor = Array("{".utf8)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "database")
  }

  private func open(bufferByteCount: Int = 4 << 20) throws -> LevelDBStore {
    var options = LevelDBOptions()
    options.isDurable = false
    options.isCompressed = false
    options.writeBufferByteCount = bufferByteCount
    options.anchor = anchor
    return try LevelDBStore.open(folder: path, options: options).store
  }

  private func put(_ key: String, _ value: [UInt8], in store: LevelDBStore) throws {
    var batch = StoreBatch()
    batch.put(Array(key.utf8), value)
    try store.write(batch)
  }

  private func expectAnchored(_ batchCount: Int) throws {
    let batches = try LoggedRecords.batchKeys(ofStore: path)
    #expect(batches.count == batchCount)
    #expect(batches.dropFirst().allSatisfy { $0.contains(anchor) })
  }

  @Test func everyBatchPutsTheAnchorAsItIs() throws {
    let store = try open()
    // There is no anchor before the first.
    try put("a", [1], in: store)
    try put("{", [7], in: store)
    try put("b", [2], in: store)
    var batch = StoreBatch()
    batch.put(anchor, [8])
    batch.delete(Array("b".utf8))
    try store.write(batch)
    try store.write(StoreBatch())
    #expect(try store.makeSnapshot().value(of: anchor) == [8])
    #expect(try store.makeSnapshot().entries().count == 2)
    batch.removeAll()
    batch.delete(Array("a".utf8))
    try store.write(batch)
    try expectAnchored(6)
    // Closing deletes what is queued.
    try store.close()
    try expectAnchored(7)
  }

  /// A batch that ends with the anchor is written as it is.
  @Test func theAnchorIsNotPutTwice() throws {
    let store = try open()
    for number: UInt8 in 0..<3 {
      var batch = StoreBatch()
      batch.put([number], [number])
      batch.put(anchor, [number])
      try store.write(batch)
    }
    #expect(try LoggedRecords.batchKeys(ofStore: path).allSatisfy { $0.count == 2 })
    try store.close()
  }

  @Test func noCompactionReachesAcrossTheAnchor() {
    func parts(_ lower: [UInt8]?, _ upper: [UInt8]?, _ anchor: [UInt8]? = [5]) -> [[[UInt8]?]] {
      CompactionRanges.ranges(from: lower, to: upper, around: anchor).map { [$0.lower, $0.upper] }
    }
    #expect(parts(nil, nil) == [[nil, [5]], [[5, 0], nil]])
    #expect(parts([1], [9]) == [[[1], [5]], [[5, 0], [9]]])
    #expect(parts(nil, [5]) == [[nil, [5]]])
    #expect(parts([5, 0], nil) == [[[5, 0], nil]])
    #expect(parts([6], [9]) == [[[6], [9]]])
    #expect(parts(nil, nil, nil) == [[nil, nil]])
  }

  /// With an anchor in no batch, and a compaction in one, LevelDB ends the process here, since
  /// tables of a level overlap: the writer's keys lie between what the compaction has on each side.
  @Test func aCompactionOfEverythingAndWritesBesideItDontOverlap() throws {
    for _ in 0..<4 {
      let store = try open(bufferByteCount: 1 << 20)
      try put("{", [0], in: store)
      // A compaction of what isn't there flushes what is: to level 2, and then to level 1.
      for first in ["{", "a", "z", "a", "z"] {
        for number in 0..<200 where first != "{" {
          try put("\(first)\(1000 + number)", [UInt8](repeating: 1, count: 4000), in: store)
        }
        try store.compact(from: Array("~".utf8), to: Array("~~".utf8))
      }
      // A few fill a memtable.
      let value = [UInt8](repeating: 2, count: 100_000)
      let isDone = Lock(false)
      let written = Lock(0)
      try onThreads(2) { index in
        if index == 0 {
          written.withLock(when: { $0 > 8 }) { _ in }
          try store.compact(from: nil, to: nil)
          isDone.withLock { $0 = true }
        }
        for number in 0..<500 where index == 1 && !isDone.withLock({ $0 }) {
          try put("m\(100_000 + number)", value, in: store)
          written.withLock { $0 += 1 }
        }
      }
      let snapshot = try store.makeSnapshot()
      for number in 0..<written.withLock({ $0 }) {
        #expect(try snapshot.value(of: Array("m\(100_000 + number)".utf8)) == value)
      }
      try store.close()
      try FileManager.default.removeItem(atPath: path)
    }
  }
}
