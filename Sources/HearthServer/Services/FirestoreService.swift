import HearthServerCalls

/// The methods of `google.firestore.v1.Firestore` by their names.
enum FirestoreService {
  static let name = "google.firestore.v1.Firestore"

  static func methods(_ calls: DocumentCalls) -> [String: ServiceMethod] {
    [
      "GetDocument": .unary(calls.getDocument),
      "ListDocuments": .unary(calls.listDocuments),
      "CreateDocument": .unary(calls.createDocument),
      "UpdateDocument": .unary(calls.updateDocument),
      "DeleteDocument": .unary(calls.deleteDocument),
      "BatchGetDocuments": .streaming(calls.batchGetDocuments),
      "Commit": .unary(calls.commit),
      "BatchWrite": .unary(calls.batchWrite),
      "RunQuery": .streaming(calls.runQuery),
      "RunAggregationQuery": .streaming(calls.runAggregationQuery),
      "PartitionQuery": .unary(calls.partitionQuery),
      "ListCollectionIds": .unary(calls.listCollectionIds),
      "ExecutePipeline": .streaming(calls.executePipeline),
    ]
  }
}
