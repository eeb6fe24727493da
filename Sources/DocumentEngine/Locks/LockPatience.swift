import HearthDocumentModel

/// The time for which a caller waits for locks, counted from its first wait.
struct LockPatience {
  private let timeout: Duration
  private var end: UInt64?

  init(_ limits: LockLimits) {
    timeout = limits.timeout
  }

  /// Returns the moment of the monotonic clock up to which the caller waits.
  mutating func deadline() -> UInt64 {
    if let end { return end }
    let nanoseconds = max(timeout / .nanoseconds(1), 0)
    // A century stands for ever.
    let moment = MonotonicClock.nanoseconds() + UInt64(min(nanoseconds, 3e18))
    end = moment
    return moment
  }
}
