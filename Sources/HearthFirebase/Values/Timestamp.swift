public import Foundation
import Hearth

/// A point in time, in seconds and nanoseconds since 1970.
///
/// Any timestamp can be made, but a write refuses one outside the years 1 to 9999. It also cuts off
/// digits below a microsecond (§2.1). A timestamp made from a date is stored like the date, as the
/// nearest microsecond, so that a date that was read isn't changed by being written.
public struct Timestamp: Sendable {
  /// Whole seconds since 1970.
  public let seconds: Int64
  /// Nanoseconds, 0..<1,000,000,000, counted forwards, also before 1970.
  public let nanoseconds: Int32
  /// The date that the timestamp was made from.
  private let date: Date?

  /// Creates a timestamp from its distance to 1970.
  public init(seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
    date = nil
  }

  /// Creates the timestamp of the nanosecond that contains `date`.
  public init(date: Date) {
    self.date = date
    let whole = date.timeIntervalSince1970.rounded(.down)
    guard let seconds = Int64(exactly: whole) else {
      // The date is outside all timestamps. A write refuses the result.
      (seconds, nanoseconds) = (date < Date(timeIntervalSince1970: 0) ? .min : .max, 0)
      return
    }
    self.seconds = seconds
    nanoseconds = Int32((date.timeIntervalSince1970 - whole) * 1e9)
  }

  /// Creates the timestamp of the present time.
  public init() { self.init(date: Date()) }

  init(_ stored: Hearth.Timestamp) {
    self.init(seconds: stored.seconds, nanoseconds: stored.nanoseconds)
  }

  /// Returns Hearth's timestamp.
  ///
  /// - Throws: `invalidArgument` for a timestamp outside the years 1 to 9999.
  func stored() throws(DatabaseError) -> Hearth.Timestamp {
    if let date { return try Hearth.Timestamp(date) }
    return try Hearth.Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }

  /// Returns the nearest date.
  public func dateValue() -> Date {
    if let date { return date }
    // For whole microseconds, the date that Hearth reads.
    if nanoseconds % 1000 == 0, let stored = try? stored() { return Date(stored) }
    let sinceReference = Double(seconds) - Date.timeIntervalBetween1970AndReferenceDate
    return Date(timeIntervalSinceReferenceDate: sinceReference + Double(nanoseconds) / 1e9)
  }

  /// Returns the order of two timestamps.
  public func compare(_ other: Timestamp) -> ComparisonResult {
    self < other ? .orderedAscending : self == other ? .orderedSame : .orderedDescending
  }
}

extension Timestamp: Hashable {
  /// Whether both are the same nanosecond, even if one was made from a date.
  public static func == (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) == (right.seconds, right.nanoseconds)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(seconds)
    hasher.combine(nanoseconds)
  }
}

extension Timestamp: Comparable {
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

extension Timestamp: CustomStringConvertible {
  public var description: String { "Timestamp(seconds: \(seconds), nanoseconds: \(nanoseconds))" }
}

extension Timestamp {
  /// Returns the timestamp itself: a value is its own copy.
  public func copy() -> Any { self }
}
