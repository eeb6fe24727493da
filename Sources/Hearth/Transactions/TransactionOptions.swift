public import DocumentModel

/// How a transaction runs.
public struct TransactionOptions: Sendable {
  /// How often the closure is run at most, until its writes meet no conflict.
  public var maxAttempts: Int
  /// Whether the transaction only reads. It needs no second attempt then, whatever is written
  /// meanwhile.
  public private(set) var isReadOnly = false
  /// The time that a transaction reads at that only reads; `nil` is the present.
  public private(set) var readTime: Timestamp?

  /// A transaction that reads and writes.
  public init(maxAttempts: Int = 5) {
    self.maxAttempts = maxAttempts
  }

  /// A transaction that only reads, at `readTime` or now. How far back it may read is set by
  /// ``Database/Options/history``.
  public static func readOnly(at readTime: Timestamp? = nil) -> TransactionOptions {
    var options = TransactionOptions(maxAttempts: 1)
    options.isReadOnly = true
    options.readTime = readTime
    return options
  }
}
