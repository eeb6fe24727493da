public import HearthDocumentModel

/// A collection: the place of its documents, and the query for all of them.
///
/// Two references are equal if they have the same path in the same open database.
public struct CollectionReference: Sendable, Hashable {
  /// Path of the collection; it has an odd number of segments.
  public let path: ResourcePath
  /// The database that the collection is in.
  public let database: Database

  init(_ path: ResourcePath, in database: Database) throws(DatabaseError) {
    self.init(unchecked: try path.ofCollection(), in: database)
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

  /// Returns a reference to the document with an id, whether it exists or not.
  ///
  /// - Throws: `invalidArgument` if `id` breaks the rules of §1.1.
  public func document(_ id: String) throws(DatabaseError) -> DocumentReference {
    try DocumentReference(path.appending(id), in: database)
  }

  /// Returns a reference to a new document with an id of 20 random letters and digits (§1.1).
  public func document() -> DocumentReference {
    DocumentReference(
      unchecked: path.appending(unchecked: CollectionReference.newDocumentID()), in: database)
  }

  /// Returns an id of 20 random letters and digits.
  package static func newDocumentID() -> String {
    let alphabet: StaticString =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    return String(unsafeUninitializedCapacity: 20) { id in
      // Ten of them fit into one random number; each number costs a call of the system.
      for half in 0..<2 {
        var number = UInt64.random(in: 0..<839_299_365_868_340_224)
        for place in half * 10..<half * 10 + 10 {
          id[place] = alphabet.utf8Start[Int(number % 62)]
          number /= 62
        }
      }
      return 20
    }
  }

  public static func == (left: CollectionReference, right: CollectionReference) -> Bool {
    left.database === right.database && left.path == right.path
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(database))
    hasher.combine(path)
  }
}
