public import HearthDocumentModel

// Hearth's own coders read and write these types in one step. In other coders, they are encoded as
// JSON could hold them; types that only a document can hold throw an error.

extension GeoPoint: Codable {
  private enum CodingKeys: String, CodingKey { case latitude, longitude }

  public init(from decoder: any Decoder) throws {
    if decoder is RecordDecoder {
      self = try decoder.singleValueContainer().decode(GeoPoint.self)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      latitude: container.decode(Double.self, forKey: .latitude),
      longitude: container.decode(Double.self, forKey: .longitude))
  }

  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? FieldEncoder { return encoder.setValue(.geoPoint(self)) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(latitude, forKey: .latitude)
    try container.encode(longitude, forKey: .longitude)
  }
}

extension VectorValue: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard decoder is RecordDecoder else {
      self.init(try container.decode([Double].self))
      return
    }
    self = try container.decode(VectorValue.self)
  }

  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? FieldEncoder { return encoder.setValue(.vector(array)) }
    var container = encoder.singleValueContainer()
    try container.encode(array)
  }
}

extension DocumentName: Codable {
  public init(from decoder: any Decoder) throws { self = try decoder.ofDocument() }

  public func encode(to encoder: any Encoder) throws {
    try encoder.ofDocument(self).setValue(.reference(self))
  }
}

extension DocumentReference: Codable {
  public init(from decoder: any Decoder) throws { self = try decoder.ofDocument() }

  public func encode(to encoder: any Encoder) throws {
    try encoder.ofDocument(self).setValue(.reference(name()))
  }
}

extension Value: Codable {
  public init(from decoder: any Decoder) throws { self = try decoder.ofDocument() }

  public func encode(to encoder: any Encoder) throws { try encoder.ofDocument(self).setValue(self) }
}

extension MapValue: Codable {
  public init(from decoder: any Decoder) throws { self = try decoder.ofDocument() }

  public func encode(to encoder: any Encoder) throws {
    try encoder.ofDocument(self).setValue(.map(self))
  }
}

extension Decoder {
  /// Whether this is the decoder of a document.
  package var readsDocument: Bool { self is RecordDecoder }

  /// Decodes the value; throws in other decoders than a document's.
  fileprivate func ofDocument<T: Decodable>() throws -> T {
    guard self is RecordDecoder else {
      throw DecodingError.typeMismatch(
        T.self,
        DecodingError.Context(
          codingPath: codingPath, debugDescription: "Only a document holds a \(T.self)."))
    }
    return try singleValueContainer().decode(T.self)
  }
}

extension Encoder {
  /// Whether this is the encoder of a document.
  package var makesDocument: Bool { self is FieldEncoder }

  /// Returns the encoder itself; throws if it isn't a document's.
  ///
  /// - Parameter sentence: the words of the error; `nil` for the usual ones.
  func ofDocument<T>(_ value: T, orThrow sentence: String? = nil) throws -> FieldEncoder {
    guard let encoder = self as? FieldEncoder else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: codingPath,
          debugDescription: sentence ?? "Only a document holds a \(T.self)."))
    }
    return encoder
  }
}
