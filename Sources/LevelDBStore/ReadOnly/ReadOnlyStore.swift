package import HearthOrderedStore

/// A LevelDB store that is read without LevelDB. It makes, changes, locks and deletes nothing.
///
/// It shows the store as it was when it was opened, no matter what another process writes
/// meanwhile. The tables of that moment are held open, and the contents of the logs are in memory.
/// So opening takes a file handle for each table.
package final class ReadOnlyStore: OrderedStore, @unchecked Sendable {
  private let folder: String
  private let describe: @Sendable ([UInt8]) -> String
  private let gate = CallGate()
  /// Open files, read inside the gate; `nil` once the gate was closed and the last call has left.
  private var files: HeldFiles?
  private let closing = Lock(false)

  init(_ files: HeldFiles, folder: String, describe: @escaping @Sendable ([UInt8]) -> String) {
    self.files = files
    self.folder = folder
    self.describe = describe
  }

  /// Always `true`, since nothing is written that could be lost.
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

  @discardableResult
  package func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError) -> Bool {
    try checkWritable()
    return true
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

  /// Returns the error for an `operation` that failed with `error`.
  func error(_ operation: String, _ error: StoreError) -> StoreError {
    StoreError(
      error.code, "cannot \(operation) in the database at \(folder)", cause: error.description)
  }

  /// Calls `body` while the store can't be closed.
  func withFiles<Result>(
    _ body: (HeldFiles) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard gate.enter() else { throw closedError }
    defer { gate.leave() }
    guard let files else { throw closedError }
    return try body(files)
  }
}

/// The one moment that a read-only store shows.
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
