import Hearth

/// A point on Earth, in degrees. One outside of the ranges is refused when it is written.
public struct GeoPoint: Sendable, Hashable {
  /// -90...90
  public let latitude: Double
  /// -180...180
  public let longitude: Double

  /// A place, in degrees.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  init(_ stored: Hearth.GeoPoint) {
    self.init(latitude: stored.latitude, longitude: stored.longitude)
  }

  /// - Throws: `invalidArgument` outside of the ranges.
  func stored() throws(DatabaseError) -> Hearth.GeoPoint {
    try Hearth.GeoPoint(latitude: latitude, longitude: longitude)
  }
}

extension GeoPoint {
  /// The same: a value is its own copy.
  public func copy() -> Any { self }
}

extension GeoPoint: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(try Hearth.GeoPoint(from: decoder))
  }

  /// - Throws: `EncodingError` for what can't be stored.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(self) { () throws(DatabaseError) in try stored() }
  }
}
