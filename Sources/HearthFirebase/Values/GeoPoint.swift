import Hearth

/// A point on Earth, in degrees. A write refuses a point outside the ranges.
public struct GeoPoint: Sendable, Hashable {
  /// Latitude, -90...90.
  public let latitude: Double
  /// Longitude, -180...180.
  public let longitude: Double

  /// Creates a point from its coordinates in degrees.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  init(_ stored: Hearth.GeoPoint) {
    self.init(latitude: stored.latitude, longitude: stored.longitude)
  }

  /// Returns Hearth's geo point.
  ///
  /// - Throws: `invalidArgument` for a point outside the ranges.
  func stored() throws(DatabaseError) -> Hearth.GeoPoint {
    try Hearth.GeoPoint(latitude: latitude, longitude: longitude)
  }
}

extension GeoPoint {
  /// Returns the point itself: a value is its own copy.
  public func copy() -> Any { self }
}
