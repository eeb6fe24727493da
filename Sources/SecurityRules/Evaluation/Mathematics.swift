import HearthDocumentModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The functions of the package `math`, and distances on the Earth.
enum Mathematics {
  /// Returns the value of a function; `nil` if it isn't defined for the arguments' types.
  static func apply(_ builtin: Builtin, _ arguments: [RulesValue]) -> RulesValue? {
    guard let first = number(arguments[0]) else { return nil }
    switch (builtin, arguments[0]) {
    case (.mathAbs, .int(let value)): return .int(value == .min ? .min : Swift.abs(value))
    case (.mathAbs, _): return .float(first.magnitude)
    case (.mathCeil, _): return .float(first.rounded(.up))
    case (.mathFloor, _): return .float(first.rounded(.down))
    case (.mathRound, .int): return arguments[0]
    case (.mathRound, _): return .int(rounded(first))
    case (.mathSqrt, _): return .float(first.squareRoot())
    case (.mathPow, _): return number(arguments[1]).map { .float(pow(first, $0)) }
    case (.mathIsNaN, _): return .bool(first.isNaN)
    case (.mathIsInfinity, _), (.mathIsInfinite, _): return .bool(first.isInfinite)
    default: return nil
    }
  }

  private static func number(_ value: RulesValue) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .float(let number): number
    default: nil
    }
  }

  /// Returns the nearest integer, halves up. Numbers beyond 64 bits become the nearest of these.
  private static func rounded(_ number: Double) -> Int64 {
    if number.isNaN { return 0 }
    let floor = number.rounded(.down)
    let nearest = number - floor >= 0.5 ? floor + 1 : floor
    return Int64(exactly: nearest) ?? (nearest < 0 ? .min : .max)
  }

  static func sine(_ angle: Double) -> Double { sin(angle) }

  /// Returns the distance of two points in metres on a sphere.
  static func distance(_ left: GeoPoint, _ right: GeoPoint) -> Double {
    let (first, second) = (radians(left), radians(right))
    let latitude = sin((second.latitude - first.latitude) / 2)
    let longitude = sin((second.longitude - first.longitude) / 2)
    let part =
      latitude * latitude
      + longitude * longitude * cos(first.latitude) * cos(second.latitude)
    return earthRadius * 2 * atan2(part.squareRoot(), max(0, 1 - part).squareRoot())
  }

  /// The radius of the sphere in metres.
  private static let earthRadius = 6_371_009.0

  private static func radians(_ point: GeoPoint) -> (latitude: Double, longitude: Double) {
    (point.latitude * (.pi / 180), point.longitude * (.pi / 180))
  }
}

extension GeoPoint {
  /// Returns the value of a method; `nil` if it isn't defined for points or these arguments.
  func apply(_ method: Method, _ arguments: [RulesValue]) -> RulesValue? {
    switch (method, arguments.count) {
    case (.latitude, 0): return .float(latitude)
    case (.longitude, 0): return .float(longitude)
    case (.distance, 1):
      guard case .latlng(let other) = arguments[0] else { return nil }
      return .float(Mathematics.distance(self, other))
    default: return nil
    }
  }

  /// Returns the point of a latitude and a longitude; `nil` for other types.
  static func make(_ arguments: [RulesValue]) throws(RulesError) -> RulesValue? {
    let numbers = arguments.compactMap { value -> Double? in
      switch value {
      case .int(let number): Double(number)
      case .float(let number): number
      default: nil
      }
    }
    guard numbers.count == 2 else { return nil }
    guard let point = try? GeoPoint(latitude: numbers[0], longitude: numbers[1]) else {
      throw .other(
        "Latitude should be in [-90,90] range and longitude should be in [-180,180] range. "
          + "latitude: \(FloatText.text(of: numbers[0])), "
          + "longitude: \(FloatText.text(of: numbers[1])).")
    }
    return .latlng(point)
  }
}
