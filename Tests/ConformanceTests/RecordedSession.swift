import HearthDocumentModel
import HearthFirestoreJSON
import Foundation
import Hearth
import HearthQueryPlanning

/// A database with a row's indexes and documents, and the answers of earlier steps.
final class RecordedSession {
  let database: Database
  private(set) var answers: [String: Answer] = [:]
  private var serverTimes: Set<Timestamp> = []
  /// The read-only transactions that steps have begun.
  var transactions: [String: DatabaseSnapshot] = [:]
  /// The transactions with locks that steps have begun.
  var lockingTransactions: [String: LockingTransaction] = [:]

  init(seed: String, indexes: String) throws {
    // A wait for a lock ends when a row says so.
    database = try Database.inMemory(
      history: HistoryLimits(), locks: LockLimits(timeout: .seconds(3600)))
    try createIndexes(indexes)
    let seed = try Recording.json("seeds/\(seed).json")
    let commits = seed["commits"]?.elements.map(\.elements) ?? [seed["documents"]?.elements ?? []]
    for documents in commits { try load(documents) }
  }

  private func createIndexes(_ name: String) throws {
    let path = name == "query-index" ? "indexes.json" : "indexes-probe.json"
    let file = try IndexFile(json: Recording.text(path))
    for definition in file.composites { try database.indexes.create(definition) }
    for override in file.overrides {
      try database.indexes.setOverride(
        override.indexes, of: override.field, in: override.collectionGroup)
    }
  }

  private func load(_ documents: [JSONValue]) throws {
    let writes = try documents.map { document in
      let path = try ResourcePath(document["path"]?.string ?? "")
      return Write.set(path, try substituted(document["fields"] ?? .object([])).fields())
    }
    try database.commit(writes)
  }

  /// Runs a row and keeps its answer for later steps.
  func answer(_ row: RecordedRow) throws -> Answer {
    var answer: Answer
    do {
      answer = try RowRequest(row, in: self).answer()
    } catch let error as DatabaseError {
      answer = Answer(error)
    }
    if let time = answer.commitTime {
      let milliseconds = time.microseconds / 1_000
      serverTimes.insert(try Timestamp(microseconds: milliseconds * 1_000))
    }
    answer.serverTimes = serverTimes
    answers[row.step] = answer
    return answer
  }

  /// Whether the id is that of a transaction with locks. An id is the name of its step.
  func isLocking(_ id: [UInt8]) -> Bool {
    lockingTransactions[String(decoding: id, as: UTF8.self)] != nil
  }

  func lockingTransaction(_ id: [UInt8]) throws -> LockingTransaction {
    let step = String(decoding: id, as: UTF8.self)
    guard let transaction = lockingTransactions[step] else { throw UnreadableRow(name: step) }
    return transaction
  }

  /// Returns the row's JSON with this database's own values in place of the placeholders.
  func substituted(_ json: JSONValue) throws -> JSONValue {
    let project = DatabaseID.default.project
    return try json.replacing { node in
      if let text = node.string, text.contains("{project}") {
        return .string(text.replacing("{project}", with: project))
      }
      if let repeated = node["$repeat"] {
        let text = repeated["text"]?.string ?? ""
        return .string(String(repeating: text, count: Int(repeated["times"]?.integer ?? 0)))
      }
      if let step = node["updateTimeOf"]?.string { return try time(step, \.updateTime) }
      if let step = node["commitTimeOf"]?.string { return try time(step, \.commitTime) }
      if let step = node["transactionOf"]?.string {
        // Bytes, in base64.
        return .string(Data(step.utf8).base64EncodedString())
      }
      return nil
    }
  }

  private func time(_ step: String, _ time: KeyPath<Answer, Timestamp?>) throws -> JSONValue {
    guard let time = answers[step]?[keyPath: time] else { throw UnreadableRow(name: step) }
    return .string(time.rfc3339)
  }
}
