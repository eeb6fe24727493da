import Foundation
import HearthLevelDBStore
import HearthOrderedStore
import TestSupport
import Testing

/// Runs `body` on `count` threads and waits for all of them.
private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let running = Lock(count)
  for index in 0..<count {
    Thread {
      body(index)
      running.withLock { $0 -= 1 }
    }.start()
  }
  running.withLock(when: { $0 == 0 }) { _ in }
}

@Suite("Locks") struct LockTests {
  @Test func letOneIn() {
    let counter = Lock(0)
    onThreads(4) { _ in
      for _ in 0..<1000 { counter.withLock { $0 += 1 } }
    }
    #expect(counter.withLock { $0 } == 4000)
  }

  /// Each thread waits for its own number, and each passes the turn on to the next.
  @Test func wakeTheWaitingThread() {
    let turn = Lock(0)
    let order = Lock<[Int]>([])
    onThreads(6) { index in
      turn.withLock(when: { $0 == index }) {
        order.withLock { $0.append(index) }
        $0 += 1
      }
    }
    #expect(order.withLock { $0 } == [0, 1, 2, 3, 4, 5])
  }

  @Test func openAgainAfterAThrow() {
    let lock = Lock(1)
    #expect(throws: StoreError.self) {
      try lock.withLock { _ throws(StoreError) in throw StoreError(.full, "") }
    }
    #expect(throws: StoreError.self) {
      try lock.withLock(when: { $0 == 1 }) { _ throws(StoreError) in throw StoreError(.full, "") }
    }
    #expect(lock.withLock { $0 } == 1)
  }
}

@Suite("Stores on several threads") struct StoreThreadsTests {
  /// Writers, readers and moving cursors meet a close: each call answers correctly or with
  /// `.closed`.
  @Test(arguments: StoreKind.allCases)
  func closeMeetsRunningCalls(_ kind: StoreKind) throws {
    let tested = try StoreUnderTest(kind)
    let store = tested.store
    try tested.put(([0], [0]))
    let progress = Lock(0)
    let surprises = Lock<[String]>([])
    onThreads(5) { index in
      do throws(StoreError) {
        if index == 0 {
          progress.withLock(when: { $0 > 200 }) { _ in }
          try store.close()
          return
        }
        var step = 0
        while true {
          step += 1
          progress.withLock { $0 += 1 }
          switch index {
          case 1:
            var batch = StoreBatch()
            batch.put(bigEndian(step % 100), bigEndian(step))
            try store.write(batch)
          case 2:
            let value = try store.makeSnapshot().value(of: [0])
            if value != [0] {
              surprises.withLock { $0.append("value \(String(describing: value))") }
            }
          default:
            let cursor = try store.makeSnapshot().makeCursor()
            try cursor.seek(to: [0])
            while cursor.isValid { try cursor.next() }
          }
        }
      } catch {
        if error.code != .closed { surprises.withLock { $0.append("\(error)") } }
      }
    }
    #expect(surprises.withLock { $0 } == [])
  }

  @Test func manyCloseAtOnce() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "database")
    let (store, _) = try LevelDBStore.open(folder: path)
    let failures = Lock(0)
    onThreads(4) { _ in
      do throws(StoreError) {
        try store.close()
        // When close returns, the folder is released.
        expectClosed { () throws(StoreError) in _ = try store.makeSnapshot() }
      } catch {
        failures.withLock { $0 += 1 }
      }
    }
    #expect(failures.withLock { $0 } == 0)
    try LevelDBStore.open(folder: path).store.close()
  }
}
