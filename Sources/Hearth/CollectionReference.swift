public import DocumentModel

/// A collection: the place of its documents, and the query for all of them.
///
/// Two references are equal if they have the same path in the same open database.
public struct CollectionReference: QueryBuilding, Hashable {
  /// Path of the collection; it has an odd number of segments.
  public let path: ResourcePath
  /// The database that the collection is in.
  public let database: Database

  init(_ path: ResourcePath, in database: Database) throws(DatabaseError) {
    guard path.isCollection else {
      throw .invalidArgument(
        "\"\(path)\" is no collection: a collection's path has an odd number of segments.")
    }
    self.init(unchecked: path, in: database)
  }

  init(unchecked path: ResourcePath, in database: Database) {
    self.path = path
    self.database = database
  }

  /// The collection's id: the last segment of the path.
  public var id: String { path.lastSegment ?? "" }

  /// The document that the collection is below; `nil` for a top-level collection.
  public var parent: DocumentReference? {
    path.parent.isRoot ? nil : DocumentReference(unchecked: path.parent, in: database)
  }

  /// The query for all documents of the collection, ordered by name.
  public var query: Query {
    Query(StructuredQuery(collectionID: id, below: path.parent), in: database)
  }

  /// Returns a reference to the document with an id, whether it exists or not.
  ///
  /// - Throws: `invalidArgument` if `id` breaks the rules of §1.1.
  public func document(_ id: String) throws(DatabaseError) -> DocumentReference {
    try DocumentReference(path.appending(id), in: database)
  }

  /// Returns a reference to a new document with an id of 20 random letters and digits (§1.1).
  public func document() -> DocumentReference {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    let id = (0..<20).map { _ in alphabet[Int.random(in: alphabet.indices)] }
    return DocumentReference(
      unchecked: path.appending(unchecked: String(decoding: id, as: UTF8.self)), in: database)
  }

  /// Creates a document with a new id.
  ///
  /// - Throws: `invalidArgument`, or the store's error.
  @discardableResult
  public func addDocument(_ data: FieldData) throws(DatabaseError) -> DocumentReference {
    let document = document()
    try document.create(data)
    return document
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func addDocument(_ data: FieldData) async throws(DatabaseError) -> DocumentReference {
    let document = document()
    try await document.create(data)
    return document
  }

  // A literal is field data.
  /// Creates a document with a new id from plain values, such as fields that were read.
  @_disfavoredOverload @discardableResult
  public func addDocument(_ fields: MapValue) throws(DatabaseError) -> DocumentReference {
    let document = document()
    try document.create(fields)
    return document
  }

  /// Does the same without blocking the calling thread.
  @_disfavoredOverload @discardableResult
  public func addDocument(_ fields: MapValue) async throws(DatabaseError) -> DocumentReference {
    let document = document()
    try await document.create(fields)
    return document
  }

  public static func == (left: CollectionReference, right: CollectionReference) -> Bool {
    left.database === right.database && left.path == right.path
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(database))
    hasher.combine(path)
  }
}
