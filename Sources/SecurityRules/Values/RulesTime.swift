import HearthDocumentModel

/// A point in time from year 1 to year 9999, in nanoseconds.
struct RulesTimestamp: Sendable, Equatable, Comparable {
  /// Whole seconds since 1970, rounded down.
  let seconds: Int64
  /// The rest, 0..<1,000,000,000.
  let nanoseconds: Int64

  init(_ timestamp: Timestamp) {
    seconds = timestamp.seconds
    nanoseconds = Int64(timestamp.nanoseconds)
  }

  init(seconds: Int64, nanoseconds: Int64) throws(RulesError) {
    guard (-62_135_596_800...253_402_300_799).contains(seconds),
      (0..<1_000_000_000).contains(nanoseconds)
    else { throw .invalidTimestamp }
    (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
  }

  static func < (left: RulesTimestamp, right: RulesTimestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// Returns the time that `duration` leads to.
  func adding(_ duration: RulesDuration) throws(RulesError) -> RulesTimestamp {
    let (seconds, nanoseconds) = carried(
      self.seconds + duration.seconds, self.nanoseconds + duration.nanoseconds)
    return try RulesTimestamp(seconds: seconds, nanoseconds: nanoseconds)
  }

  /// Returns the time from `other` to this one.
  func since(_ other: RulesTimestamp) throws(RulesError) -> RulesDuration {
    try RulesDuration(
      seconds: seconds - other.seconds, nanoseconds: nanoseconds - other.nanoseconds)
  }
}

/// A length of time, in nanoseconds.
struct RulesDuration: Sendable, Equatable, Comparable {
  /// Whole seconds, rounded towards zero.
  let seconds: Int64
  /// The rest, with the sign of the duration.
  let nanoseconds: Int64

  private static let secondLimit: Int64 = 315_576_000_000

  /// - Parameter nanoseconds: any number; whole seconds in it are carried over.
  init(seconds: Int64, nanoseconds: Int64) throws(RulesError) {
    let (sum, overflow) = seconds.addingReportingOverflow(nanoseconds / 1_000_000_000)
    guard !overflow, sum.magnitude <= RulesDuration.secondLimit.magnitude + 1 else {
      throw .invalidDuration
    }
    var (whole, rest) = (sum, nanoseconds % 1_000_000_000)
    if whole > 0, rest < 0 { (whole, rest) = (whole - 1, rest + 1_000_000_000) }
    if whole < 0, rest > 0 { (whole, rest) = (whole + 1, rest - 1_000_000_000) }
    guard (-RulesDuration.secondLimit...RulesDuration.secondLimit).contains(whole) else {
      throw .invalidDuration
    }
    (self.seconds, self.nanoseconds) = (whole, rest)
  }

  static func < (left: RulesDuration, right: RulesDuration) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  func adding(_ other: RulesDuration) throws(RulesError) -> RulesDuration {
    try RulesDuration(
      seconds: seconds + other.seconds, nanoseconds: nanoseconds + other.nanoseconds)
  }

  func negated() throws(RulesError) -> RulesDuration {
    try RulesDuration(seconds: -seconds, nanoseconds: -nanoseconds)
  }
}

/// Moves whole seconds of `nanoseconds`, rounded down, to `seconds`.
private func carried(_ seconds: Int64, _ nanoseconds: Int64) -> (Int64, Int64) {
  var (carry, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
  if rest < 0 { (carry, rest) = (carry - 1, rest + 1_000_000_000) }
  return (seconds + carry, rest)
}

extension RulesError {
  static let invalidTimestamp = RulesError.other(
    "Timestamp is not valid. Seconds must be in range [-62,135,596,800, +253,402,300,799]. Nanos "
      + "must be in range [0, +999,999,999].")

  static let invalidDuration = RulesError.other(
    "Duration is not valid. Seconds must be in range [-315,576,000,000, +315,576,000,000]. Nanos "
      + "must be in range [-999,999,999, +999,999,999]. Nanos must have the same sign as seconds.")
}
