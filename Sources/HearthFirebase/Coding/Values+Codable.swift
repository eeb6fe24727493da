import Hearth

extension FieldValue: Encodable {
  /// Encodes the change, for the write that the type is encoded for.
  ///
  /// - Throws: ``FirestoreEncodingError`` for other encoders than that of documents;
  ///   `EncodingError` for elements that no array can hold, and inside an array.
  public func encode(to encoder: any Encoder) throws {
    try encoder.requireDocument(for: "FieldValue")
    try encoder.encode(self) { () throws(DatabaseError) in try change.get() }
  }
}

extension GeoPoint: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(try Hearth.GeoPoint(from: decoder))
  }

  /// Encodes the point.
  ///
  /// - Throws: `EncodingError` for a point that can't be stored.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(self) { () throws(DatabaseError) in try stored() }
  }
}

extension Timestamp: Codable {
  private enum CodingKeys: String, CodingKey { case seconds, nanoseconds }

  /// Decodes a timestamp with all of its digits, except for those that a document doesn't store.
  public init(from decoder: any Decoder) throws {
    guard decoder.readsDocument else {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        seconds: try container.decode(Int64.self, forKey: .seconds),
        nanoseconds: try container.decode(Int32.self, forKey: .nanoseconds))
      return
    }
    let stored = try Hearth.Timestamp(from: decoder)
    self = decoder.userInfo.preciseTimestamps?[decoder.codingPath] ?? Timestamp(stored)
  }

  /// Encodes the timestamp.
  ///
  /// - Throws: `EncodingError` for a timestamp that can't be stored.
  public func encode(to encoder: any Encoder) throws {
    guard encoder.makesDocument else {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(seconds, forKey: .seconds)
      try container.encode(nanoseconds, forKey: .nanoseconds)
      return
    }
    encoder.userInfo.preciseTimestamps?.note(self, at: encoder.codingPath.map(\.stringValue))
    try encoder.encode(self) { () throws(DatabaseError) in try stored() }
  }
}
