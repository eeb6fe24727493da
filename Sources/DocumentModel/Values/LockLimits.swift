/// The limits of transactions that lock what they read (§7.4).
public struct LockLimits: Sendable, Equatable {
  /// The longest wait for a lock. A commit or a read that has waited for this time is `aborted`.
  public var timeout: Duration
  /// The number of such transactions that may be open at the same time.
  public var transactionCount: Int
  /// The number of key ranges that all of them together may hold. A document is one range, and so
  /// is each part of an index that a query scans. A range takes about 200 bytes
  /// beside its bounds.
  public var rangeCount: Int
  /// The size of the bounds of these ranges in bytes. Those of a document are short; those of a
  /// missing one have its id, and those in an index the values there, up to 7.5 KiB each.
  public var byteCount: Int

  /// Creates limits; without arguments, ten seconds, a thousand transactions, and 250,000 ranges
  /// with bounds of 64 MiB.
  public init(
    timeout: Duration = .seconds(10), transactionCount: Int = 1_000, rangeCount: Int = 250_000,
    byteCount: Int = 64 * 1_048_576
  ) {
    self.timeout = timeout
    self.transactionCount = transactionCount
    self.rangeCount = rangeCount
    self.byteCount = byteCount
  }
}
