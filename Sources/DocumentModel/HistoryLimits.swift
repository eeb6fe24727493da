/// How much of its past a database keeps for reads at an earlier time (§7.5).
///
/// The past goes back as far as all three limits allow, without gaps, and begins anew each time the
/// database is opened. What was overwritten or deleted since then stays on disk and in the way of
/// scans until the moment that needs it is given up, which happens with the next commit or read in
/// the past.
public struct HistoryLimits: Sendable, Equatable {
  /// How far back times are answered. Production has an hour.
  public var retention: Duration
  /// How many superseded moments are kept: one for each group of commits.
  public var snapshotCount: Int
  /// How many bytes may have been written since the earliest moment that is kept: more than these
  /// can't have been superseded since.
  public var byteCount: Int

  /// Limits; without arguments, an hour, a thousand moments and 64 MiB.
  public init(
    retention: Duration = .seconds(3600), snapshotCount: Int = 1_000, byteCount: Int = 64 << 20
  ) {
    self.retention = retention
    self.snapshotCount = snapshotCount
    self.byteCount = byteCount
  }
}

extension HistoryLimits {
  /// The earliest time that is answered at `now`.
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
