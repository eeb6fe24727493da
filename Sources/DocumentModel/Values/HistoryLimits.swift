/// The limits of the past that a database keeps for reads at an earlier time (§7.5).
///
/// The past goes back as far as all three limits allow, without gaps, and begins anew each time the
/// database is opened. Data that was overwritten or deleted since then stays on disk, and scans
/// step over it, until the moment that needs it is given up. That happens with the next commit or
/// read in the past.
public struct HistoryLimits: Sendable, Equatable {
  /// The greatest age of a time that can be read. Production has an hour.
  public var retention: Duration
  /// The number of superseded moments that are kept, one for each group of commits.
  public var snapshotCount: Int
  /// The number of bytes that may be written after the earliest kept moment. It bounds the
  /// superseded data that stays on disk.
  public var byteCount: Int

  /// Creates limits; without arguments, an hour, a thousand moments and 64 MiB.
  public init(
    retention: Duration = .seconds(3600), snapshotCount: Int = 1_000, byteCount: Int = 64 << 20
  ) {
    self.retention = retention
    self.snapshotCount = snapshotCount
    self.byteCount = byteCount
  }
}

extension HistoryLimits {
  /// Returns the earliest time that can be read at `now`.
  package func horizon(at now: Timestamp) -> Timestamp {
    let (seconds, attoseconds) = max(retention, .zero).components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (length, carried) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    guard !overflow, !carried else { return .minimum }
    let (horizon, isBelow) = now.microseconds.subtractingReportingOverflow(length)
    // Below the year 1 there is nothing to give up.
    return isBelow ? .minimum : (try? Timestamp(microseconds: horizon)) ?? .minimum
  }
}
