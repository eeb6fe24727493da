import DocumentEngine
import LevelDBStore
import OrderedStore
import TestSupport

/// Builds an index, and writes the same batches into LevelDB alone.
struct FloorRun {
  private let options: BuildFloorOptions
  private let clock = ContinuousClock()

  init(_ options: BuildFloorOptions) {
    self.options = options
  }

  /// Keeps every batch that is written, when it is on.
  private final class BatchRecorder: StoreObserver {
    private let recorded = Lock<[StoreBatch]?>(nil)

    func start() { recorded.withLock { $0 = [] } }

    func take() -> [StoreBatch] {
      recorded.withLock { batches in
        defer { batches = nil }
        return batches ?? []
      }
    }

    func willPerform(_ operation: StoreOperation) {}
    func willWrite(_ batch: StoreBatch, to store: any OrderedStore) {
      recorded.withLock { $0?.append(batch) }
    }
    func didRead(byteCount: Int) {}
  }

  func run() throws {
    let folder = try TemporaryFolder()
    let tasks = try TaskDatabase(in: folder, documentCount: options.documentCount)
    let recorder = BatchRecorder()
    let engine = try Engine(ObservedStore(tasks.store, observer: recorder))
    print("\(options.documentCount) documents, one composite index of three fields")
    var ratios: [Double] = []
    for round in 1...options.roundCount {
      recorder.start()
      let built = try clock.measure { try engine.createIndex(TaskDatabase.byPriority) }
      let batches = recorder.take()
      let written = try write(batches)
      let ratio = built / written
      ratios.append(ratio)
      let byteCount = batches.reduce(0) { $0 + $1.byteCount }
      print(
        "round \(round): build \(text(built)), LevelDB alone \(text(written)) for the same "
          + "\(batches.count) synced batches of \(byteCount) bytes: ratio "
          + "\((ratio * 100).rounded() / 100)")
      try engine.dropIndex(TaskDatabase.byPriority)
    }
    let median = ratios.sorted()[ratios.count / 2]
    print("median ratio \((median * 100).rounded() / 100)")
    try engine.close()
  }

  private func write(_ batches: [StoreBatch]) throws -> Duration {
    let folder = try TemporaryFolder()
    let store = try LevelDBStore.open(folder: folder.path(of: "raw")).store
    let duration = try clock.measure { for batch in batches { try store.write(batch) } }
    try store.close()
    return duration
  }
}
