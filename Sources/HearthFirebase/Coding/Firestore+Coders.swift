public import Hearth

extension Firestore {
  /// An encoder that makes documents from values of `Encodable` types.
  public final class Encoder {
    var stored = DocumentEncoder()

    /// Creates an encoder that keeps names as they are.
    public init() {}

    /// Strategy for converting coding keys to the names of fields.
    public var keyEncodingStrategy: DocumentEncoder.KeyEncodingStrategy {
      get { stored.keyEncodingStrategy }
      set { stored.keyEncodingStrategy = newValue }
    }

    /// User info that the type's own `encode(to:)` finds in its encoder.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
      get { stored.userInfo }
      set { stored.userInfo = newValue }
    }
  }

  /// A decoder that makes values of `Decodable` types from documents, straight from the stored
  /// bytes.
  public final class Decoder {
    var stored = DocumentDecoder()

    /// Creates a decoder that keeps names as they are.
    public init() {}

    /// Strategy for converting the names of fields to coding keys.
    public var keyDecodingStrategy: DocumentDecoder.KeyDecodingStrategy {
      get { stored.keyDecodingStrategy }
      set { stored.keyDecodingStrategy = newValue }
    }

    /// User info that the type's own `init(from:)` finds in its decoder.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
      get { stored.userInfo }
      set { stored.userInfo = newValue }
    }
  }
}

extension Firestore.Encoder {
  /// Returns a value as a dictionary, in the form that `setData` takes.
  ///
  /// - Throws: `EncodingError` for a value that no document can hold; the errors of the type's own
  ///   `encode(to:)`.
  public func encode<T: Encodable>(_ value: T) throws -> [String: Any] {
    let timestamps = PreciseTimestamps()
    let data = try data(value, timestamps)
    return timestamps.restored(in: data.dictionary(in: .firestore()))
  }

  /// Returns the data of a value.
  ///
  /// - Parameter timestamps: records the timestamps that a database would cut.
  /// - Throws: `EncodingError` for a value that no document can hold; the errors of the type's own
  ///   `encode(to:)`.
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
  /// Database for dictionaries that are decoded before a database is named.
  private static let nowhere = Result { try Database.inMemory() }

  /// Decodes a dictionary, such as ``DocumentSnapshot/data()``, as a value of `type`.
  ///
  /// - Parameters:
  ///   - type: the type to decode.
  ///   - data: fields as `setData` takes them, without sentinels.
  ///   - reference: the document for a `DocumentID`; `nil` for none. The database is then that of
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
  /// Returns the data as a dictionary, with sentinels for changes of fields.
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
