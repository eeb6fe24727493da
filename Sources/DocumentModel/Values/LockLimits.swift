/// The limits of transactions that lock what they read (§7.4).
public struct LockLimits: Sendable, Equatable {
  /// The longest wait for a lock. A commit or a read that has waited for this time is `aborted`.
  public var timeout: Duration
  /// The number of such transactions that may be open at the same time.
  public var transactionCount: Int
  /// The number of key ranges that all of them together may hold. A document is one range, and so
  /// is each part of an index that a query scans. A range takes about 200 bytes.
  public var rangeCount: Int

  /// Creates limits; without arguments, ten seconds, a thousand transactions and 250,000 ranges.
  public init(
    timeout: Duration = .seconds(10), transactionCount: Int = 1_000, rangeCount: Int = 250_000
  ) {
    self.timeout = timeout
    self.transactionCount = transactionCount
    self.rangeCount = rangeCount
  }
}
