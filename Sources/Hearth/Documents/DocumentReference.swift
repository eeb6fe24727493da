public import HearthDocumentModel
import HearthDocumentEngine

/// The place of a document, whether the document exists or not.
///
/// Two references are equal if they have the same path in the same open database.
public struct DocumentReference: Sendable, Hashable {
  /// Path of the document; it has an even number of segments.
  public let path: ResourcePath
  /// The database that the document is in.
  public let database: Database

  init(_ path: ResourcePath, in database: Database) throws(DatabaseError) {
    self.init(unchecked: try path.ofDocument(), in: database)
  }

  init(unchecked path: ResourcePath, in database: Database) {
    self.path = path
    self.database = database
  }

  /// The document's id: the last segment of the path.
  public var id: String { path.lastSegment ?? "" }

  /// The collection that the document is in.
  public var parent: CollectionReference {
    CollectionReference(unchecked: path.parent, in: database)
  }

  /// Returns the full name, for use in a value: `.reference(try tokyo.name())`.
  ///
  /// - Throws: `failedPrecondition` if the database was closed.
  public func name() throws(DatabaseError) -> DocumentName {
    try DocumentName(path, in: database.id())
  }

  /// Returns a reference to the collection with an id below the document.
  ///
  /// - Throws: `invalidArgument` if `id` breaks the rules of §1.1.
  public func collection(_ id: String) throws(DatabaseError) -> CollectionReference {
    try CollectionReference(path.appending(id), in: database)
  }

  // MARK: Reading

  /// Returns the document as it is now.
  ///
  /// - Complexity: two point reads.
  /// - Throws: `dataLoss`, or the store's error.
  public func getDocument() throws(DatabaseError) -> DocumentSnapshot {
    try database.observed(.get) { () throws(DatabaseError) in
      DocumentSnapshot(self, try database.engine.document(at: path))
    }
  }

  /// Does the same without blocking the calling thread.
  public func getDocument() async throws(DatabaseError) -> DocumentSnapshot {
    try await Blocking.run { () throws(DatabaseError) in try self.getDocument() }
  }

  /// Returns the collections directly below the document that hold documents at any depth, sorted
  /// by id.
  ///
  /// - Complexity: a few keys per collection; documents are not read.
  /// - Throws: `dataLoss`, or the store's error.
  public func listCollections() throws(DatabaseError) -> [CollectionReference] {
    try database.listCollections(below: path)
  }

  /// Does the same without blocking the calling thread.
  public func listCollections() async throws(DatabaseError) -> [CollectionReference] {
    try await Blocking.run { () throws(DatabaseError) in try self.listCollections() }
  }
}

extension DocumentReference {
  public static func == (left: DocumentReference, right: DocumentReference) -> Bool {
    left.database === right.database && left.path == right.path
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(database))
    hasher.combine(path)
  }
}
