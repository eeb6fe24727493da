package import DocumentEngine
package import DocumentModel
public import QueryPlanning

// What a server in front of the database would need: requests as Firestore's wire has them.
extension Database {
  /// A query that was read from a request or a log.
  public func query(_ query: StructuredQuery) -> Query {
    var query = Query(query, in: self)
    query.readsIDs = false
    return query
  }

  /// Applies `writes` as `commit` does, and tells the commit's time too.
  package func commitRequest(_ writes: [Write]) throws(DatabaseError) -> CommitResult {
    try observed(.commit) { () throws(DatabaseError) in try engine.commit(writes) }
  }

  /// Number of commits that wait for the last attempt of a transaction: for tests, which must know
  /// that they do.
  package var heldCommitCount: Int { engine.heldCommitCount }
}
