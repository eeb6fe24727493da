import Hearth
package import HearthDocumentModel
import HearthFirestoreJSON
import HearthProtocols
import HearthQueryPlanning
import SwiftProtobuf

extension V1.PartitionQueryRequest: QueryRequest {
  package func requestedQuery() throws(DatabaseError) -> RequestedQuery? {
    let (id, query) = try structured()
    return RequestedQuery(.documents(query), in: id)
  }

  fileprivate func structured() throws(DatabaseError) -> (DatabaseID, StructuredQuery) {
    let parent = try ResourceName(parent: parent)
    guard parent.path.segments.isEmpty else {
      throw .invalidArgument("Ancestor queries are not supported.")
    }
    guard case .structuredQuery(let message)? = queryType else {
      throw .invalidArgument("Query is required.")
    }
    return (parent.database, try StructuredQuery(message, below: parent.path))
  }
}

extension DocumentCalls {
  /// Returns a page of the cursors that divide a collection group into parts of about the same size
  /// (§9.3).
  package func partitionQuery(
    _ request: V1.PartitionQueryRequest, _ context: CallContext
  ) async throws(DatabaseError) -> V1.PartitionQueryResponse {
    let (id, structured) = try request.structured()
    try checkAdministrator(of: id, context)
    guard request.partitionCount > 0 else {
      throw .invalidArgument("Partition count must be greater than zero.")
    }
    guard request.pageSize >= 0 else { throw .invalidArgument("Page size must be nonnegative.") }
    let page = try PartitionPage(request, of: structured)
    let version = try ReadVersion(request.consistencySelector)
    // N cursors make N + 1 parts.
    let count = Int(clamping: min(request.partitionCount, .max - 1) + 1)
    let parts = try await read(version, RequestedQuery(.documents(structured), in: id), context) {
      snapshot, database throws(DatabaseError) in
      try snapshot.partitions(count, of: database.query(structured), timeout: context.queryTime)
    }.value
    return page.response(with: parts.compactMap(\.structuredQuery.start))
  }

  /// Refuses a pipeline: they belong to another edition of databases.
  package func executePipeline(
    _ request: V1.ExecutePipelineRequest, _ context: CallContext,
    send: Sending<V1.ExecutePipelineResponse>
  ) async throws {
    _ = try ResourceName(database: request.database)
    throw DatabaseError(
      .failedPrecondition,
      "Pipeline Operations are only available for Firestore databases in Enterprise edition.\n\n"
        + "Please switch to an Enterprise edition database to take advantage of such "
        + "functionality.")
  }
}
