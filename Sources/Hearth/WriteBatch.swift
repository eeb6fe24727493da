public import DocumentModel
import DocumentEngine

extension Database {
  /// Applies `writes` in order, all of them or none, in one durable commit.
  ///
  /// - Complexity: two point reads per document that exists.
  /// - Returns: one result per write.
  /// - Throws: `invalidArgument` for a broken limit or rule (§1.2); `alreadyExists`, `notFound` or
  ///   `failedPrecondition` for a precondition (§7.2); or what the store reports.
  @discardableResult
  public func commit(_ writes: [Write]) throws(DatabaseError) -> [WriteResult] {
    try engine.commit(writes).writeResults
  }

  @discardableResult
  public func commit(_ writes: [Write]) async throws(DatabaseError) -> [WriteResult] {
    try await Blocking.run { () throws(DatabaseError) in try self.engine.commit(writes).writeResults
    }
  }

  /// Applies each of `writes` or refuses it, whatever becomes of the others (§7.1): for loads of
  /// writes that have nothing to do with each other.
  ///
  /// - Complexity: as `commit`.
  /// - Returns: one result per write, in their order.
  /// - Throws: `invalidArgument` if two of them are of one document, or all of them are too large
  ///   together; or what the store reports. Then none was applied.
  public func batchWrite(
    _ writes: [Write]
  ) throws(DatabaseError) -> [Result<WriteResult, DatabaseError>] {
    try engine.batchWrite(writes)
  }

  public func batchWrite(
    _ writes: [Write]
  ) async throws(DatabaseError) -> [Result<WriteResult, DatabaseError>] {
    try await Blocking.run { () throws(DatabaseError) in try self.engine.batchWrite(writes) }
  }

  /// Writes to be committed as one.
  public func batch() -> WriteBatch { WriteBatch(in: self) }
}

/// Writes that are applied in order, all of them or none (§7.4).
///
/// ```swift
/// var batch = database.batch()
/// batch.setData(["name": "Tokyo"], for: tokyo)
/// batch.delete(edo)
/// try batch.commit()
/// ```
public struct WriteBatch: Sendable {
  public private(set) var writes: [Write] = []
  private let database: Database
  /// The first document that isn't one of the database's.
  private var strayDocument: ResourcePath?

  init(in database: Database) {
    self.database = database
  }

  /// Creates a document; the commit throws `alreadyExists` if there is one.
  public mutating func create(
    _ fields: MapValue, transforms: [FieldTransform] = [], for document: DocumentReference
  ) {
    append(.create(document.path, fields, transforms: transforms), for: document)
  }

  /// Creates a document or replaces it; with `merge`, `fields` are merged into it (§7.1).
  public mutating func setData(
    _ fields: MapValue, transforms: [FieldTransform] = [], for document: DocumentReference,
    merge: Bool = false
  ) {
    append(.setting(document.path, fields, merge: merge, transforms), for: document)
  }

  /// Sets some fields of a document that exists, and removes others. The names in `changes` are
  /// field paths.
  ///
  /// - Throws: `invalidArgument` for a malformed path, or one that lies below another.
  public mutating func updateData(
    _ changes: MapValue, removing removed: [String] = [], transforms: [FieldTransform] = [],
    for document: DocumentReference
  ) throws(DatabaseError) {
    append(try .update(document.path, changes, removing: removed, transforms), for: document)
  }

  /// Refuses the commit if a condition on a document doesn't hold by then (§7.2).
  public mutating func verify(_ precondition: Precondition, for document: DocumentReference) {
    append(.verify(document.path, precondition), for: document)
  }

  /// Deletes a document, if there is one.
  public mutating func delete(_ document: DocumentReference) {
    append(.delete(document.path), for: document)
  }

  private mutating func append(_ write: Write, for document: DocumentReference) {
    if document.database !== database, strayDocument == nil { strayDocument = document.path }
    writes.append(write)
  }

  /// Applies the writes in order, all of them or none.
  ///
  /// - Returns: one result per write.
  /// - Throws: as `Database.commit`; `invalidArgument` for a reference into another open database.
  @discardableResult
  public func commit() throws(DatabaseError) -> [WriteResult] {
    try checkDatabase()
    return try database.commit(writes)
  }

  @discardableResult
  public func commit() async throws(DatabaseError) -> [WriteResult] {
    try checkDatabase()
    return try await database.commit(writes)
  }

  private func checkDatabase() throws(DatabaseError) {
    guard let strayDocument else { return }
    throw DatabaseError(
      .invalidArgument, "\"\(strayDocument)\" is a document of another database than the batch.")
  }
}
