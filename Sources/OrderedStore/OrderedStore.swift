/// A map from byte keys to byte values, sorted by unsigned byte order. The engine is built on it.
///
/// It promises repeatable reads through snapshots, and atomic batches that are applied one at a
/// time. It knows nothing of documents. It needs nothing that a distributed ordered store could not
/// offer: no column families, merge operators, range deletes or transactions.
package protocol OrderedStore: AnyObject, Sendable {
  /// Whether acknowledged writes survive power loss. It is set at the opening for all writes.
  var isDurable: Bool { get }

  /// Throws if the store refuses every write.
  ///
  /// - Throws: `.readOnly` for a store that was opened for reading only; `.closed`.
  func checkWritable() throws(StoreError)

  /// Returns a consistent view of everything written before this call.
  ///
  /// - Throws: `.closed`.
  func makeSnapshot() throws(StoreError) -> any StoreSnapshot

  /// Applies `batch` completely or not at all, and returns once it is as durable as the store is.
  ///
  /// After any other failure than these the store refuses every later write until it is reopened:
  /// `.reservedValue`, and `.corrupt` or `.inputOutput` where something that the batch needs can't
  /// be read, come before anything is done.
  ///
  /// - Throws: `.poisoned` after an earlier failure, `.full`, `.tooManyFiles`, `.inputOutput`,
  ///   `.corrupt`, `.readOnly`, `.closed`, `.reservedValue`.
  func write(_ batch: StoreBatch) throws(StoreError)

  /// Calls `body` with a function that writes as ``write(_:)`` does. The batches only put keys, and
  /// all of their keys ascend from one batch to the next, which a store may take more easily.
  func load(_ body: (_ write: (StoreBatch) throws(StoreError) -> Void) throws -> Void) throws

  /// Returns new scratch room.
  func makeScratch() throws(StoreError) -> any StoreScratch

  /// Rewrites the keys from `lower` up to `upper` so that deleted keys no longer cost time. `nil`
  /// leaves a side open.
  ///
  /// It can take minutes and must not run on a cooperative thread.
  ///
  /// - Returns: `false` if some deleted keys stay until it is called again, since a view may still
  ///   need them. Those that the store deletes by itself don't count.
  @discardableResult
  func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError) -> Bool

  /// Returns the approximate bytes on disk of the keys from `lower` up to `upper`.
  func approximateByteCount(from lower: [UInt8], to upper: [UInt8]) throws(StoreError) -> Int

  /// Waits for running calls to end, then releases the store. Idempotent.
  ///
  /// Every later call on the store, its snapshots and its cursors throws `.closed`. The call
  /// doesn't wait for cursors, since the caller itself may be using one. A caller that wants to
  /// open the same files again releases its cursors first.
  func close() throws(StoreError)
}

extension OrderedStore {
  /// Does nothing: the default for a store that accepts writes.
  package func checkWritable() throws(StoreError) {}

  /// Writes each batch like any other.
  package func load(
    _ body: (_ write: (StoreBatch) throws(StoreError) -> Void) throws -> Void
  ) throws {
    try body { batch throws(StoreError) in try write(batch) }
  }

  package func makeScratch() throws(StoreError) -> any StoreScratch { MemoryScratch() }
}

/// A consistent view of a store, released with its last reference. Its cursors work without it.
package protocol StoreSnapshot: AnyObject, Sendable {
  /// Returns a copy of the value of `key`, which the caller owns; `nil` if there is none.
  func value(of key: [UInt8]) throws(StoreError) -> [UInt8]?

  /// Calls `body` with the value of `key`, which is valid during the call; not if there is none.
  /// `body` must not use the store.
  func withValue(of key: RawSpan, _ body: (RawSpan) -> Void) throws(StoreError)

  /// Returns a new cursor over this view. It stands on no entry yet.
  func makeCursor() throws(StoreError) -> any StoreCursor
}

extension StoreSnapshot {
  /// Calls `body` with a copy of the value.
  package func withValue(of key: RawSpan, _ body: (RawSpan) -> Void) throws(StoreError) {
    if let value = try value(of: [UInt8](copying: key)) { body(value.span.bytes) }
  }
}

extension OrderedStore {
  /// Returns a new cursor over everything written before this call. It stands on no entry yet.
  ///
  /// It holds no snapshot, so overwritten and deleted data can be dropped while it exists.
  ///
  /// - Throws: `.closed`.
  package func makeCursor() throws(StoreError) -> any StoreCursor {
    try makeSnapshot().makeCursor()
  }
}

/// A position in a snapshot that moves in key order. One thread at a time may use it.
///
/// A cursor that becomes invalid without a throw has truly reached the end of the keys. A caller
/// that stops earlier calls `checkReads()` once before it uses what it read. A store may step over
/// a part that it can't read, and a check at each step would cost a scan a quarter of its speed.
package protocol StoreCursor: AnyObject {
  /// Whether the cursor stands on an entry.
  var isValid: Bool { get }

  /// Number of deleted keys that moves have stepped over, as far as the store knows it.
  var skippedCount: Int { get }

  /// Key of the current entry. Valid until the cursor moves; requires `isValid`.
  var key: RawSpan { @_lifetime(borrow self) get }

  /// Value of the current entry. Valid until the cursor moves; requires `isValid`.
  var value: RawSpan { @_lifetime(borrow self) get }

  /// Moves to the first key at or after `key`.
  func seek(to key: [UInt8]) throws(StoreError)

  /// Moves to the first key at or after `key` that can be read. It serves salvage of damaged
  /// stores.
  ///
  /// - Returns: `false` if everything on the way could be read. Otherwise keys may have been passed
  ///   over, and the value may be an older one or that of a deleted key. From then on
  ///   `checkReads()` throws.
  /// - Throws: the errors of `seek(to:)`, except `.corrupt`.
  func seekReadable(to key: [UInt8]) throws(StoreError) -> Bool

  /// Moves to the last key before `key`.
  func seek(before key: [UInt8]) throws(StoreError)

  /// Moves one key forward. Requires `isValid`.
  ///
  /// This is the only move that can pass over entries that it could not read; see `checkReads()`.
  func next() throws(StoreError)

  /// Moves one key backward, which costs LevelDB about three steps forward. Requires `isValid`.
  func previous() throws(StoreError)

  /// Throws if anything could not be read since the cursor was made.
  ///
  /// - Throws: `.corrupt`, `.inputOutput`, `.closed`.
  func checkReads() throws(StoreError)
}

extension StoreCursor {
  /// Zero, for a store that keeps nothing of deleted keys.
  package var skippedCount: Int { 0 }
}
