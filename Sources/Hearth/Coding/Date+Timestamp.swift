public import HearthDocumentModel
public import FoundationEssentials

extension Timestamp {
  /// Creates a timestamp from a date, rounded to the nearest microsecond.
  ///
  /// A timestamp that is converted to a date and back is unchanged between the years 1729 and 2273.
  /// Outside them a date's steps are coarser than microseconds.
  ///
  /// - Throws: `invalidArgument` for a date outside the years 1 to 9999.
  public init(_ date: Date) throws(DatabaseError) {
    // The seconds are taken apart: multiplied by a million as a whole, they would be rounded once
    // more.
    let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
    let fraction = date.timeIntervalSinceReferenceDate - seconds
    guard let whole = Int64(exactly: seconds), abs(seconds) < 1e12 else {
      throw .invalidArgument("Timestamp value exceeds limits")
    }
    let microseconds = whole * 1_000_000 + Int64((fraction * 1_000_000).rounded())
    let (sum, overflow) = microseconds.addingReportingOverflow(Timestamp.referenceDate)
    guard !overflow else { throw .invalidArgument("Timestamp value exceeds limits") }
    try self.init(microseconds: sum)
  }

  /// Microseconds from 1970 to 2001, the reference date of `Date`.
  fileprivate static let referenceDate: Int64 = 978_307_200_000_000
}

extension Date {
  /// Creates the date of a timestamp, exact to the microsecond.
  public init(_ timestamp: Timestamp) {
    // The difference of integers is exact, so that only one rounding remains.
    let sinceReference = timestamp.microseconds - Timestamp.referenceDate
    self.init(timeIntervalSinceReferenceDate: Double(sinceReference) / 1_000_000)
  }
}

extension Decimal {
  /// Creates the decimal number of the shortest text that denotes a double: 0.1 for 0.1.
  init?(shortestTextOf double: Double) {
    guard double.isFinite, let decimal = Decimal(string: double.description) else { return nil }
    self = decimal
  }
}
