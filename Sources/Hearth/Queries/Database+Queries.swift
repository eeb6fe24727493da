public import HearthDocumentModel
public import HearthQueryPlanning

extension Database {
  /// Returns a query over all collections with an id, at any depth (§1.1). It needs indexes of
  /// group scope.
  ///
  /// - Throws: `invalidArgument` if `id` breaks the rules of §1.1.
  public func collectionGroup(_ id: String) throws(DatabaseError) -> Query {
    let path = try ResourcePath(segments: [id])
    return Query(
      StructuredQuery(collectionID: path.description, allDescendants: true), in: self)
  }

  /// Returns the query for a structured query from a request or a log.
  public func query(_ query: StructuredQuery) -> Query {
    var query = Query(query, in: self)
    query.readsIDs = false
    return query
  }
}
