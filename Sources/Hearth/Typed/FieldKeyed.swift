/// A type whose key paths stand for the fields of its documents, so that the compiler checks
/// queries.
///
/// ```swift
/// struct Task: FieldKeyed {
///   var title: String
///   var userID: String
///   var createdTime: Date
///
///   static let fieldKeys = FieldKeys<Task>(
///     CodingKeys.self,
///     [\.title: .title, \.userID: .userID, \.createdTime: .createdTime])
/// }
///
/// let tasks = try database.collection("tasks", of: Task.self)
/// let own = try tasks.where(\.userID == userID).order(by: \.createdTime).getDocuments()
/// ```
///
/// The keys are the coding keys of the type, which the compiler makes for a `Codable` type that
/// declares none. Properties that no query or update uses need not be listed.
public protocol FieldKeyed: Codable {
  /// Key of each property that queries and updates use. It should be a `static let`.
  static var fieldKeys: FieldKeys<Self> { get }

  /// Encoder of the type's documents; the default one, if the type doesn't declare another.
  static var documentEncoder: DocumentEncoder { get }

  /// Decoder of the type's documents; the default one, if the type doesn't declare another.
  static var documentDecoder: DocumentDecoder { get }
}

extension FieldKeyed {
  public static var documentEncoder: DocumentEncoder { DocumentEncoder() }
  public static var documentDecoder: DocumentDecoder { DocumentDecoder() }
}
