/// The rows that are sent to a server alone, each with the reason.
enum UnansweredRows {
  private static let isPipeline = "pipelines are refused by a server"
  private static let isOfServer = "its parameters are read and checked by a server"
  private static let isRawBody = "is about the bytes of a request to a server"

  static func reason(_ row: RecordedRow) -> String? {
    switch row.kind {
    case "executePipeline": return isPipeline
    case "partitionQuery", "listDocuments": return isOfServer
    default: return row.rawBody == nil ? nil : isRawBody
    }
  }
}
