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
    try await Waiting.run(.end) { [transactions] () throws(DatabaseError) in
      guard path.isEmpty else {
        try database.recursiveDelete(path)
        return
      }
      let snapshot = try database.snapshot()
      var token: String? = ""
      while let present = token {
        let page = try snapshot.listCollections(pageToken: present)
        for collection in page.collections {
          try database.clear(collection.id) { transactions.endAll(of: id) }
        }
        token = page.nextPageToken
      }
    }
  }
}

extension Database {
  private static let attemptCount = 5

  /// Deletes a collection with all below it. Transactions that begin meanwhile are in the way, and
  /// are ended before each attempt.
  fileprivate func clear(
    _ collection: String, endingTransactions: () -> Void
  ) throws(DatabaseError) {
    for attempt in 1...Database.attemptCount {
      endingTransactions()
      do throws(DatabaseError) {
        _ = try recursiveDelete(collection)
        return
      } catch {
        guard error.code == .aborted, attempt < Database.attemptCount else { throw error }
      }
    }
  }
}
