/// A point in time from year 1 to year 9999, in whole microseconds (§2.1).
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  public let microseconds: Int64

  /// 0001-01-01T00:00:00Z.
  public static let minimum = Timestamp(unchecked: -62_135_596_800_000_000)
  /// 9999-12-31T23:59:59.999999Z.
  public static let maximum = Timestamp(unchecked: 253_402_300_799_999_999)

  private init(unchecked microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// - Throws: `invalidArgument` outside of years 1 to 9999.
  public init(microseconds: Int64) throws(DatabaseError) {
    guard
      microseconds >= Timestamp.minimum.microseconds,
      microseconds <= Timestamp.maximum.microseconds
    else { throw .invalidArgument("Timestamp value exceeds limits") }
    self.microseconds = microseconds
  }

  /// Creates a time. Digits below a microsecond are cut off, towards the past (§2.1).
  ///
  /// - Throws: `invalidArgument` outside of years 1 to 9999, or for nanoseconds outside
  ///   0..<1,000,000,000.
  public init(seconds: Int64, nanoseconds: Int32) throws(DatabaseError) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !overflow, (0..<1_000_000_000).contains(nanoseconds) else {
      throw .invalidArgument("Timestamp value exceeds limits")
    }
    let (sum, carried) = product.addingReportingOverflow(Int64(nanoseconds / 1000))
    guard !carried else { throw .invalidArgument("Timestamp value exceeds limits") }
    try self.init(microseconds: sum)
  }

  /// Whole seconds since 1970, rounded down.
  public var seconds: Int64 {
    microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000
  }

  /// The part of a second after `seconds`, 0..<1,000,000,000.
  public var nanoseconds: Int32 { Int32((microseconds - seconds * 1_000_000) * 1000) }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microseconds < right.microseconds
  }
}
