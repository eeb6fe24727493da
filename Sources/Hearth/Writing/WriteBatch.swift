public import HearthDocumentModel

/// Writes that are applied in order, all of them or none (§7.4).
///
/// ```swift
/// var batch = database.batch()
/// batch.setData(["name": "Tokyo"], for: tokyo)
/// batch.updateData(["visits": .increment(1)], for: kyoto)
/// batch.delete(edo)
/// try batch.commit()
/// ```
///
/// An error in one of the writes, such as a malformed path, is thrown by the commit.
public struct WriteBatch: Sendable {
  /// Writes collected so far.
  public private(set) var writes: [Write] = []
  private let database: Database
  /// Error of the first write that can't be committed.
  private var failure: DatabaseError?

  init(in database: Database) {
    self.database = database
  }

  /// Creates a document; the commit throws `alreadyExists` if there is one.
  public mutating func create(_ data: FieldData, for document: DocumentReference) {
    append(for: document) { () throws(DatabaseError) in try .creating(document.path, data) }
  }

  /// Creates a document or replaces it. With `merge`, `data` is merged into the document (§7.1).
  public mutating func setData(
    _ data: FieldData, for document: DocumentReference, merge: Bool = false
  ) {
    append(for: document) { () throws(DatabaseError) in
      try .setting(document.path, data, merge: merge)
    }
  }

  /// Creates a document, or replaces only the given fields of it. Every one of these paths must be
  /// in `data` (§7.1).
  public mutating func setData(
    _ data: FieldData, for document: DocumentReference, mergeFields: [String]
  ) {
    append(for: document) { () throws(DatabaseError) in
      try .setting(document.path, data, mergeFields: mergeFields)
    }
  }

  /// Changes some fields of a document; the commit throws `notFound` if there is none. The names in
  /// `changes` are field paths.
  public mutating func updateData(
    _ changes: FieldData, for document: DocumentReference,
    if precondition: Precondition = .exists(true)
  ) {
    append(for: document) { () throws(DatabaseError) in
      try .updating(document.path, changes, if: precondition)
    }
  }

  /// Changes some fields of a document, given as ``FieldPath``s.
  public mutating func updateData(
    _ changes: [(FieldPath, FieldValue)], for document: DocumentReference,
    if precondition: Precondition = .exists(true)
  ) {
    append(for: document) { () throws(DatabaseError) in
      try .updating(document.path, changes, if: precondition)
    }
  }

  /// Makes the commit fail if a condition on a document doesn't hold by then (§7.2).
  public mutating func verify(_ precondition: Precondition, for document: DocumentReference) {
    append(.verify(document.path, precondition), for: document)
  }

  /// Deletes a document if it exists and the condition holds for it.
  public mutating func delete(
    _ document: DocumentReference, if precondition: Precondition? = nil
  ) {
    append(.delete(document.path, precondition), for: document)
  }

  /// Adds a write of `document`.
  mutating func append(_ write: Write, for document: DocumentReference) {
    append(for: document) { () throws(DatabaseError) in write }
  }

  private mutating func append(
    for document: DocumentReference, _ write: () throws(DatabaseError) -> Write
  ) {
    do throws(DatabaseError) {
      guard document.database === database else {
        throw DatabaseError(
          .invalidArgument,
          "\"\(document.path)\" is a document of another database than the batch.")
      }
      writes.append(try write())
    } catch {
      if failure == nil { failure = error }
    }
  }

  /// Applies the writes in order, all of them or none.
  ///
  /// - Returns: one result per write.
  /// - Throws: the errors of `Database.commit`; `invalidArgument` for the first write that wasn't
  ///   valid, or that was of a document of another open database.
  @discardableResult
  public func commit() throws(DatabaseError) -> [WriteResult] {
    try database.commit(checkedWrites())
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func commit() async throws(DatabaseError) -> [WriteResult] {
    try await database.commit(checkedWrites())
  }

  /// Returns the writes.
  ///
  /// - Throws: `invalidArgument` for the first write that isn't valid.
  package func checkedWrites() throws(DatabaseError) -> [Write] {
    if let failure { throw failure }
    return writes
  }
}

// MARK: - Values alone

// A literal is field data.
extension WriteBatch {
  /// Does the same with plain values, such as fields that were read.
  @_disfavoredOverload
  public mutating func create(_ fields: MapValue, for document: DocumentReference) {
    append(.create(document.path, fields), for: document)
  }

  /// Does the same with plain values, such as fields that were read.
  @_disfavoredOverload
  public mutating func setData(
    _ fields: MapValue, for document: DocumentReference, merge: Bool = false
  ) {
    append(merge ? .merge(document.path, fields) : .set(document.path, fields), for: document)
  }

  /// Does the same with plain values, such as fields that were read.
  @_disfavoredOverload
  public mutating func updateData(
    _ changes: MapValue, for document: DocumentReference,
    if precondition: Precondition = .exists(true)
  ) {
    updateData(FieldData(changes), for: document, if: precondition)
  }
}
