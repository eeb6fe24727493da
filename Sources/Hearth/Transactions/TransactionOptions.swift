public import HearthDocumentModel

/// Options of a transaction.
public struct TransactionOptions: Sendable {
  /// Maximum number of runs of the closure, until its writes meet no conflict.
  public var maxAttempts: Int
  /// Whether the transaction only reads. Such a transaction needs no second attempt, since later
  /// writes don't affect it.
  public private(set) var isReadOnly = false
  /// Time that a read-only transaction reads at; `nil` is the present.
  public private(set) var readTime: Timestamp?

  /// Creates the options of a transaction that reads and writes.
  public init(maxAttempts: Int = 5) {
    self.maxAttempts = maxAttempts
  }

  /// Returns the options of a transaction that only reads, at `readTime` or now.
  /// ``Database/Options/history`` sets how far back `readTime` may be.
  public static func readOnly(at readTime: Timestamp? = nil) -> TransactionOptions {
    var options = TransactionOptions(maxAttempts: 1)
    options.isReadOnly = true
    options.readTime = readTime
    return options
  }
}
