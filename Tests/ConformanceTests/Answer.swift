import HearthDocumentModel
import HearthFirestoreJSON
import HearthQueryPlanning

/// The answer of the database under test to a row, in the terms of the recording.
struct Answer {
  var status = "OK"
  var message: String?
  var missingIndex: IndexDefinition?
  /// The results of a query or a list, in order.
  var documents: [(path: ResourcePath, fields: MapValue)]?
  var skippedResults = 0
  var aggregates: [(alias: String, value: Value)]?
  var indexesUsed: [(scope: String, properties: String)]?
  var statistics: [String: Int64]?
  var partitions: [DocumentName]?
  var document: (path: ResourcePath, fields: MapValue)?
  var missing: [ResourcePath]?
  var nextPageToken: String?
  var writeResults: [WriteResult]?
  var commitTime: Timestamp?
  var updateTime: Timestamp?
  /// Commit times that the database has left in fields, in milliseconds.
  var serverTimes: Set<Timestamp> = []
  /// The id of the transaction that was begun, in base64.
  var transaction: String?
  /// The status of HTTP, where that was used.
  var httpStatus: Int?

  init() {}

  init(_ error: DatabaseError) {
    status = error.code.name
    message = error.message
    missingIndex = error.missingIndex?.index
  }
}
