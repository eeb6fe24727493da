import Hearth
import HearthDocumentModel
import HearthProtocols

/// The messages that answer a query.
struct QueryAnswer {
  private let results: QuerySnapshot
  private let database: DatabaseID
  private let readTime: Timestamp

  init(_ results: QuerySnapshot, in database: DatabaseID, at readTime: Timestamp) {
    self.results = results
    self.database = database
    self.readTime = readTime
  }

  func send(by send: Sending<V1.RunQueryResponse>) async throws {
    var response = V1.RunQueryResponse()
    response.readTime = readTime.message
    let skippedCount = results.statistics.resultsSkipped
    if results.isEmpty || skippedCount > 0 {
      response.skippedResults = Int32(clamping: skippedCount)
      try await send(response)
      response.skippedResults = 0
    }
    for document in results.documents {
      response.document = try document.message(in: database)
      try await send(response)
    }
  }
}
