import HearthProtocols
import HearthServerCalls

/// The methods of `google.firestore.v1.Firestore` by their names.
enum FirestoreService {
  static let name = "google.firestore.v1.Firestore"

  /// - Parameter creation: creates the indexes that queries lack; `nil` for refusing the queries.
  static func methods(
    _ calls: DocumentCalls, _ creation: IndexCreation?
  ) -> [String: ServiceMethod] {
    [
      "GetDocument": .unary(calls.getDocument),
      "ListDocuments": .unary(calls.listDocuments)
        .retried(by: creation, V1.ListDocumentsRequest.self),
      "CreateDocument": .unary(calls.createDocument),
      "UpdateDocument": .unary(calls.updateDocument),
      "DeleteDocument": .unary(calls.deleteDocument),
      "BatchGetDocuments": .streaming(calls.batchGetDocuments),
      "BeginTransaction": .unary(calls.beginTransaction),
      "Commit": .unary(calls.commit),
      "Rollback": .unary(calls.rollback),
      "BatchWrite": .unary(calls.batchWrite),
      "RunQuery": .streaming(calls.runQuery)
        .retried(by: creation, V1.RunQueryRequest.self),
      "RunAggregationQuery": .streaming(calls.runAggregationQuery)
        .retried(by: creation, V1.RunAggregationQueryRequest.self),
      "PartitionQuery": .unary(calls.partitionQuery)
        .retried(by: creation, V1.PartitionQueryRequest.self),
      "ListCollectionIds": .unary(calls.listCollectionIds),
      "ExecutePipeline": .streaming(calls.executePipeline),
    ]
  }
}
