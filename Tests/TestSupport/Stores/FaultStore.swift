package import HearthOrderedStore

/// An observer that makes the n-th operation on a store fail, of any kind; later writes fail as
/// poisoned.
package final class StoreFault: StoreObserver {
  /// The effect of the write that fails.
  package enum FailingWrite: Sendable {
    /// No part of the batch is written.
    case isLost
    /// The whole batch is written although it was not acknowledged, as after a failed sync.
    case isKept
  }

  private struct State {
    var operationCount = 0
    var isPoisoned = false
  }

  private let failingOperation: Int
  private let error: StoreError
  private let failingWrite: FailingWrite
  private let counted: Set<StoreOperation>
  private let state = Lock(State())

  /// - Parameters:
  ///   - failingOperation: the number of the operation, counted from 1, over the kinds in
  ///     `counted`.
  package init(
    failingOperation: Int, error: StoreError = StoreError(.inputOutput, "a fault of the test"),
    failingWrite: FailingWrite = .isLost,
    counting counted: Set<StoreOperation> = Set(StoreOperation.allCases)
  ) {
    self.failingOperation = failingOperation
    self.error = error
    self.failingWrite = failingWrite
    self.counted = counted
  }

  /// Number of operations so far; below `failingOperation` none has failed yet.
  package var operationCount: Int { state.withLock { $0.operationCount } }

  package func willPerform(_ operation: StoreOperation) throws(StoreError) {
    if isDue(operation) { throw error }
  }

  package func willWrite(_ batch: StoreBatch, to store: any OrderedStore) throws(StoreError) {
    let isPoisoned = state.withLock { $0.isPoisoned }
    if isPoisoned { throw StoreError(.poisoned, "a write failed before", cause: "\(error)") }
    guard isDue(.write) else { return }
    state.withLock { $0.isPoisoned = true }
    if failingWrite == .isKept { try store.write(batch) }
    throw error
  }

  package func didRead(byteCount: Int) {}

  private func isDue(_ operation: StoreOperation) -> Bool {
    guard counted.contains(operation) else { return false }
    return state.withLock {
      $0.operationCount += 1
      return $0.operationCount == failingOperation
    }
  }
}
