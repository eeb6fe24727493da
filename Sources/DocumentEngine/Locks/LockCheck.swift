import HearthOrderedStore

/// The locks of others, as a request of a draft meets them.
struct LockCheck: Sendable {
  let table: LockTable
  /// The request, which waits if it meets a lock.
  let waiter: any LockWaiter
  /// The transaction that the request commits; `nil` for none.
  let owner: LockHolderID?
  /// The extents of the draft's batch and of its changes of counts that were checked.
  var batchMark: StoreBatch.Mark
  var countMark: CountChanges.Mark
}
