import DocumentModel
import StorageFormat

/// Makes values of `Decodable` types from documents, straight from the stored bytes.
///
/// The calls that decode, such as ``DocumentSnapshot/data(as:decoder:)``, take one where its
/// defaults don't fit:
///
/// ```swift
/// var decoder = DocumentDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// let task = try snapshot.data(as: Task.self, decoder: decoder)
/// ```
///
/// A field that the type doesn't ask for is passed over. A property that is optional is `nil` where
/// its field is missing or null. Numbers are converted only where nothing is lost: the double 3.0
/// is an `Int`, 3.5 is none, and 300 is no `UInt8`.
public struct DocumentDecoder: Sendable {
  /// What fields are called after properties.
  public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
  /// What the type's own `init(from:)` finds in its decoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// A decoder that takes names as they are.
  public init() {}
}

extension DocumentDecoder {
  /// How many `init(from:)` may be at work inside of each other. A document that may be written
  /// needs far fewer.
  static let callLimit = 160

  /// - Parameters:
  ///   - record: what to decode.
  ///   - place: the value to decode; `nil` for the whole document.
  ///   - database: where the record lies.
  ///   - isOfDocument: whether the record's path is that of a document.
  func decode<T: Decodable>(
    _ type: T.Type, from record: DocumentRecord, at place: Int? = nil, in database: Database,
    isOfDocument: Bool = true
  ) throws(DatabaseError) -> T {
    let run = DecodingRun(
      record, self, database, isOfDocument: isOfDocument,
      containers: database.spareContainers.take() ?? KeyedContainers())
    do {
      defer {
        if let containers = run.end() { database.spareContainers.put(containers) }
      }
      let value = try run.value(type, at: place ?? run.fields.root, DecodingLevel())
      // What the type's own code has caught may not pass for data.
      if let failure = run.failure { throw failure }
      return consume value
    } catch {
      throw run.databaseError(run.failure ?? error, decoding: type)
    }
  }
}

/// How deep a decoder is in the calls of `init(from:)`, and whether it decodes a dictionary, whose
/// names are converted by no strategy.
struct DecodingLevel {
  private(set) var callCount: Int32 = 0
  var keepsNames = false

  func next(keepsNames: Bool) -> DecodingLevel {
    DecodingLevel(callCount: callCount &+ 1, keepsNames: keepsNames)
  }
}
