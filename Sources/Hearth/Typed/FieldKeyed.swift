/// A type whose key paths name the fields of its documents, so that the compiler checks queries.
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
/// The keys are those that the type is encoded by, which the compiler makes for a `Codable` type
/// that declares none. A property that no query or update speaks of need not be listed.
public protocol FieldKeyed: Codable {
  /// The key of each property that queries and updates may speak of. It is best a `static let`.
  static var fieldKeys: FieldKeys<Self> { get }

  /// How the type is stored; plainly, if the type doesn't say otherwise.
  static var documentEncoder: DocumentEncoder { get }

  /// How the type is read; plainly, if the type doesn't say otherwise.
  static var documentDecoder: DocumentDecoder { get }
}

extension FieldKeyed {
  public static var documentEncoder: DocumentEncoder { DocumentEncoder() }
  public static var documentDecoder: DocumentDecoder { DocumentDecoder() }
}
