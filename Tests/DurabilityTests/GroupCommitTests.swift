import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthLevelDBStore
import HearthOrderedStore
import HearthReports
import TestSupport
import Testing

/// Threads that commit at once share synced writes.
@Suite struct GroupCommitTests {
  private static let threadCount = 8
  private static let commitsPerThread = 25

  @Test func eightThreadsShareWritesAndLoseNothing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "database")
    let (store, _) = try LevelDBStore.open(folder: path)
    #expect(store.isDurable)
    let observer = FirstWriteHeld(until: Self.threadCount)
    let engine = try Engine(ObservedStore(store, observer: observer))
    observer.begin()
    try onThreads(Self.threadCount) { thread in
      observer.announce()
      for number in 0..<Self.commitsPerThread {
        let document = ResourcePath(unchecked: ["c", "\(thread)-\(number)"])
        let result = try engine.commit([.set(document, ["n": .integer(Int64(number))])])
        #expect(result.writeResults.count == 1)
        // An acknowledged write can be read at once.
        #expect(try engine.readView().document(at: document) != nil)
      }
    }
    let commitCount = Self.threadCount * Self.commitsPerThread
    let writeCount = observer.writeCount
    print("\(commitCount) commits of \(Self.threadCount) threads in \(writeCount) synced writes")
    #expect(writeCount > 0 && writeCount < commitCount)
    try engine.close()

    let reopened = try Engine(LevelDBStore.open(folder: path).store)
    let report = try reopened.verify()
    #expect(report.isClean && report.documentCount == commitCount)
    try reopened.close()
  }

  /// The control: a single thread has no other to share a write with.
  @Test func oneThreadWritesOncePerCommit() throws {
    let folder = try TemporaryFolder()
    let counter = StoreCounter()
    let (store, _) = try LevelDBStore.open(folder: folder.path(of: "database"))
    let engine = try Engine(ObservedStore(store, observer: counter))
    counter.reset()
    for number in 0..<5 {
      _ = try engine.commit([.set(ResourcePath(unchecked: ["c", "\(number)"]), [:])])
    }
    #expect(counter.counts.writes == 5)
    try engine.close()
  }
}

/// An observer that counts writes, and holds the first one until a given number of threads are
/// about to commit. Then some thread waits for it, however the system schedules them.
private final class FirstWriteHeld: StoreObserver {
  private struct State {
    var writeCount: Int?
    var announced = 0
  }

  private let expected: Int
  private let state = Lock(State())

  init(until expected: Int) {
    self.expected = expected
  }

  var writeCount: Int { state.withLock { $0.writeCount ?? 0 } }

  func begin() { state.withLock { $0.writeCount = 0 } }

  func announce() { state.withLock { $0.announced += 1 } }

  func willPerform(_ operation: StoreOperation) {}
  func didRead(byteCount: Int) {}

  func willWrite(_ batch: StoreBatch, to store: any OrderedStore) {
    let expected = expected
    state.withLock(when: { $0.writeCount == nil || $0.announced >= expected }) { state in
      if let count = state.writeCount { state.writeCount = count + 1 }
    }
  }
}
