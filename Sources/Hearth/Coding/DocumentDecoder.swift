import HearthDocumentModel
import HearthStorageFormat

/// A decoder that makes values of `Decodable` types from documents, straight from the stored bytes.
///
/// Calls that decode, such as ``DocumentSnapshot/data(as:decoder:)``, take a decoder if its
/// defaults don't fit:
///
/// ```swift
/// var decoder = DocumentDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// let task = try snapshot.data(as: Task.self, decoder: decoder)
/// ```
///
/// Fields that the type doesn't ask for are skipped. An optional property is `nil` if its field is
/// missing or null. Numbers are converted only if nothing is lost: the double 3.0 decodes as an
/// `Int`, but 3.5 doesn't, and 300 doesn't decode as a `UInt8`.
public struct DocumentDecoder: Sendable {
  /// Strategy for converting the names of fields to coding keys.
  public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
  /// User info that the type's own `init(from:)` finds in its decoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates a decoder that keeps names as they are.
  public init() {}
}

extension DocumentDecoder {
  /// Maximum number of nested `init(from:)` calls. A document that can be written needs far fewer.
  static let callLimit = 160

  /// Decodes a record, or one value of it.
  ///
  /// - Parameters:
  ///   - record: the record to decode.
  ///   - place: the value to decode; `nil` for the whole document.
  ///   - database: the database of the record.
  ///   - isOfDocument: whether the record's path is that of a document.
  func decode<T: Decodable>(
    _ type: T.Type, from record: DocumentRecord, at place: Int? = nil, in database: Database,
    isOfDocument: Bool = true
  ) throws(DatabaseError) -> T {
    var series = DecodingSeries(self, in: database, isOfDocuments: isOfDocument)
    return try series.decode(type, from: record, at: place)
  }
}

/// Depth of nested `init(from:)` calls, and whether a dictionary is decoded: no strategy converts a
/// dictionary's names.
struct DecodingLevel {
  private(set) var callCount: Int32 = 0
  var keepsNames = false

  func next(keepsNames: Bool) -> DecodingLevel {
    DecodingLevel(callCount: callCount &+ 1, keepsNames: keepsNames)
  }
}
