package import HearthOrderedStore

/// The operations on a store.
package struct StoreCounts: Sendable, Equatable {
  package var operations: [StoreOperation: Int] = [:]
  package var puts = 0
  package var deletes = 0
  /// Number of bytes of keys and values written.
  package var bytesWritten = 0
  /// Number of bytes of values read and of the entries that cursors moved to.
  package var bytesRead = 0

  package init() {}

  package var gets: Int { self[.get] }
  package var seeks: Int { self[.seek] }
  package var nexts: Int { self[.next] }
  package var previous: Int { self[.previous] }
  package var writes: Int { self[.write] }

  package subscript(operation: StoreOperation) -> Int { operations[operation, default: 0] }
}

/// An observer that counts the work of a store, so that a test can limit the cost of a query.
package final class StoreCounter: StoreObserver {
  private let state = Lock(StoreCounts())

  package init() {}

  package var counts: StoreCounts { state.withLock { $0 } }

  package func reset() { state.withLock { $0 = StoreCounts() } }

  package func willPerform(_ operation: StoreOperation) throws(StoreError) {
    state.withLock { $0.operations[operation, default: 0] += 1 }
  }

  package func willWrite(_ batch: StoreBatch, to store: any OrderedStore) throws(StoreError) {
    var puts = 0
    batch.forEach { operation, _, _ in puts += operation == .put ? 1 : 0 }
    let putCount = puts
    state.withLock {
      $0.operations[.write, default: 0] += 1
      $0.puts += putCount
      $0.deletes += batch.count - putCount
      $0.bytesWritten += batch.byteCount
    }
  }

  package func didRead(byteCount: Int) { state.withLock { $0.bytesRead += byteCount } }
}
