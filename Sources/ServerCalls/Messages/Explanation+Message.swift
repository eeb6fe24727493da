import Hearth
import HearthProtocols
import SwiftProtobuf

extension QueryExplanation {
  /// The explanation as it is sent (§9.2). The debug statistics are texts, as in production.
  var message: V1.ExplainMetrics {
    V1.ExplainMetrics.with { metrics in
      metrics.planSummary.indexesUsed = indexesUsed.map { index in
        Google_Protobuf_Struct(fields: [
          "query_scope": .init(stringValue: index.queryScope),
          "properties": .init(stringValue: index.properties),
        ])
      }
      if let execution { metrics.executionStats = execution.message }
    }
  }
}

extension QueryExplanation.Execution {
  fileprivate var message: V1.ExecutionStats {
    let duration = planning + findingEntries + readingDocuments
    return V1.ExecutionStats.with { stats in
      stats.resultsReturned = Int64(production.resultsReturned)
      stats.readOperations = Int64(production.readOperations)
      stats.executionDuration = Google_Protobuf_Duration(
        seconds: duration.components.seconds,
        nanos: Int32(duration.components.attoseconds / 1_000_000_000))
      stats.debugStats = Google_Protobuf_Struct(fields: debugStatistics)
    }
  }

  private var debugStatistics: [String: Google_Protobuf_Value] {
    var billing = [
      "documents_billable": production.documentsBillable,
      "index_entries_billable": production.indexEntriesBillable,
      "small_ops": production.smallOperations,
      "min_query_cost": production.minimumQueryCost,
    ]
    billing["knn_vector_index_entries_billable"] = production.knnVectorIndexEntriesBillable
    return [
      "documents_scanned": .init(stringValue: "\(production.documentsScanned)"),
      "index_entries_scanned": .init(stringValue: "\(production.indexEntriesScanned)"),
      "billing_details": .init(
        structValue: Google_Protobuf_Struct(
          fields: billing.mapValues { .init(stringValue: "\($0)") })),
    ]
  }
}
