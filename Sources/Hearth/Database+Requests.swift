package import DocumentEngine
package import DocumentModel
public import QueryPlanning

// What a server in front of the database would need: requests as Firestore's wire has them.
extension Database {
  /// A query that was read from a request or a log.
  public func query(_ query: StructuredQuery) -> Query { Query(query, in: self) }

  /// Applies `writes` as `commit` does, and tells the commit's time too.
  package func commitRequest(_ writes: [Write]) throws(DatabaseError) -> CommitResult {
    try engine.commit(writes)
  }
}
