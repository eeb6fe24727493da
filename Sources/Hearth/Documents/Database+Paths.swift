import HearthDocumentEngine
public import HearthDocumentModel
import HearthEngineUpkeep

extension Database {
  /// Returns a reference to the collection at `path`, such as `cities` or `countries/jp/cities`.
  ///
  /// - Throws: `invalidArgument` if `path` breaks the rules of §1.1 or names a document.
  public func collection(_ path: String) throws(DatabaseError) -> CollectionReference {
    try CollectionReference(ResourcePath(path), in: self)
  }

  /// Returns a reference to the document at `path`, such as `cities/tokyo`, whether it exists or
  /// not.
  ///
  /// - Throws: `invalidArgument` if `path` breaks the rules of §1.1 or names a collection.
  public func document(_ path: String) throws(DatabaseError) -> DocumentReference {
    try DocumentReference(ResourcePath(path), in: self)
  }

  /// Returns a reference to the document that a reference value names.
  ///
  /// - Throws: `invalidArgument` for a document of another database.
  public func document(_ name: DocumentName) throws(DatabaseError) -> DocumentReference {
    let own = try id()
    guard name.database == own else {
      throw DatabaseError(.invalidArgument, "\"\(name)\" is no document of \(own).")
    }
    return DocumentReference(unchecked: name.path, in: self)
  }

  /// Returns the top-level collections that hold documents at any depth, sorted by id.
  ///
  /// - Complexity: a few keys per collection; documents are not read.
  /// - Throws: `dataLoss`, or the store's error.
  public func listCollections() throws(DatabaseError) -> [CollectionReference] {
    try listCollections(below: .root)
  }

  /// Does the same without blocking the calling thread.
  public func listCollections() async throws(DatabaseError) -> [CollectionReference] {
    try await Blocking.run { () throws(DatabaseError) in try self.listCollections(below: .root) }
  }

  func listCollections(below parent: ResourcePath) throws(DatabaseError) -> [CollectionReference] {
    try observed(.list) { () throws(DatabaseError) in
      var collections: [CollectionReference] = []
      for id in try engine.readView().collectionIDs(below: parent) {
        collections.append(try CollectionReference(parent.appending(unchecked: id), in: self))
      }
      return collections
    }
  }
}
