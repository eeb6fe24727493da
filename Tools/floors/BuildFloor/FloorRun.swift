import HearthDocumentEngine
import HearthEngineUpkeep
import HearthLevelDBStore
import HearthOrderedStore
import TestSupport

/// Builds an index, and writes the same batches into LevelDB alone.
struct FloorRun {
  private let options: BuildFloorOptions
  private let clock = ContinuousClock()

  init(_ options: BuildFloorOptions) {
    self.options = options
  }

  func run() throws {
    let folder = try TemporaryFolder()
    let tasks = try TaskDatabase(in: folder, documentCount: options.documentCount)
    let store = RecordingStore(tasks.store)
    let engine = try Engine(store)
    print("\(options.documentCount) documents, one composite index of three fields")
    var ratios: [Double] = []
    for round in 1...options.roundCount {
      store.startRecording()
      let built = try clock.measure { try engine.createIndex(TaskDatabase.byPriority) }
      let batches = store.takeRecorded()
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

/// A store that keeps every batch that is written, when that is on, and costs nothing beside.
private final class RecordingStore: OrderedStore {
  private let store: any OrderedStore
  private let recorded = Lock<[StoreBatch]?>(nil)

  init(_ store: any OrderedStore) {
    self.store = store
  }

  func startRecording() { recorded.withLock { $0 = [] } }

  func takeRecorded() -> [StoreBatch] {
    recorded.withLock { batches in
      defer { batches = nil }
      return batches ?? []
    }
  }

  func write(_ batch: StoreBatch) throws(StoreError) {
    recorded.withLock { $0?.append(batch) }
    try store.write(batch)
  }

  var isDurable: Bool { store.isDurable }

  func makeSnapshot() throws(StoreError) -> any StoreSnapshot { try store.makeSnapshot() }

  func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError) -> Bool {
    try store.compact(from: lower, to: upper)
  }

  func approximateByteCount(
    from lower: [UInt8], to upper: [UInt8]
  ) throws(StoreError) -> Int {
    try store.approximateByteCount(from: lower, to: upper)
  }

  func close() throws(StoreError) { try store.close() }
}
