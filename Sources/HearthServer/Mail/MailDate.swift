import HearthDocumentModel
import HearthFirestoreJSON

/// The time of a message, as its header has it: `Fri, 27 Nov 2026 04:18:34 +0000`.
enum MailDate {
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// - Parameter seconds: the time since 1970; at least 0.
  /// - Returns: `nil` for a time that no calendar has.
  static func text(of seconds: Int64) -> String? {
    let (microseconds, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard seconds >= 0, !overflows, let time = try? Timestamp(microseconds: microseconds) else {
      return nil
    }
    // 2026-11-27T04:18:34Z
    let parts = time.rfc3339.split { "-T:Z".contains($0) }
    guard parts.count == 6, let month = Int(parts[1]), months.indices.contains(month - 1) else {
      return nil
    }
    let weekday = weekdays[Int(seconds / 86_400 % 7)]
    return "\(weekday), \(parts[2]) \(months[month - 1]) \(parts[0]) "
      + "\(parts[3]):\(parts[4]):\(parts[5]) +0000"
  }
}
