import HearthOrderedStore
import TestSupport
import Testing

/// The stores of the test support, on which other tests rely.
@Suite("Store decorators") struct DecoratorTests {
  @Test func counterCountsWork() throws {
    let counter = StoreCounter()
    let store = ObservedStore(MemoryStore(), observer: counter)
    var batch = StoreBatch()
    batch.put([1], [1, 2, 3])
    batch.put([2], [])
    batch.delete([3, 3])
    try store.write(batch)
    let snapshot = try store.makeSnapshot()
    _ = try snapshot.value(of: [1])
    let cursor = try snapshot.makeCursor()
    try cursor.seek(to: [])
    try cursor.next()
    try cursor.previous()
    try cursor.seek(before: [1])
    try cursor.checkReads()
    let counts = counter.counts
    #expect(counts.writes == 1 && counts.puts == 2 && counts.deletes == 1)
    #expect(counts.bytesWritten == 7)
    #expect(counts.gets == 1 && counts.seeks == 2 && counts.nexts == 1 && counts.previous == 1)
    #expect(counts[.makeSnapshot] == 1 && counts[.makeCursor] == 1 && counts[.checkReads] == 1)
    #expect(counts.bytesRead == 3 + 4 + 1 + 4)
    counter.reset()
    #expect(counter.counts == StoreCounts())
  }

  @Test(arguments: [StoreFault.FailingWrite.isLost, .isKept])
  func faultFailsOnceAndPoisons(_ failingWrite: StoreFault.FailingWrite) throws {
    let memory = MemoryStore()
    let fault = StoreFault(
      failingOperation: 2, failingWrite: failingWrite, counting: [.write])
    let store = ObservedStore(memory, observer: fault)
    try write(store, 1)
    #expect(code { () throws(StoreError) in try store.write(batch(2)) } == .inputOutput)
    #expect(code { () throws(StoreError) in try store.write(batch(3)) } == .poisoned)
    let keys = try store.makeSnapshot().entries().map(\.key)
    #expect(keys == (failingWrite == .isKept ? [[1], [2]] : [[1]]))
    #expect(fault.operationCount == 2)
  }

  @Test func faultFailsReads() throws {
    for failing in 1...6 {
      let fault = StoreFault(failingOperation: failing, error: StoreError(.corrupt, "damage"))
      let store = ObservedStore(MemoryStore(), observer: fault)
      var failedAt: Int?
      do throws(StoreError) {
        try store.write(batch(1))
        let snapshot = try store.makeSnapshot()
        _ = try snapshot.value(of: [1])
        let cursor = try snapshot.makeCursor()
        try cursor.seek(to: [])
        try cursor.next()
      } catch {
        #expect(error.code == .corrupt)
        failedAt = fault.operationCount
      }
      #expect(failedAt == failing)
    }
  }

  @Test func mirrorTellsDifferences() throws {
    let (left, right) = (MemoryStore(), MemoryStore())
    let mirror = MirrorStore(left, right)
    try write(mirror, 1)
    #expect(try mirror.makeSnapshot().entries().count == 1)
    #expect(mirror.differences.isEmpty)
    try write(right, 2)
    let snapshot = try mirror.makeSnapshot()
    #expect(code { () throws(StoreError) in _ = try snapshot.value(of: [2]) } == .corrupt)
    let cursor = try snapshot.makeCursor()
    #expect(code { () throws(StoreError) in try cursor.seek(to: [2]) } == .corrupt)
    try right.close()
    #expect(code { () throws(StoreError) in try mirror.write(batch(3)) } == .corrupt)
    #expect(mirror.differences.count == 3)
    try left.close()
    #expect(code { () throws(StoreError) in try mirror.write(batch(3)) } == .closed)
  }

  private func batch(_ number: UInt8) -> StoreBatch {
    var batch = StoreBatch()
    batch.put([number], [number])
    return batch
  }

  private func code(_ body: () throws(StoreError) -> Void) -> StoreError.Code? {
    do throws(StoreError) {
      try body()
      return nil
    } catch { return error.code }
  }
}
