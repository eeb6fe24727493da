import HearthLevelDBStore
import HearthOrderedStore

/// A store that LevelDB writes and that is read without LevelDB. Each snapshot opens the store once
/// more for reading only, beside the writer that has it open.
final class ReopenedStore: OrderedStore {
  private struct Reader {
    weak var store: ReadOnlyStore?
  }

  private let writer: LevelDBStore
  private let folder: String
  private let readers = Lock<[Reader]>([])

  init(folder: String, options: LevelDBOptions) throws(StoreError) {
    self.folder = folder
    writer = try LevelDBStore.open(folder: folder, options: options).store
  }

  var isDurable: Bool { writer.isDurable }

  func makeSnapshot() throws(StoreError) -> any StoreSnapshot {
    // A closed store refuses it.
    _ = try writer.makeSnapshot()
    let reader = try ReadOnlyStore.open(folder: folder).store
    readers.withLock { readers in
      readers.removeAll { $0.store == nil }
      readers.append(Reader(store: reader))
    }
    return try reader.makeSnapshot()
  }

  func write(_ batch: StoreBatch) throws(StoreError) { try writer.write(batch) }

  func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError) -> Bool {
    try writer.compact(from: lower, to: upper)
  }

  func approximateByteCount(
    from lower: [UInt8], to upper: [UInt8]
  ) throws(StoreError) -> Int {
    // A closed store refuses it.
    _ = try writer.approximateByteCount(from: lower, to: upper)
    return try ReadOnlyStore.open(folder: folder).store
      .approximateByteCount(from: lower, to: upper)
  }

  func close() throws(StoreError) {
    for reader in readers.withLock({ $0.compactMap(\.store) }) { try reader.close() }
    try writer.close()
  }
}
