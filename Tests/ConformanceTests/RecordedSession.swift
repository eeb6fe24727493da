import HearthDocumentModel
import HearthFirestoreJSON
import Hearth
import HearthQueryPlanning

/// A database with a row's indexes and documents, and the answers of earlier steps.
final class RecordedSession {
  let database: Database
  private var answers = RecordedAnswers()
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
    return try answers.keep(answer, of: row)
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
    try answers.substituted(json)
  }
}
