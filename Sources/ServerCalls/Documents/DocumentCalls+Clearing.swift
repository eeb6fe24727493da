import Hearth
package import HearthDocumentModel

extension DocumentCalls {
  /// Deletes all documents of a database, or those at a path in it and below. Emulators have this
  /// call beside Firestore's own (W§9.1). Indexes stay. Transactions end with all documents, so
  /// that nothing waits for one that was left open.
  ///
  /// - Parameters:
  ///   - database: the database's name.
  ///   - path: the path of a collection or a document; the empty path for all.
  package func clear(
    _ path: String, of database: String, _ context: CallContext
  ) async throws(DatabaseError) {
    let id = try ResourceName(database: database).database
    let database = try await self.database(id, context)
    if path.isEmpty { transactions.endAll(of: id) }
    try await Waiting.run { () throws(DatabaseError) in
      guard path.isEmpty else {
        try database.recursiveDelete(path)
        return
      }
      let snapshot = try database.snapshot()
      var token: String? = ""
      while let present = token {
        let page = try snapshot.listCollections(pageToken: present)
        for collection in page.collections { try database.recursiveDelete(collection.id) }
        token = page.nextPageToken
      }
    }
  }
}
