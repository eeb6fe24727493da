package import HearthDocumentModel
package import HearthFirestoreJSON
package import HearthQueryPlanning

/// A query of a request, with the database that it is sent to.
package struct RequestedQuery: Sendable {
  package let database: DatabaseID
  package let query: AnyQuery

  package init(_ query: AnyQuery, in database: DatabaseID) {
    self.database = database
    self.query = query
  }
}

/// A request that runs a query.
package protocol QueryRequest {
  /// Returns the query that the request runs; `nil` if it asks for the plan alone.
  ///
  /// - Throws: `invalidArgument` for a part that can't be read.
  func requestedQuery() throws(DatabaseError) -> RequestedQuery?
}

/// The refusal of a query that lacks an index.
package struct Refusal: Sendable {
  package let requested: RequestedQuery
  package let error: DatabaseError
  package let missing: MissingIndex

  /// Returns `nil` for an error with another cause.
  package init?(_ requested: RequestedQuery, _ error: DatabaseError) {
    guard let missing = error.missingIndex else { return nil }
    self.requested = requested
    self.error = error
    self.missing = missing
  }
}
