import HearthOrderedStore
import TestSupport
import Testing

/// Readers on all stripes see each change as a whole, and no change is lost.
@Suite struct StripedLockTests {
  private struct Pair {
    var first = 0
    var second = 0
  }

  @Test func readersSeeWholeChanges() throws {
    let lock = StripedLock(Pair())
    let tornCount = Lock(0)
    try onThreads(8) { _ in
      for _ in 0..<500 {
        lock.withLock { pair in
          pair.first += 1
          pair.second += 1
        }
        for _ in 0..<4 {
          let isTorn = lock.read { $0.pointee.first != $0.pointee.second }
          if isTorn { tornCount.withLock { $0 += 1 } }
        }
      }
    }
    #expect(tornCount.withLock { $0 } == 0)
    #expect(lock.read { $0.pointee.first } == 4_000)
  }

  @Test func onlyLocksOfTheProcessAreCounted() {
    let lock = Lock(0)
    let striped = StripedLock(0)
    let taken = locksTaken {
      lock.withLock { $0 += 1 }
      striped.withLock { $0 += 1 }
      _ = striped.read { $0.pointee }
    }
    // Release builds don't count.
    #expect(taken ?? 2 == 2)
  }
}
