extension Value: CustomStringConvertible {
  /// The value in a readable form: `"Tokio"`, `1`, `1.0`, `timestamp("2026-01-01T00:00:00Z")`.
  public var description: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .double(let value): Value.text(of: value)
    case .timestamp(let value): "timestamp(\"\(value)\")"
    case .string(let value): Value.quoted(value)
    case .bytes(let value): "bytes(\"\(Base64.text(of: value, .standard))\")"
    case .reference(let name):
      "reference(\(Value.quoted(name.database == .default ? "\(name.path)" : "\(name)")))"
    case .geoPoint(let point):
      "geopoint(\(Value.text(of: point.latitude)), \(Value.text(of: point.longitude)))"
    case .array(let elements): "[\(elements.map(\.description).joined(separator: ", "))]"
    case .vector(let elements):
      "vector(\(elements.map(Value.text).joined(separator: ", ")))"
    case .map(let map):
      "{\(map.map { "\(Value.quoted($0.name)): \($0.value)" }.joined(separator: ", "))}"
    }
  }

  private static func text(of double: Double) -> String {
    if double.isNaN { return "NaN" }
    guard double.isInfinite else { return "\(double)" }
    return double < 0 ? "-Infinity" : "Infinity"
  }

  /// Returns `string` in quotes, with JSON's escapes.
  private static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..<"\u{20}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

extension Timestamp: CustomStringConvertible {
  /// The time by RFC 3339 in UTC, with no, three or six digits after the second's point, as needed.
  public var description: String {
    let (year, month, day) = Timestamp.date(daysSince1970: floorDivided(seconds, 86_400))
    let second = seconds - floorDivided(seconds, 86_400) * 86_400
    var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
    text += "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    let fraction = Int64(nanoseconds) / 1000
    if fraction % 1000 != 0 {
      text += ".\(padded(fraction, 6))"
    } else if fraction != 0 {
      text += ".\(padded(fraction / 1000, 3))"
    }
    return text + "Z"
  }

  /// Returns the date in the Gregorian calendar, counted in its eras of 400 years that begin in
  /// March.
  private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = floorDivided(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * marchMonth + 2) / 5 + 1
    )
  }
}

private func floorDivided(_ value: Int64, _ divisor: Int64) -> Int64 {
  value >= 0 ? value / divisor : (value - divisor + 1) / divisor
}

private func padded(_ number: Int64, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
