import Hearth

/// An import that commits the records of an input in batches and keeps count of them.
struct Importer {
  /// A record that waits for its commit.
  private struct Pending {
    let write: Write
    let line: Int
    /// The record's text, if it would be written when it is refused.
    let text: [UInt8]
  }

  /// Far below the limit of one commit (§1.2), even for the largest documents.
  private static let batchByteCount = 4 << 20

  /// Receives the number of documents imported so far, after each commit.
  var onCommit: (Int) throws -> Void = { _ in }
  private(set) var importedCount = 0

  private var placement: Placement
  private let rules: ImportRules
  /// Commits writes, all of them or none.
  private let commitWrites: ([Write]) throws -> Void
  private let source: String
  private var pending: [Pending] = []
  private var byteCount = 0

  init(
    to placement: Placement, _ rules: ImportRules, source: String,
    commit: @escaping ([Write]) throws -> Void
  ) {
    self.placement = placement
    self.rules = rules
    self.source = source
    commitWrites = commit
  }

  /// Adds a record to the batch, and commits the batch when it is full.
  ///
  /// - Parameter text: the record's text, for the case that it is refused.
  /// - Throws: ``InputError`` for a record that can't be a document; the errors of the commit.
  mutating func append(_ record: InputRecord, text: [UInt8]) throws {
    let path = try placement.path(of: record)
    let write: Write = rules.merges ? .merge(path, record.fields) : .set(path, record.fields)
    pending.append(Pending(write: write, line: record.line, text: text))
    byteCount += record.fields.storageByteCount
    if pending.count >= rules.batchSize || byteCount >= Importer.batchByteCount { try commit() }
  }

  /// Commits the records that wait.
  mutating func commit() throws {
    guard !pending.isEmpty else { return }
    do {
      try commitWrites(pending.map(\.write))
    } catch let error as DatabaseError {
      guard error.code == .invalidArgument else { throw error }
      return try commitOneByOne()
    }
    importedCount += pending.count
    pending.removeAll(keepingCapacity: true)
    byteCount = 0
    try onCommit(importedCount)
  }

  /// Commits the records one by one, to find those that are refused.
  private mutating func commitOneByOne() throws {
    let records = pending
    pending = []
    byteCount = 0
    for record in records {
      do {
        try commitWrites([record.write])
      } catch let error as DatabaseError {
        guard error.code == .invalidArgument else { throw error }
        let refusal = InputError(
          .malformed, in: source, line: record.line, error.message.withoutFullStop)
        guard let rejects = rules.rejects else { throw refusal }
        try rejects.add(refusal, record: record.text)
        continue
      }
      importedCount += 1
      try onCommit(importedCount)
    }
  }

  /// Returns the error that ends the import, with the number of documents imported.
  ///
  /// The records before a bad one are committed first.
  mutating func failure(after error: any Error) throws -> ToolFailure {
    var error = error
    if error is InputError {
      do {
        try commit()
      } catch let earlier {
        error = earlier
      }
    }
    let done =
      switch importedCount {
      case 0: "Nothing was imported."
      case _ where rules.isDryRun: "Nothing was imported (--dry-run)."
      case 1: "1 document was imported before it."
      default: "\(Figure.documents(importedCount)) were imported before it."
      }
    let (status, code, message): (ExitStatus, DatabaseError.Code, String) =
      switch error {
      case let error as InputError: (ExitStatus(error.kind), .invalidArgument, error.description)
      case let error as ToolFailure: (error.status, error.code, error.message)
      case let error as DatabaseError: (ExitStatus(error), error.code, error.message.sentence)
      default: (.inputOutput, .unknown, "the import stopped: \(error).")
      }
    return ToolFailure(status, code, "\(message)\n\(done)")
  }
}

/// The rules of an import that hold for each of its records.
struct ImportRules {
  /// Number of documents in each commit.
  let batchSize: Int
  /// Whether fields are merged into existing documents.
  let merges: Bool
  /// Whether nothing is written.
  let isDryRun: Bool
  /// Takes the records that are refused; `nil` if the first one stops the import.
  let rejects: Rejects?
}
