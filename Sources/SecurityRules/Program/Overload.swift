/// A form in which a function can be called, as messages name it: `string.matches(string)`.
struct Overload: ExpressibleByStringLiteral, Sendable {
  let text: String

  init(stringLiteral text: String) { self.text = text }

  /// The names of the types of the arguments.
  var parameters: [Substring] {
    guard let start = text.firstIndex(of: "(") else { return [] }
    return text[start...].dropFirst().dropLast().split(separator: ", ")
  }

  /// The type of the object of a method, or the package of a function.
  var receiver: Substring { text.prefix { $0 != "." } }
}

extension Method {
  /// The forms of the method.
  var overloads: [Overload] {
    switch self {
    case .size: ["list.size()", "map.size()", "set.size()", "string.size()", "bytes.size()"]
    case .lower, .upper, .trim: [Overload(stringLiteral: "string.\(rawValue)()")]
    case .matches, .split: [Overload(stringLiteral: "string.\(rawValue)(string)")]
    case .replace: ["string.replace(string, string)"]
    case .toUtf8: ["string.toUtf8()"]
    case .toBase64, .toHexString: [Overload(stringLiteral: "bytes.\(rawValue)()")]
    case .hasAll, .hasAny, .hasOnly:
      ["list", "set", "set"].enumerated().map { index, type in
        Overload(stringLiteral: "\(type).\(rawValue)(\(index == 1 ? "set" : "list"))")
      } + (self == .hasAny ? ["constraint.hasAny(list)"] : [])
    case .concat, .removeAll: [Overload(stringLiteral: "list.\(rawValue)(list)")]
    case .join: ["list.join(string)"]
    case .toSet: ["list.toSet()"]
    case .union, .intersection, .difference:
      [Overload(stringLiteral: "set.\(rawValue)(set)")]
    case .keys, .values: [Overload(stringLiteral: "map.\(rawValue)()")]
    case .get: ["map.get(string, any)", "map.get(list, any)"]
    case .diff: ["map.diff(map)"]
    case .addedKeys, .removedKeys, .changedKeys, .unchangedKeys, .affectedKeys:
      [Overload(stringLiteral: "map_diff.\(rawValue)()")]
    case .bind: ["path.bind(map)"]
    case .seconds, .nanos:
      ["duration", "timestamp"].map { Overload(stringLiteral: "\($0).\(rawValue)()") }
    case .year, .month, .day, .hours, .minutes, .dayOfWeek, .dayOfYear, .date, .time, .toMillis:
      [Overload(stringLiteral: "timestamp.\(rawValue)()")]
    case .latitude, .longitude: [Overload(stringLiteral: "latlng.\(rawValue)()")]
    case .distance: ["latlng.distance(latlng)"]
    }
  }
}

extension Builtin {
  /// The forms of the function.
  var overloads: [Overload] {
    switch self {
    case .get, .exists, .getAfter, .existsAfter: forms(["path"])
    case .int, .float: forms(["int", "float", "string"])
    case .string: forms(["int", "float", "null", "string", "bool", "path"])
    case .path: forms(["string"])
    case .debug: forms(["any"])
    case .mathAbs: forms(["int", "float"])
    case .mathCeil, .mathFloor, .mathRound, .mathSqrt, .mathIsNaN, .mathIsInfinity,
      .mathIsInfinite:
      forms(["float"])
    case .mathPow: forms(["float, float"])
    case .md5, .sha256, .crc32, .crc32c: forms(["bytes", "string"])
    case .durationValue: forms(["int, string"])
    case .durationTime: forms(["int, int, int, int"])
    case .durationAbs: forms(["duration"])
    case .timestampDate: forms(["int, int, int"])
    case .timestampValue: forms(["int", "string"])
    case .latlngValue: forms(["float, float"])
    }
  }

  private func forms(_ parameters: [String]) -> [Overload] {
    parameters.map { Overload(stringLiteral: "\(rawValue)(\($0))") }
  }
}
