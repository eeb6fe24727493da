package import DocumentEngine
package import DocumentModel
public import QueryPlanning

// Requests as Firestore's wire has them, for a server in front of the database.
extension Database {
  /// Returns the query for a structured query from a request or a log.
  public func query(_ query: StructuredQuery) -> Query {
    var query = Query(query, in: self)
    query.readsIDs = false
    return query
  }

  /// Applies `writes` as `commit` does, and returns the time of the commit with the results.
  package func commitRequest(_ writes: [Write]) throws(DatabaseError) -> CommitResult {
    try observed(.commit) { () throws(DatabaseError) in try engine.commit(writes) }
  }

  /// Number of commits that wait for the last attempt of a transaction. Tests use it to know that
  /// they wait.
  package var heldCommitCount: Int { engine.heldCommitCount }
}
