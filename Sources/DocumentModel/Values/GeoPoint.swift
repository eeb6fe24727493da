/// A point on Earth, in degrees.
public struct GeoPoint: Sendable, Hashable {
  /// The latitude, -90...90.
  public let latitude: Double
  /// The longitude, -180...180.
  public let longitude: Double

  /// - Throws: `invalidArgument` outside of the ranges, and for NaN.
  public init(latitude: Double, longitude: Double) throws(DatabaseError) {
    guard (-90.0...90.0).contains(latitude) else {
      throw .invalidArgument(
        "Geo point latitude '\(latitude)' outside permitted range -90.0 to 90.0.")
    }
    guard (-180.0...180.0).contains(longitude) else {
      throw .invalidArgument(
        "Geo point longitude '\(longitude)' outside permitted range -180.0 to 180.0.")
    }
    self.latitude = latitude
    self.longitude = longitude
  }
}
