import HearthFirestoreJSON
import Hearth

extension QueryMetrics {
  /// Creates production's figures, with Hearth's own beside them.
  init(_ explanation: QueryExplanation) {
    self.init(
      indexesUsed: explanation.indexesUsed.map {
        UsedIndex(queryScope: $0.queryScope, properties: $0.properties)
      },
      execution: explanation.execution.map(Execution.init))
  }
}

extension QueryMetrics.Execution {
  fileprivate init(_ execution: QueryExplanation.Execution) {
    let production = execution.production
    var billing = [
      (name: "documents_billable", count: production.documentsBillable),
      (name: "index_entries_billable", count: production.indexEntriesBillable),
      (name: "small_ops", count: production.smallOperations),
      (name: "min_query_cost", count: production.minimumQueryCost),
    ]
    if let count = production.knnVectorIndexEntriesBillable {
      billing.append((name: "knn_vector_index_entries_billable", count: count))
    }
    self.init(
      resultCount: production.resultsReturned,
      duration: execution.planning + execution.findingEntries + execution.readingDocuments,
      readCount: production.readOperations, documentsScanned: production.documentsScanned,
      entriesScanned: production.indexEntriesScanned, billing: billing,
      figures: [
        (name: "hearth_index_entries_read", count: execution.statistics.entriesRead),
        (name: "hearth_documents_read", count: execution.statistics.documentsRead),
        (name: "hearth_document_bytes_read", count: execution.documentBytesRead),
        (name: "hearth_seeks", count: execution.statistics.seekCount),
      ])
  }
}
