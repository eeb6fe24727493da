public import Foundation
import Hearth

/// A point in time, in seconds and nanoseconds since 1970.
///
/// Any can be made; one outside of the years 1 to 9999 is refused when it is written. Digits below
/// a microsecond are cut off then (§2.1).
public struct Timestamp: Sendable, Hashable {
  /// Whole seconds since 1970.
  public let seconds: Int64
  /// 0..<1,000,000,000, counted forwards, also before 1970.
  public let nanoseconds: Int32

  /// A moment, by its distance from 1970.
  public init(seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The microsecond nearest to `date`.
  public init(date: Date) {
    guard let stored = try? Hearth.Timestamp(date) else {
      // Farther away than any timestamp: what is written of it is refused.
      self.init(seconds: date < Date(timeIntervalSince1970: 0) ? .min : .max, nanoseconds: 0)
      return
    }
    self.init(stored)
  }

  /// Now.
  public init() { self.init(date: Date()) }

  init(_ stored: Hearth.Timestamp) {
    self.init(seconds: stored.seconds, nanoseconds: stored.nanoseconds)
  }

  /// - Throws: `invalidArgument` outside of the years 1 to 9999.
  func stored() throws(DatabaseError) -> Hearth.Timestamp {
    try Hearth.Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }

  /// The date nearest to it.
  public func dateValue() -> Date {
    guard let stored = try? stored() else {
      return Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9)
    }
    return Date(stored)
  }

  /// Which of two moments comes first.
  public func compare(_ other: Timestamp) -> ComparisonResult {
    self < other ? .orderedAscending : self == other ? .orderedSame : .orderedDescending
  }
}

extension Timestamp: Comparable {
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
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
