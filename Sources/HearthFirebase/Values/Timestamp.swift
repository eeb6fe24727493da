public import Foundation
import Hearth

/// A point in time, in seconds and nanoseconds since 1970.
///
/// Any can be made; one outside of the years 1 to 9999 is refused when it is written. Digits below
/// a microsecond are cut off then (§2.1); one made of a date is stored as the date is, as the
/// nearest microsecond, so that a date that was read isn't changed by being written.
public struct Timestamp: Sendable {
  /// Whole seconds since 1970.
  public let seconds: Int64
  /// 0..<1,000,000,000, counted forwards, also before 1970.
  public let nanoseconds: Int32
  /// The date that it was made of.
  private let date: Date?

  /// A moment, by its distance from 1970.
  public init(seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
    date = nil
  }

  /// The nanosecond that `date` lies in.
  public init(date: Date) {
    self.date = date
    let whole = date.timeIntervalSince1970.rounded(.down)
    guard let seconds = Int64(exactly: whole) else {
      // Farther away than any timestamp: what is written of it is refused.
      (seconds, nanoseconds) = (date < Date(timeIntervalSince1970: 0) ? .min : .max, 0)
      return
    }
    self.seconds = seconds
    nanoseconds = Int32((date.timeIntervalSince1970 - whole) * 1e9)
  }

  /// Now.
  public init() { self.init(date: Date()) }

  init(_ stored: Hearth.Timestamp) {
    self.init(seconds: stored.seconds, nanoseconds: stored.nanoseconds)
  }

  /// - Throws: `invalidArgument` outside of the years 1 to 9999.
  func stored() throws(DatabaseError) -> Hearth.Timestamp {
    if let date { return try Hearth.Timestamp(date) }
    return try Hearth.Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }

  /// The date nearest to it.
  public func dateValue() -> Date {
    if let date { return date }
    // Of whole microseconds, the date that Hearth reads.
    if nanoseconds % 1000 == 0, let stored = try? stored() { return Date(stored) }
    let sinceReference = Double(seconds) - Date.timeIntervalBetween1970AndReferenceDate
    return Date(timeIntervalSinceReferenceDate: sinceReference + Double(nanoseconds) / 1e9)
  }

  /// The order of two moments.
  public func compare(_ other: Timestamp) -> ComparisonResult {
    self < other ? .orderedAscending : self == other ? .orderedSame : .orderedDescending
  }
}

extension Timestamp: Hashable {
  /// Whether both are the same nanosecond, whatever they were made of.
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
  /// The same: a value is its own copy.
  public func copy() -> Any { self }
}

extension Timestamp: Codable {
  private enum CodingKeys: String, CodingKey { case seconds, nanoseconds }

  /// All of its digits, but for those that a document doesn't store.
  public init(from decoder: any Decoder) throws {
    guard decoder.readsDocument else {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        seconds: try container.decode(Int64.self, forKey: .seconds),
        nanoseconds: try container.decode(Int32.self, forKey: .nanoseconds))
      return
    }
    let stored = try Hearth.Timestamp(from: decoder)
    self = decoder.userInfo.preciseTimestamps?[decoder.codingPath] ?? Timestamp(stored)
  }

  /// - Throws: `EncodingError` for what can't be stored.
  public func encode(to encoder: any Encoder) throws {
    guard encoder.makesDocument else {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(seconds, forKey: .seconds)
      try container.encode(nanoseconds, forKey: .nanoseconds)
      return
    }
    encoder.userInfo.preciseTimestamps?.note(self, at: encoder.codingPath.map(\.stringValue))
    try encoder.encode(self) { () throws(DatabaseError) in try stored() }
  }
}
