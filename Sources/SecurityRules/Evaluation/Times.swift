import HearthDocumentModel

// The functions of the packages `timestamp` and `duration`, and the methods of timestamps.
extension RulesDuration {
  /// Returns the value of a function; `nil` if it isn't defined for the arguments' types.
  static func apply(
    _ builtin: Builtin, _ arguments: [RulesValue]
  ) throws(RulesError) -> RulesValue? {
    switch (builtin, arguments[0]) {
    case (.durationAbs, .duration(let duration)):
      return .duration(
        duration.seconds < 0 || duration.nanoseconds < 0
          ? try duration.negated() : duration)
    case (.durationValue, .int(let count)):
      guard case .string(let unit) = arguments[1] else { return nil }
      return .duration(try RulesDuration(count, unit))
    case (.durationTime, _):
      let parts = arguments.compactMap { if case .int(let part) = $0 { part } else { nil } }
      guard parts.count == 4 else { return nil }
      let hours = try RulesDuration(parts[0], "h").adding(try RulesDuration(parts[1], "m"))
      let seconds = try RulesDuration(seconds: parts[2], nanoseconds: parts[3])
      return .duration(try hours.adding(seconds))
    default: return nil
    }
  }

  private init(_ count: Int64, _ unit: String) throws(RulesError) {
    let perUnit: [String: Int64] = ["w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1]
    switch unit {
    case "ms":
      try self.init(
        seconds: count / 1_000, nanoseconds: count % 1_000 * 1_000_000)
    case "ns": try self.init(seconds: 0, nanoseconds: count)
    default:
      guard let seconds = perUnit[unit] else { throw .pattern(unit) }
      let (product, overflow) = count.multipliedReportingOverflow(by: seconds)
      guard !overflow else { throw .invalidDuration }
      try self.init(seconds: product, nanoseconds: 0)
    }
  }
}

extension RulesTimestamp {
  private static let secondsPerDay: Int64 = 86_400

  /// Returns the value of a function; `nil` if it isn't defined for the arguments' types.
  static func apply(
    _ builtin: Builtin, _ arguments: [RulesValue]
  ) throws(RulesError) -> RulesValue? {
    switch (builtin, arguments[0]) {
    case (.timestampValue, .int(let milliseconds)):
      let (seconds, rest) = divided(milliseconds, by: 1_000)
      return .timestamp(try RulesTimestamp(seconds: seconds, nanoseconds: rest * 1_000_000))
    case (.timestampValue, .string(let text)):
      guard let time = TimestampText.read(text) else { throw .invalidTimestamp }
      return .timestamp(try RulesTimestamp(seconds: time.seconds, nanoseconds: time.nanoseconds))
    case (.timestampDate, _):
      let parts = arguments.compactMap { if case .int(let part) = $0 { part } else { nil } }
      guard parts.count == 3 else { return nil }
      return .timestamp(try date(parts[0], parts[1], parts[2]))
    default: return nil
    }
  }

  private static func date(
    _ year: Int64, _ month: Int64, _ day: Int64
  ) throws(RulesError) -> RulesTimestamp {
    guard (1...12).contains(month), (1...31).contains(day), year.magnitude < 1 << 31,
      day <= CivilDate.dayCount(of: month, in: year)
    else { throw .other("Date is not valid. year: \(year), month: \(month) day: \(day).") }
    guard (1...9999).contains(year) else {
      throw .other(
        "Timestamp should be between 0001-01-01T00.00.00Z and 9999-12-31T23.59.59Z. "
          + "year: \(year).")
    }
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    return try RulesTimestamp(seconds: days * secondsPerDay, nanoseconds: 0)
  }

  /// Returns the value of a method; `nil` if timestamps don't have it.
  func member(_ method: Method) throws(RulesError) -> RulesValue? {
    let (days, second) = divided(seconds, by: Self.secondsPerDay)
    let date = CivilDate(daysSince1970: days)
    switch method {
    case .year: return .int(date.year)
    case .month: return .int(date.month)
    case .day: return .int(date.day)
    case .hours: return .int(second / 3_600)
    case .minutes: return .int(second / 60 % 60)
    case .seconds: return .int(second % 60)
    case .nanos: return .int(nanoseconds)
    // 1970 began on a Thursday.
    case .dayOfWeek: return .int(divided(days + 3, by: 7).rest + 1)
    case .dayOfYear:
      let start = CivilDate(year: date.year, month: 1, day: 1).daysSince1970
      return .int(days - start + 1)
    case .date:
      return .timestamp(
        try RulesTimestamp(seconds: days * Self.secondsPerDay, nanoseconds: 0))
    case .time:
      return .duration(try RulesDuration(seconds: second, nanoseconds: nanoseconds))
    case .toMillis: return .int(seconds * 1_000 + nanoseconds / 1_000_000)
    default: return nil
    }
  }
}

/// Divides and rounds down, so that the rest is never negative.
private func divided(_ value: Int64, by divisor: Int64) -> (quotient: Int64, rest: Int64) {
  let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
  return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
}

/// A date of the Gregorian calendar, which also holds before it was introduced.
struct CivilDate {
  let year: Int64
  let month: Int64
  let day: Int64

  init(year: Int64, month: Int64, day: Int64) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  // Years are counted from March, so that the day of a leap year comes last.
  private static let daysPerEra: Int64 = 146_097
  /// The days from 1 March of year 0 to 1970-01-01.
  private static let daysBefore1970: Int64 = 719_468

  init(daysSince1970 days: Int64) {
    let (era, day) = divided(days + Self.daysBefore1970, by: Self.daysPerEra)
    let yearOfEra = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    self.day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var daysSince1970: Int64 {
    let (era, yearOfEra) = divided(month <= 2 ? year - 1 : year, by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let day = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * Self.daysPerEra + day - Self.daysBefore1970
  }

  static func dayCount(of month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
