import HearthDocumentEngine
import HearthDocumentModel
import HearthFirestoreJSON
import Hearth
import HearthQueryPlanning

/// A row's request, sent to the database as a body of Firestore's REST interface.
struct RowRequest {
  private let row: RecordedRow
  private let session: RecordedSession
  private let database: DatabaseID

  init(_ row: RecordedRow, in session: RecordedSession) {
    self.row = row
    self.session = session
    database = .default
  }

  func answer() throws -> Answer {
    switch row.kind {
    case "runQuery": try query()
    case "runAggregationQuery": try aggregation()
    case "partitionQuery": try partitions()
    case "commit": try commit()
    case "batchWrite": try batchWrite()
    case "getDocument": try document()
    case "deleteDocument": try deletion()
    case "batchGet": try documents()
    case "listDocuments": try list()
    case "beginTransaction": try transaction()
    default: throw UnreadableRow(name: row.kind)
    }
  }

  // MARK: Queries

  private func query() throws -> Answer {
    let request = try RunQueryRequest(json: body("structuredQuery"), below: parent)
    let snapshot = try snapshot(request.consistency)
    let query = session.database.query(request.query)
    var answer = Answer()
    if let explain = request.explain {
      answer.explain(try explanation(of: query, explain))
      guard explain.analyze else { return answer }
    }
    let results = try snapshot.getDocuments(query)
    answer.documents = try results.documents.map(RowRequest.content)
    answer.skippedResults = results.statistics.resultsSkipped
    return answer
  }

  private func aggregation() throws -> Answer {
    let request = try RunAggregationQueryRequest(
      json: body("structuredAggregationQuery"), below: parent)
    let snapshot = try snapshot(request.consistency)
    let query = session.database.query(request.query.query)
    let aggregations = request.query.aggregations
    var answer = Answer()
    if let explain = request.explain {
      answer.explain(try explanation(of: query, aggregating: aggregations, explain))
      guard explain.analyze else { return answer }
    }
    answer.aggregates = try snapshot.aggregate(aggregations, of: query).values
    return answer
  }

  private func explanation(
    of query: Query, aggregating aggregations: [Aggregation] = [], _ options: ExplainOptions
  ) throws(DatabaseError) -> QueryExplanation {
    do {
      return try query.explain(aggregating: aggregations, running: options.analyze)
    } catch {
      throw options.analyze ? error : error.forPlanOnly
    }
  }

  private func partitions() throws -> Answer {
    let request = try PartitionQueryRequest(json: body(nil), below: parent)
    // N cursors make N + 1 parts.
    let parts = try session.database.query(request.query).partitions(request.partitionCount + 1)
    var answer = Answer()
    answer.partitions = parts.compactMap { part in
      guard case .reference(let name)? = part.structuredQuery.start?.values.first else {
        return nil
      }
      return name
    }
    return answer
  }

  // MARK: Documents

  private func commit() throws -> Answer {
    let message = try CommitMessage(json: body(nil), in: database)
    let result = try session.database.commitRequest(message.writes)
    var answer = Answer()
    answer.writeResults = result.writeResults
    answer.commitTime = result.commitTime
    return answer
  }

  private func batchWrite() throws -> Answer {
    let message = try BatchWriteMessage(json: body(nil), in: database)
    var answer = Answer()
    answer.writeResults = try session.database.batchWrite(message.writes).map { try $0.get() }
    return answer
  }

  private func document() throws -> Answer {
    let request = try session.substituted(row.request ?? .object([]))
    let name = try DocumentName(requested: request["name"]?.string ?? "", in: database)
    let time = try request["readTime"]?.string.map { try Timestamp(rfc3339: $0) }
    let reference = try session.database.document(name.path.description)
    let found = try snapshot(time.map { .readTime($0) }).getDocument(reference)
    guard found.exists else { throw DatabaseError(.notFound, "Document \"\(name)\" not found.") }
    var answer = Answer()
    answer.document = try RowRequest.content(of: found)
    answer.updateTime = found.updateTime
    return answer
  }

  private func deletion() throws -> Answer {
    let request = try session.substituted(row.request ?? .object([]))
    let name = try DocumentName(requested: request["name"]?.string ?? "", in: database)
    try session.database.commit([.delete(name.path)])
    return Answer()
  }

  private func documents() throws -> Answer {
    let request = try BatchGetRequest(json: body(nil), in: database)
    let references = try request.documents.map { try session.database.document($0.description) }
    let documents = try snapshot(request.consistency).getAll(references)
    var answer = Answer()
    answer.documents = try documents.filter(\.exists).map(RowRequest.content)
    answer.missing = documents.filter { !$0.exists }.map(\.reference.path)
    return answer
  }

  private func list() throws -> Answer {
    let request = try ListDocumentsRequest(json: body(nil))
    let collection = try session.database.collection(
      parent.appending(unchecked: request.collectionID).description)
    let page = try snapshot(request.consistency).listDocuments(
      in: collection, pageSize: request.pageSize, pageToken: request.pageToken,
      showMissing: request.showMissing, orders: request.orders)
    var answer = Answer()
    answer.documents = try page.documents.map(RowRequest.content)
    answer.nextPageToken = page.nextPageToken
    return answer
  }

  private func transaction() throws -> Answer {
    let request = try BeginTransactionRequest(json: body(nil))
    guard case .readOnly(let time) = request.options else { throw UnreadableRow(name: "mode") }
    session.transactions[row.step] = try snapshot(time.map { .readTime($0) })
    var answer = Answer()
    answer.isTransactionBegun = true
    return answer
  }

  private static func content(
    of document: DocumentSnapshot
  ) throws -> (path: ResourcePath, fields: MapValue) {
    (document.reference.path, try document.data() ?? MapValue())
  }

  // MARK: Parts

  private func snapshot(_ consistency: ReadConsistency?) throws -> DatabaseSnapshot {
    switch consistency {
    case nil: return try session.database.snapshot()
    case .readTime(let time): return try session.database.snapshot(at: time)
    case .transaction(let id):
      let step = String(decoding: id, as: UTF8.self)
      guard let snapshot = session.transactions[step] else { throw UnreadableRow(name: step) }
      return snapshot
    case .newTransaction: throw UnreadableRow(name: "newTransaction")
    }
  }

  /// The request's address. The request itself refuses a name that isn't a document's.
  private var parent: ResourcePath {
    ResourcePath(unchecked: row.parent.split(separator: "/").map(String.init))
  }

  /// Returns the body with the row's request under `name`, or with the request's own members.
  private func body(_ name: String?) throws -> [UInt8] {
    let request = try session.substituted(row.request ?? .object([]))
    var members = name.map { [($0, request)] } ?? request.members
    if name != nil {
      if let options = row.explainOptions { members.append(("explainOptions", options)) }
      if let time = row.readTime { members.append(("readTime", try session.substituted(time))) }
    }
    return JSONValue.object(members).text
  }
}

extension Answer {
  fileprivate mutating func explain(_ explanation: QueryExplanation) {
    indexesUsed = explanation.indexesUsed.map { ($0.queryScope, $0.properties) }
    statistics = explanation.execution?.production.recorded
  }
}

extension QueryExplanation.ProductionStatistics {
  /// Counters by the names of the recording.
  fileprivate var recorded: [String: Int64] {
    var counts = [
      "resultsReturned": resultsReturned, "readOperations": readOperations,
      "documentsScanned": documentsScanned, "indexEntriesScanned": indexEntriesScanned,
      "documentsBillable": documentsBillable, "indexEntriesBillable": indexEntriesBillable,
      "smallOps": smallOperations, "minQueryCost": minimumQueryCost,
    ]
    counts["knnVectorIndexEntriesBillable"] = knnVectorIndexEntriesBillable
    return counts.mapValues { Int64($0) }
  }
}
