/// Points in time as RFC 3339 writes them, with an offset from UTC.
enum TimestampText {
  /// Returns the time that `text` names; `nil` if it names none.
  static func read(_ text: String) -> (seconds: Int64, nanoseconds: Int64)? {
    var reader = Reader(rest: Array(text.utf8)[...])
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
      reader.skip("-"), let day = reader.number(2), reader.skip("T") || reader.skip("t"),
      let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
      reader.skip(":"), let second = reader.number(2), let nanoseconds = reader.fraction(),
      let offset = reader.offset(), reader.rest.isEmpty, (1...12).contains(month), day >= 1,
      day <= CivilDate.dayCount(of: month, in: year), hour < 24, minute < 60, second < 60
    else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    return (days * 86_400 + hour * 3_600 + minute * 60 + second - offset, nanoseconds)
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func skip(_ letter: Unicode.Scalar) -> Bool {
      guard let first = rest.first, first == UInt8(ascii: letter) else { return false }
      rest.removeFirst()
      return true
    }

    /// Reads a number of exactly `count` digits.
    mutating func number(_ count: Int) -> Int64? {
      guard rest.count >= count else { return nil }
      var value: Int64 = 0
      for digit in rest.prefix(count) {
        guard (0x30...0x39).contains(digit) else { return nil }
        value = value * 10 + Int64(digit - 0x30)
      }
      rest.removeFirst(count)
      return value
    }

    /// Reads a fraction of a second in nanoseconds; 0 if there is none.
    mutating func fraction() -> Int64? {
      guard skip(".") else { return 0 }
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard (1...9).contains(digits.count) else { return nil }
      rest.removeFirst(digits.count)
      return (0..<9).reduce(0) { value, place in
        let index = digits.startIndex + place
        return value * 10 + (index < digits.endIndex ? Int64(digits[index] - 0x30) : 0)
      }
    }

    /// Reads the offset from UTC in seconds.
    mutating func offset() -> Int64? {
      if skip("Z") || skip("z") { return 0 }
      let isNegative = skip("-")
      guard isNegative || skip("+"), let hours = number(2), skip(":"), let minutes = number(2),
        hours < 24, minutes < 60
      else { return nil }
      let seconds = hours * 3_600 + minutes * 60
      return isNegative ? -seconds : seconds
    }
  }
}
