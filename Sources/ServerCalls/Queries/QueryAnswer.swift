import Hearth
import HearthDocumentModel
import HearthProtocols

/// The messages that answer a query.
struct QueryAnswer {
  let database: DatabaseID
  let readTime: Timestamp

  /// Sends the first page of the results.
  func send(
    _ results: QuerySnapshot, by send: Sending<V1.RunQueryResponse>
  ) async throws {
    let skippedCount = results.statistics.resultsSkipped
    if results.isEmpty || skippedCount > 0 {
      var response = V1.RunQueryResponse()
      response.readTime = readTime.message
      response.skippedResults = Int32(clamping: skippedCount)
      try await send(response)
    }
    try await self.send(results.documents, by: send)
  }

  func send(
    _ documents: [DocumentSnapshot], by send: Sending<V1.RunQueryResponse>
  ) async throws {
    var response = V1.RunQueryResponse()
    response.readTime = readTime.message
    for document in documents {
      response.document = try document.message(in: database)
      try await send(response)
    }
  }
}
