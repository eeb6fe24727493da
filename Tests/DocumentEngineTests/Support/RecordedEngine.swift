import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import TestSupport

/// An engine whose batches are recorded.
struct RecordedEngine {
  let clock = TestClock()
  let engine: Engine
  let store = MemoryStore()
  private let recorder = BatchRecorder()

  init(_ settings: EngineSettings) throws {
    var settings = settings
    settings.build.chunkDocumentCount = 2
    engine = try Engine(
      ObservedStore(store, observer: recorder), settings: settings, clock: clock)
  }

  /// Returns the batches since the last call.
  func takeBatches() -> [[BatchOperation]] { recorder.take() }
}

private final class BatchRecorder: StoreObserver {
  private let batches = Lock<[[BatchOperation]]>([])

  func willPerform(_ operation: StoreOperation) {}
  func willWrite(_ batch: StoreBatch, to store: any OrderedStore) {
    batches.withLock { $0.append(batch.operations) }
  }
  func didRead(byteCount: Int) {}

  func take() -> [[BatchOperation]] {
    batches.withLock { batches in
      defer { batches = [] }
      return batches
    }
  }
}

/// An operation of a batch.
struct BatchOperation: Equatable {
  let operation: StoreBatch.Operation
  let key: [UInt8]
  let value: [UInt8]
}

extension StoreBatch {
  var operations: [BatchOperation] {
    var operations: [BatchOperation] = []
    forEach { operation, key, value in
      operations.append(
        BatchOperation(
          operation: operation, key: [UInt8](copying: key), value: [UInt8](copying: value)))
    }
    return operations
  }
}
