public import HearthDocumentModel

extension Timestamp {
  /// Reads a time by RFC 3339, such as `2026-01-31T09:30:00.25Z` or `2026-01-31T10:30:00+01:00`.
  ///
  /// Digits below a microsecond are cut off (§2.1).
  ///
  /// - Throws: `invalidArgument`, in production's words if they are known.
  public init(rfc3339 text: String) throws(DatabaseError) {
    let bytes = Array(text.utf8)
    guard let zone = RFC3339.Zone(endOf: bytes) else {
      throw .invalidArgument(
        "Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone offset.")
    }
    var reader = RFC3339.Reader(bytes: bytes[..<(bytes.count - zone.byteCount)])
    guard let date = reader.readDate(), let time = reader.readTime(), reader.isAtEnd else {
      throw .invalidArgument("Invalid time format: \(text)")
    }
    guard (1...9999).contains(date.year) else {
      throw .invalidArgument("Timestamp value exceeds limits")
    }
    try self.init(
      seconds: date.daysSince1970 * 86_400 + time.seconds - zone.seconds,
      nanoseconds: time.nanoseconds)
  }

  /// The time by RFC 3339 in UTC, with no, three or six digits of a second's fraction.
  public var rfc3339: String {
    let secondOfDay = ((seconds % 86_400) + 86_400) % 86_400
    let date = RFC3339.Date(daysSince1970: (seconds - secondOfDay) / 86_400)
    let microseconds = Int64(nanoseconds) / 1000
    var text = padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2)
    text += "T" + padded(secondOfDay / 3600, 2) + ":" + padded(secondOfDay / 60 % 60, 2)
    text += ":" + padded(secondOfDay % 60, 2)
    if microseconds % 1000 != 0 {
      text += "." + padded(microseconds, 6)
    } else if microseconds != 0 {
      text += "." + padded(microseconds / 1000, 3)
    }
    return text + "Z"
  }

  private func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

/// The parts of an RFC 3339 text.
private enum RFC3339 {
  /// A day of the Gregorian calendar, extended to the time before its introduction.
  struct Date {
    var year: Int64
    var month: Int64
    var day: Int64

    private static let daysPerCycle: Int64 = 146_097
    private static let daysBeforeMonth: [Int64] = [
      0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334,
    ]

    static func isLeap(_ year: Int64) -> Bool {
      year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    static func dayCount(ofMonth month: Int64, _ year: Int64) -> Int64 {
      switch month {
      case 2: isLeap(year) ? 29 : 28
      case 4, 6, 9, 11: 30
      default: 31
      }
    }

    /// Returns the number of days from the first of January of year 1 to the first of January of
    /// `year`.
    private static func dayCount(beforeYear year: Int64) -> Int64 {
      let past = year - 1
      return past * 365 + past / 4 - past / 100 + past / 400
    }

    var daysSince1970: Int64 {
      let leapDay: Int64 = month > 2 && Date.isLeap(year) ? 1 : 0
      return Date.dayCount(beforeYear: year) - Date.dayCount(beforeYear: 1970)
        + Date.daysBeforeMonth[Int(month - 1)] + leapDay + day - 1
    }

    init(year: Int64, month: Int64, day: Int64) {
      self.year = year
      self.month = month
      self.day = day
    }

    /// - Precondition: the day lies in years 1 to 9999.
    init(daysSince1970 days: Int64) {
      let daysSinceYear1 = days + Date.dayCount(beforeYear: 1970)
      // The estimate is never too late, as leap days only make years longer.
      year = daysSinceYear1 * 400 / Date.daysPerCycle
      while Date.dayCount(beforeYear: year + 1) <= daysSinceYear1 { year += 1 }
      day = daysSinceYear1 - Date.dayCount(beforeYear: year) + 1
      month = 1
      while day > Date.dayCount(ofMonth: month, year) {
        day -= Date.dayCount(ofMonth: month, year)
        month += 1
      }
    }
  }

  /// The time zone at the end of a text: the offset of its clock from UTC.
  struct Zone {
    let seconds: Int64
    let byteCount: Int

    /// Reads the zone at the end of the text: `Z`, or hours and minutes; `nil` if there is none.
    init?(endOf text: [UInt8]) {
      if let last = text.last, last | 0x20 == UInt8(ascii: "z") {
        (seconds, byteCount) = (0, 1)
        return
      }
      var reader = Reader(bytes: text.suffix(6))
      let isAhead = reader.skips(UInt8(ascii: "+"))
      guard isAhead || reader.skips(UInt8(ascii: "-")) else { return nil }
      guard
        let hours = reader.readDigits(2), hours < 24, reader.skips(UInt8(ascii: ":")),
        let minutes = reader.readDigits(2), minutes < 60, reader.isAtEnd
      else { return nil }
      (seconds, byteCount) = ((hours * 60 + minutes) * (isAhead ? 60 : -60), 6)
    }
  }

  struct Reader {
    var bytes: ArraySlice<UInt8>

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func skips(_ byte: UInt8) -> Bool {
      guard bytes.first == byte else { return false }
      bytes.removeFirst()
      return true
    }

    /// Reads exactly `count` digits; `nil` if there are fewer.
    mutating func readDigits(_ count: Int) -> Int64? {
      let digits = bytes.prefix(count)
      guard digits.count == count, digits.allSatisfy(isDigit) else { return nil }
      bytes = bytes.dropFirst(count)
      return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    private func isDigit(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Reads a date. Years of more than four digits are read, so that they can be refused as years.
    mutating func readDate() -> Date? {
      let yearLength = bytes.prefix(while: isDigit).count
      guard
        (4...9).contains(yearLength), let year = readDigits(yearLength),
        skips(UInt8(ascii: "-")), let month = readDigits(2), (1...12).contains(month),
        skips(UInt8(ascii: "-")), let day = readDigits(2), day >= 1,
        day <= Date.dayCount(ofMonth: month, year)
      else { return nil }
      return Date(year: year, month: month, day: day)
    }

    /// Reads a time. A second 60, in a leap second, counts as the first of the next minute.
    mutating func readTime() -> (seconds: Int64, nanoseconds: Int32)? {
      guard
        skips(UInt8(ascii: "T")) || skips(UInt8(ascii: "t")),
        let hours = readDigits(2), hours < 24, skips(UInt8(ascii: ":")),
        let minutes = readDigits(2), minutes < 60, skips(UInt8(ascii: ":")),
        let seconds = readDigits(2), seconds <= 60, let nanoseconds = readFraction()
      else { return nil }
      return (hours * 3600 + minutes * 60 + seconds, nanoseconds)
    }

    /// Reads up to nine digits after a point. A missing fraction is zero.
    private mutating func readFraction() -> Int32? {
      guard skips(UInt8(ascii: ".")) else { return 0 }
      let length = bytes.prefix(while: isDigit).count
      guard (1...9).contains(length), var fraction = readDigits(length) else { return nil }
      for _ in length..<9 { fraction *= 10 }
      return Int32(fraction)
    }
  }
}

extension Timestamp {
  /// Whether a well-formed time has digits below a microsecond other than zeros.
  static func hasNanoseconds(rfc3339 text: String) -> Bool {
    let fraction = text.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst()
    let digits = fraction.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return digits.dropFirst(6).contains { $0 != UInt8(ascii: "0") }
  }
}
