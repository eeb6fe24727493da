public import Hearth

extension Firestore {
  /// Makes documents from values of `Encodable` types, straight into the values that are written.
  public final class Encoder {
    var stored = DocumentEncoder()

    /// An encoder that takes names as they are.
    public init() {}

    /// Rule that makes names of fields of those of properties.
    public var keyEncodingStrategy: DocumentEncoder.KeyEncodingStrategy {
      get { stored.keyEncodingStrategy }
      set { stored.keyEncodingStrategy = newValue }
    }

    /// Values that the type's own `encode(to:)` finds in its encoder.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
      get { stored.userInfo }
      set { stored.userInfo = newValue }
    }
  }

  /// Makes values of `Decodable` types from documents, straight from the stored bytes.
  public final class Decoder {
    var stored = DocumentDecoder()

    /// A decoder that takes names as they are.
    public init() {}

    /// Rule that finds the names of fields for those of properties.
    public var keyDecodingStrategy: DocumentDecoder.KeyDecodingStrategy {
      get { stored.keyDecodingStrategy }
      set { stored.keyDecodingStrategy = newValue }
    }

    /// Values that the type's own `init(from:)` finds in its decoder.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
      get { stored.userInfo }
      set { stored.userInfo = newValue }
    }
  }
}

extension Firestore.Encoder {
  /// A value as a dictionary, as `setData` takes it.
  ///
  /// - Throws: `EncodingError` for what no document can hold, or what the type's own `encode(to:)`
  ///   throws.
  public func encode<T: Encodable>(_ value: T) throws -> [String: Any] {
    let timestamps = PreciseTimestamps()
    let data = try data(value, timestamps)
    return timestamps.restored(in: data.dictionary(in: .firestore()))
  }

  /// The data of a value.
  ///
  /// - Parameter timestamps: is told of those that a database would cut.
  /// - Throws: `EncodingError` for what no document can hold, or what the type's own `encode(to:)`
  ///   throws.
  func data<T: Encodable>(
    _ value: T, _ timestamps: PreciseTimestamps? = nil
  ) throws -> FieldData {
    var encoder = stored
    if let key = PreciseTimestamps.userInfoKey { encoder.userInfo[key] = timestamps }
    do {
      return try encoder.fieldData(from: value)
    } catch {
      throw error.cause ?? error
    }
  }
}

extension Firestore.Decoder {
  /// Database for a dictionary that is decoded before one is named.
  private static let nowhere = Result { try Database.inMemory() }

  /// A dictionary, such as ``DocumentSnapshot/data()``, as a value of `type`.
  ///
  /// - Parameters:
  ///   - type: what to decode.
  ///   - data: fields as `setData` takes them, without sentinels.
  ///   - reference: the document that a `DocumentID` is to tell; `nil` is none, in the database of
  ///     ``Firestore/firestore()``, if that is named.
  /// - Throws: `DecodingError` if the data don't fit.
  public func decode<T: Decodable>(
    _ type: T.Type, from data: Any, in reference: DocumentReference? = nil
  ) throws -> T {
    let firestore = reference?.firestore ?? .firestore()
    return try firestore.outcome {
      guard case .map(let fields) = try AnyReader.argument(data) else {
        throw DecodingError.typeMismatch(
          [String: Any].self,
          DecodingError.Context(
            codingPath: [], debugDescription: "Only a dictionary decodes as \(type)."))
      }
      var decoder = stored
      if let key = PreciseTimestamps.userInfoKey {
        decoder.userInfo[key] = PreciseTimestamps(in: data)
      }
      guard let reference else {
        let database = try (try? firestore.database()) ?? Firestore.Decoder.nowhere.get()
        return try decoder.decode(type, from: fields, in: database)
      }
      return try decoder.decode(type, from: fields, of: reference.target.get())
    }.get()
  }
}

extension FieldData {
  /// The data as a dictionary, with sentinels where a write changes fields.
  fileprivate func dictionary(in firestore: Firestore) -> [String: Any] {
    var dictionary: [String: Any] = [:]
    for (name, field) in fields {
      dictionary[name] =
        switch field {
        case .value(let value): value.any(in: firestore)
        case .map(let data): data.dictionary(in: firestore)
        case .delete, .transform: FieldValue(field)
        }
    }
    return dictionary
  }
}
