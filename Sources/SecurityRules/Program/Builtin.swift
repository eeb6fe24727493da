/// A method, by its name in rules.
enum Method: String, Sendable, CaseIterable {
  // Texts and bytes.
  case size, lower, upper, trim, matches, split, replace, toUtf8, toBase64, toHexString
  // Lists, sets and maps.
  case hasAll, hasAny, hasOnly, concat, removeAll, join, toSet
  case union, intersection, difference
  case keys, values, get, diff
  case addedKeys, removedKeys, changedKeys, unchangedKeys, affectedKeys
  // Paths.
  case bind
  // Times and lengths of time.
  case year, month, day, hours, minutes, seconds, nanos, dayOfWeek, dayOfYear, date, time, toMillis
  // Points.
  case latitude, longitude, distance
}

/// A function that is no method, by its full name.
enum Builtin: String, Sendable, CaseIterable {
  case get, exists, getAfter, existsAfter
  case int, float, string, path, debug
  case mathAbs = "math.abs"
  case mathCeil = "math.ceil"
  case mathFloor = "math.floor"
  case mathRound = "math.round"
  case mathSqrt = "math.sqrt"
  case mathPow = "math.pow"
  case mathIsNaN = "math.isNaN"
  case mathIsInfinity = "math.isInfinity"
  case mathIsInfinite = "math.isInfinite"
  case md5 = "hashing.md5"
  case sha256 = "hashing.sha256"
  case crc32 = "hashing.crc32"
  case crc32c = "hashing.crc32c"
  case durationValue = "duration.value"
  case durationTime = "duration.time"
  case durationAbs = "duration.abs"
  case timestampDate = "timestamp.date"
  case timestampValue = "timestamp.value"
  case latlngValue = "latlng.value"

  /// Names before the dot of functions, which can't be variables.
  static let packages: Set<String> = ["math", "hashing", "duration", "timestamp", "latlng"]

  /// The number of arguments of all forms.
  var argumentCount: Int {
    switch self {
    case .mathPow, .durationValue, .latlngValue: 2
    case .timestampDate: 3
    case .durationTime: 4
    case .timestampValue, .durationAbs, .get, .exists, .getAfter, .existsAfter, .int, .float,
      .string, .path, .debug, .mathAbs, .mathCeil, .mathFloor, .mathRound, .mathSqrt, .mathIsNaN,
      .mathIsInfinity, .mathIsInfinite, .md5, .sha256, .crc32, .crc32c:
      1
    }
  }
}
