/// A map from byte keys to byte values, sorted by unsigned byte order: the seam under the engine.
///
/// It promises repeatable reads through snapshots and one atomic batch at a time. It knows nothing
/// of documents, and asks for nothing that a distributed ordered store could not give: no column
/// families, merge operators, range deletes or transactions.
package protocol OrderedStore: AnyObject, Sendable {
  /// Whether an acknowledged write survives power loss. Set when the store is opened, never mixed.
  var isDurable: Bool { get }

  /// Throws if every write will be refused, whatever it is.
  ///
  /// - Throws: `.readOnly` for a store that was opened for reading only; `.closed`.
  func checkWritable() throws(StoreError)

  /// A consistent view of everything written before this call.
  ///
  /// - Throws: `.closed`.
  func makeSnapshot() throws(StoreError) -> any StoreSnapshot

  /// Applies all of `batch` or nothing of it, and returns when it is as durable as the store is.
  ///
  /// After any failure the store refuses every later write until it is reopened.
  ///
  /// - Throws: `.poisoned` after an earlier failure, `.full`, `.tooManyFiles`, `.inputOutput`,
  ///   `.corrupt`, `.readOnly`, `.closed`; `.reservedValue` before anything is done.
  func write(_ batch: StoreBatch) throws(StoreError)

  /// Rewrites the keys from `lower` up to `upper` so that deleted ones no longer cost time; `nil`
  /// leaves a side open.
  ///
  /// It can take minutes and must not run on a cooperative thread.
  func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError)

  /// The approximate bytes on disk of the keys from `lower` up to `upper`.
  func approximateByteCount(from lower: [UInt8], to upper: [UInt8]) throws(StoreError) -> Int

  /// Waits for running calls to end, then releases the store. Idempotent.
  ///
  /// Every later call on the store, its snapshots and its cursors throws `.closed`. Cursors are not
  /// waited for, since their user may be the one who closes: whoever wants to open the same files
  /// again releases them first.
  func close() throws(StoreError)
}

extension OrderedStore {
  /// For a store that is made to be written.
  package func checkWritable() throws(StoreError) {}
}

/// One consistent view of a store. Released with its last reference; its cursors need it no more.
package protocol StoreSnapshot: AnyObject, Sendable {
  /// The value of `key`, or `nil`. A copy that the caller owns.
  func value(of key: [UInt8]) throws(StoreError) -> [UInt8]?

  /// A new cursor over this view, standing nowhere.
  func makeCursor() throws(StoreError) -> any StoreCursor
}

extension OrderedStore {
  /// A new cursor over everything written before this call, standing nowhere: it holds no snapshot,
  /// and so keeps nothing that is overwritten or deleted from being dropped.
  ///
  /// - Throws: `.closed`.
  package func makeCursor() throws(StoreError) -> any StoreCursor {
    try makeSnapshot().makeCursor()
  }
}

/// A position in a snapshot that moves in key order. Used by one thread at a time.
///
/// A cursor that ends without a throw has truly reached the end of the keys. One that stops earlier
/// calls `checkReads()` once before what it read is used: a store may step over a part that it
/// cannot read, and asking at each step would cost a scan a quarter of its speed.
package protocol StoreCursor: AnyObject {
  /// Whether the cursor stands on an entry.
  var isValid: Bool { get }

  /// Number of keys that moves have stepped over because they were deleted, as far as the store
  /// tells.
  var skippedCount: Int { get }

  /// The key under the cursor. Valid until the cursor moves; requires `isValid`.
  var key: RawSpan { @_lifetime(borrow self) get }

  /// The value under the cursor. Valid until the cursor moves; requires `isValid`.
  var value: RawSpan { @_lifetime(borrow self) get }

  /// Moves to the first key at or after `key`.
  func seek(to key: [UInt8]) throws(StoreError)

  /// Moves to the first key at or after `key`, over what can't be read: for whoever looks for what
  /// is left of a damaged store.
  ///
  /// - Returns: `false` if all was read on the way. Otherwise keys may have been passed over, and
  ///   an older value may be under the cursor, or that of a deleted key; then `checkReads()` throws
  ///   from now on.
  /// - Throws: as `seek(to:)`, but for `.corrupt`.
  func seekReadable(to key: [UInt8]) throws(StoreError) -> Bool

  /// Moves to the last key before `key`.
  func seek(before key: [UInt8]) throws(StoreError)

  /// Moves one key forward. Requires `isValid`.
  ///
  /// The only move that can pass over entries it could not read; see `checkReads()`.
  func next() throws(StoreError)

  /// Moves one key backward, which costs LevelDB about three steps forward. Requires `isValid`.
  func previous() throws(StoreError)

  /// Throws if anything could not be read since the cursor was made.
  ///
  /// - Throws: `.corrupt`, `.inputOutput`, `.closed`.
  func checkReads() throws(StoreError)
}

extension StoreCursor {
  /// For a store that keeps nothing of what was deleted.
  package var skippedCount: Int { 0 }
}
