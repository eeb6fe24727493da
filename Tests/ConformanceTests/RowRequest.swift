import HearthDocumentEngine
import HearthDocumentModel
import HearthFirestoreJSON
import Foundation
import Hearth
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport

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
    case "commit": try commit()
    case "batchWrite": try batchWrite()
    case "getDocument": try document()
    case "deleteDocument": try deletion()
    case "batchGet": try documents()
    case "beginTransaction": try transaction()
    default: throw UnreadableRow(name: row.kind)
    }
  }

  // MARK: Queries

  private func query() throws -> Answer {
    let request = try LoggedQuery(json: body("structuredQuery"), below: parent)
    guard case .documents(let structured) = request.query else {
      throw UnreadableRow(name: row.step)
    }
    let query = session.database.query(structured)
    var answer = Answer()
    if let explain = request.explain {
      answer.explain(try explanation(of: query, explain))
      guard explain.analyze else { return answer }
    }
    let results = try read(request.consistency) { snapshot throws(DatabaseError) in
      try snapshot.getDocuments(query)
    }
    answer.documents = try results.documents.map(RowRequest.content)
    answer.skippedResults = results.statistics.resultsSkipped
    return answer
  }

  private func aggregation() throws -> Answer {
    let request = try LoggedQuery(json: body("structuredAggregationQuery"), below: parent)
    guard case .figures(let figures) = request.query else { throw UnreadableRow(name: row.step) }
    let query = session.database.query(figures.query)
    let aggregations = figures.aggregations
    var answer = Answer()
    if let explain = request.explain {
      answer.explain(try explanation(of: query, aggregating: aggregations, explain))
      guard explain.analyze else { return answer }
    }
    answer.aggregates = try read(request.consistency) { snapshot throws(DatabaseError) in
      try snapshot.aggregate(aggregations, of: query).values
    }
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

  // MARK: Documents

  private func commit() throws -> Answer {
    let message = try CommitMessage(json: body(nil), in: database)
    var answer = Answer()
    guard let result = try result(of: message) else {
      answer.status = "BLOCKED"
      return answer
    }
    answer.writeResults = result.writeResults
    answer.commitTime = result.commitTime
    return answer
  }

  /// Returns the result of a commit; `nil` if it waits for a transaction, and the recorder didn't
  /// wait for the answer. Otherwise the time of the wait passes at once.
  private func result(of message: CommitMessage) throws -> CommitResult? {
    if let id = message.transaction {
      return try session.lockingTransaction(id).commitRequest(message.writes)
    }
    let database = session.database
    let commit = Waiting()
    let result = Lock<CommitResult?>(nil)
    startThread {
      commit.end(
        Result {
          let done = try database.commitRequest(message.writes)
          result.withLock { $0 = done }
        })
    }
    while !commit.isOver, database.lockWaitCount == 0 { sched_yield() }
    if !commit.isOver, row.expect["status"]?.string == "BLOCKED" { return nil }
    if !commit.isOver { database.endLockWaits() }
    try commit.wait()
    return result.withLock { $0 }
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
    let reference = try session.database.document(name.path.description)
    let found = try read(consistency(of: request)) { snapshot throws(DatabaseError) in
      try snapshot.getDocument(reference)
    }
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
    let request = try session.substituted(row.request ?? .object([]))
    let references = try (request["documents"]?.strings ?? []).map { name in
      let path = try DocumentName(requested: name, in: database).path
      return try session.database.document(path.description)
    }
    let documents = try read(consistency(of: request)) { snapshot throws(DatabaseError) in
      try snapshot.getAll(references)
    }
    var answer = Answer()
    answer.documents = try documents.filter(\.exists).map(RowRequest.content)
    answer.missing = documents.filter { !$0.exists }.map(\.reference.path)
    return answer
  }

  private func transaction() throws -> Answer {
    let request = try session.substituted(row.request ?? .object([]))
    if let options = request["options"]?["readOnly"] {
      session.transactions[row.step] = try snapshot(consistency(of: options))
    } else {
      session.lockingTransactions[row.step] = try session.database.beginTransaction()
    }
    var answer = Answer()
    // Bytes, in base64.
    answer.transaction = Data(row.step.utf8).base64EncodedString()
    return answer
  }

  private static func content(
    of document: DocumentSnapshot
  ) throws -> (path: ResourcePath, fields: MapValue) {
    (document.reference.path, try document.data() ?? MapValue())
  }

  // MARK: Parts

  /// Reads in the transaction that the request names, or else in a snapshot.
  private func read<Result>(
    _ consistency: ReadConsistency?,
    _ body: (DatabaseSnapshot) throws(DatabaseError) -> Result
  ) throws -> Result {
    if case .transaction(let id) = consistency, session.isLocking(id) {
      return try session.lockingTransaction(id).readRequest(body)
    }
    return try body(snapshot(consistency))
  }

  private func consistency(of request: JSONValue) throws -> ReadConsistency? {
    if let time = request["readTime"]?.string {
      return .readTime(try Timestamp(rfc3339: time))
    }
    let transaction = request["transaction"]?.string.flatMap { Data(base64Encoded: $0) }
    return transaction.map { .transaction([UInt8]($0)) }
  }

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
      if let id = row.transaction { members.append(("transaction", try session.substituted(id))) }
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
