import HearthOrderedStore
import HearthStorageFormat
import TestSupport

/// A store that stands for an engine that forgets an index entry: it commits the batch without the
/// entry's operation, and with the sums that follow from the other operations.
///
/// The sums of a batch follow from its operations. So a fault that forgets an operation before the
/// batch leaves exactly these bytes, and a check against the sums of the documents finds it.
final class ForgetfulStore: OrderedStore {
  private let store = MemoryStore()
  /// Whether the last entry of the next batch is forgotten.
  private let isForgetful = Lock(false)

  func forgetOne() { isForgetful.withLock { $0 = true } }

  var isDurable: Bool { store.isDurable }

  func makeSnapshot() throws(StoreError) -> any StoreSnapshot { try store.makeSnapshot() }

  func write(_ batch: StoreBatch) throws(StoreError) {
    let isForgetful = isForgetful.withLock { isForgetful in
      defer { isForgetful = false }
      return isForgetful
    }
    try store.write(isForgetful ? forgettingOne(of: batch) : batch)
  }

  func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError) -> Bool {
    try store.compact(from: lower, to: upper)
  }

  func approximateByteCount(
    from lower: [UInt8], to upper: [UInt8]
  ) throws(StoreError) -> Int {
    try store.approximateByteCount(from: lower, to: upper)
  }

  func close() throws(StoreError) { try store.close() }

  private typealias Operation = (kind: StoreBatch.Operation, key: [UInt8], value: [UInt8])

  private func forgettingOne(of batch: StoreBatch) throws(StoreError) -> StoreBatch {
    var operations: [Operation] = []
    batch.forEach { kind, key, value in
      operations.append((kind, [UInt8](copying: key), [UInt8](copying: value)))
    }
    let place = operations.lastIndex { (try? EntrySpace(ofKey: $0.key.span.bytes)) ?? nil != nil }
    guard let place else { return batch }
    let forgotten = operations.remove(at: place)
    let before = try store.makeSnapshot().value(of: forgotten.key)
    var kept = StoreBatch()
    for (kind, key, value) in operations {
      switch kind {
      case .put: kept.put(key, ForgetfulStore.sums(key, value, without: forgotten, before))
      case .delete, .discard: kept.delete(key)
      }
    }
    return kept
  }

  /// The record of sums under `key` as it is without an operation; any other record as it is.
  private static func sums(
    _ key: [UInt8], _ value: [UInt8], without forgotten: Operation, _ before: [UInt8]?
  ) -> [UInt8] {
    guard let space = try? EntrySpace(ofKey: forgotten.key.span.bytes),
      key == StorageKey.sums(of: space), var sums = try? EntrySums(value.span.bytes)
    else { return value }
    func entry(_ value: [UInt8]) -> EntrySum {
      EntrySum(ofEntry: forgotten.key.span.bytes, value.span.bytes)
    }
    if forgotten.kind == .put { sums.ofBatches -= entry(forgotten.value) }
    if let before { sums.ofBatches += entry(before) }
    var bytes: [UInt8] = []
    sums.append(to: &bytes)
    return bytes
  }
}
