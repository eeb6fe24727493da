package import OrderedStore

/// A store of LevelDB's, read without LevelDB: it makes, changes, locks and deletes nothing.
///
/// It shows the store as it was when it was opened, whatever another process writes meanwhile: the
/// tables that were there are held open, and what the logs held is in memory. So opening it takes a
/// file handle for each table.
package final class ReadOnlyStore: OrderedStore, @unchecked Sendable {
  private let folder: String
  private let describe: @Sendable ([UInt8]) -> String
  private let gate = CallGate()
  /// Read inside the gate; `nil` once the gate was closed and the last call has left.
  private var files: HeldFiles?
  private let closing = Lock(false)

  init(_ files: HeldFiles, folder: String, describe: @escaping @Sendable ([UInt8]) -> String) {
    self.files = files
    self.folder = folder
    self.describe = describe
  }

  /// Always so: nothing is written that could be lost.
  package var isDurable: Bool { true }

  package func makeSnapshot() throws(StoreError) -> any StoreSnapshot {
    try withFiles { _ in }
    return ReadOnlySnapshot(store: self)
  }

  /// - Throws: `.readOnly`, `.closed`.
  package func checkWritable() throws(StoreError) {
    try withFiles { _ in }
    throw StoreError(
      .readOnly,
      "the database at \(folder) was opened for reading only; open it with `access` `.readWrite` "
        + "to change it")
  }

  package func write(_ batch: StoreBatch) throws(StoreError) { try checkWritable() }

  package func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError) {
    try checkWritable()
  }

  package func approximateByteCount(
    from lower: [UInt8], to upper: [UInt8]
  ) throws(StoreError) -> Int {
    try withFiles { files throws(StoreError) in
      do throws(StoreError) {
        return try files.approximateByteCount(from: lower, to: upper)
      } catch {
        throw self.error("estimate sizes", error)
      }
    }
  }

  package func close() throws(StoreError) {
    closing.withLock { isShut in
      guard !isShut else { return }
      gate.closeAndWait()
      files = nil
      isShut = true
    }
  }
}

// MARK: - For snapshots and cursors

extension ReadOnlyStore {
  var isClosed: Bool { gate.isClosed }

  var closedError: StoreError {
    StoreError(.closed, "the database at \(folder) was closed")
  }

  func describeKey(_ key: [UInt8]) -> String { describe(key) }

  /// The error for what kept the store from doing `operation`.
  func error(_ operation: String, _ error: StoreError) -> StoreError {
    StoreError(
      error.code, "cannot \(operation) in the database at \(folder)", cause: error.description)
  }

  /// Calls `body` while nobody can close the store.
  func withFiles<Result>(
    _ body: (HeldFiles) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard gate.enter() else { throw closedError }
    defer { gate.leave() }
    guard let files else { throw closedError }
    return try body(files)
  }
}

/// The moment that a store shows that is only read: there is one.
private final class ReadOnlySnapshot: StoreSnapshot {
  private let store: ReadOnlyStore

  init(store: ReadOnlyStore) {
    self.store = store
  }

  func value(of key: [UInt8]) throws(StoreError) -> [UInt8]? {
    try store.withFiles { files throws(StoreError) in
      do throws(StoreError) {
        return try files.value(of: key)
      } catch {
        throw store.error("read \(store.describeKey(key))", error)
      }
    }
  }

  func makeCursor() throws(StoreError) -> any StoreCursor {
    try store.withFiles { files in ReadOnlyCursor(store: store, files: files) }
  }
}
