import Hearth

/// An import that commits the records of an input in batches and keeps count of them.
struct Importer {
  /// Far below the limit of one commit (§1.2), even for the largest documents.
  private static let batchByteCount = 4 << 20

  /// Receives the number of documents imported so far, after each commit.
  var onCommit: (Int) throws -> Void = { _ in }
  private(set) var importedCount = 0

  private let collection: CollectionReference
  private let session: AdminSession
  private let source: String
  private let batchSize: Int
  private var writes: [(write: Write, line: Int)] = []
  private var byteCount = 0

  init(
    into collection: CollectionReference, in session: AdminSession, source: String,
    batchSize: Int
  ) {
    self.collection = collection
    self.session = session
    self.source = source
    self.batchSize = batchSize
  }

  /// Adds a record to the batch, and commits the batch when it is full.
  ///
  /// - Parameter idField: the field that holds the id; `nil` for random ids.
  /// - Throws: ``InputError`` for a record that can't be a document; the errors of the commit.
  mutating func append(_ record: InputRecord, idField: FieldPath?) throws {
    let document =
      if let id = try record.id ?? idField.map({ try record.documentID(in: $0, source: source) }) {
        try collection.document(id)
      } else {
        collection.document()
      }
    writes.append((.set(document.path, record.fields), record.line))
    byteCount += record.fields.storageByteCount
    if writes.count >= batchSize || byteCount >= Importer.batchByteCount { try commit() }
  }

  /// Commits the records that wait.
  mutating func commit() throws {
    guard !writes.isEmpty else { return }
    do {
      _ = try session.run(CommitCall(writes.map(\.write)))
    } catch let error as DatabaseError {
      guard error.code == .invalidArgument else { throw error }
      return try commitUpToBadRecord()
    }
    try committed(writes.count)
  }

  /// Commits the records one by one, to find the one that is refused.
  private mutating func commitUpToBadRecord() throws {
    for (write, line) in writes {
      do {
        _ = try session.run(CommitCall([write]))
      } catch let error as DatabaseError {
        guard error.code == .invalidArgument else { throw error }
        writes = []
        throw InputError(.malformed, in: source, line: line, error.message.withoutFullStop)
      }
      try committed(1)
    }
  }

  private mutating func committed(_ count: Int) throws {
    importedCount += count
    writes.removeFirst(count)
    if writes.isEmpty { byteCount = 0 }
    try onCommit(importedCount)
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
