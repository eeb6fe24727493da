import HearthDocumentModel
import HearthFirestoreJSON

extension Answer {
  /// The answer that the recorder didn't wait for.
  static var blocked: Answer {
    var answer = Answer()
    answer.status = "BLOCKED"
    return answer
  }

  /// Reads an answer of the REST interface.
  init(_ answer: WireAnswer, to row: RecordedRow) throws {
    let json = (try? JSONValue(parsing: Array(answer.body.utf8))) ?? .null
    httpStatus = answer.status
    guard answer.status == 200 else {
      let error = json["error"] ?? json.elements.first?["error"]
      status = error?["status"]?.string ?? "no status"
      message = error?["message"]?.string ?? answer.body
      missingIndex = message.flatMap { try? IndexRequest(pasted: $0) }?.definitions.first
      return
    }
    switch row.kind {
    case "runQuery", "runAggregationQuery": try readStream(json.elements)
    case "batchGet":
      (documents, missing) = ([], [])
      try readStream(json.elements)
    case "partitionQuery":
      partitions = try (json["partitions"]?.elements ?? []).compactMap { cursor in
        try cursor["values"]?.elements.first?["referenceValue"]?.string.map {
          try DocumentName(requested: $0, in: .default)
        }
      }
    case "getDocument":
      document = try Self.document(json)
      updateTime = try json["updateTime"]?.string.map { try Timestamp(rfc3339: $0) }
    case "listDocuments":
      documents = try (json["documents"]?.elements ?? []).map(Self.document)
      nextPageToken = json["nextPageToken"]?.string
    default: try readWrites(json)
    }
  }

  private mutating func readStream(_ elements: [JSONValue]) throws {
    transaction = elements.first?["transaction"]?.string
    for element in elements {
      if element["readTime"] != nil, element["result"] == nil { documents = documents ?? [] }
      if let document = element["document"] ?? element["found"] {
        documents?.append(try Self.document(document))
      }
      if let name = element["missing"]?.string {
        missing?.append(try DocumentName(requested: name, in: .default).path)
      }
      skippedResults += element["skippedResults"]?.integer.map { Int($0) } ?? 0
      if let fields = element["result"]?["aggregateFields"] {
        aggregates = try fields.members.map { ($0.0, try $0.1.value()) }
      }
      if let metrics = element["explainMetrics"] { read(metrics) }
    }
    missing?.sort()
  }

  private mutating func read(_ metrics: JSONValue) {
    indexesUsed = metrics["planSummary"]?["indexesUsed"]?.elements.map { index in
      (index["query_scope"]?.string ?? "", index["properties"]?.string ?? "")
    }
    guard let execution = metrics["executionStats"], let debug = execution["debugStats"],
      let billing = debug["billing_details"]
    else { return }
    let counts = [
      "resultsReturned": execution["resultsReturned"],
      "readOperations": execution["readOperations"],
      "documentsScanned": debug["documents_scanned"],
      "indexEntriesScanned": debug["index_entries_scanned"],
      "documentsBillable": billing["documents_billable"],
      "indexEntriesBillable": billing["index_entries_billable"],
      "smallOps": billing["small_ops"], "minQueryCost": billing["min_query_cost"],
      "knnVectorIndexEntriesBillable": billing["knn_vector_index_entries_billable"],
    ]
    statistics = counts.compactMapValues { $0?.string.flatMap { Int64($0) } }
  }

  private mutating func readWrites(_ json: JSONValue) throws {
    transaction = json["transaction"]?.string
    commitTime = try json["commitTime"]?.string.map { try Timestamp(rfc3339: $0) }
    writeResults = try (json["writeResults"]?.elements ?? []).map { result in
      WriteResult(
        updateTime: .minimum,
        transformResults: try (result["transformResults"]?.elements ?? []).map { try $0.value() })
    }
  }

  private static func document(
    _ json: JSONValue
  ) throws -> (path: ResourcePath, fields: MapValue) {
    let name = try DocumentName(requested: json["name"]?.string ?? "", in: .default)
    return (name.path, try (json["fields"] ?? .object([])).fields())
  }
}
