public import HearthDocumentModel
package import HearthDocumentEngine
public import HearthQueryPlanning

/// The reads and writes of a transaction's closure.
///
/// All reads come before the first write (§7.4). They see the database at one moment, and never the
/// transaction's own writes. The writes are collected, and applied as one commit once the closure
/// returns. After that the transaction can't be used any more.
///
/// The transaction watches the documents and queries that it reads. If another commit changes such
/// a document, or the results of such a query, the transaction is run again. A page of a query is
/// watched only up to its last result, and a count only by its index entries.
public final class Transaction: Sendable {
  private let database: Database
  private let scope: TransactionScope
  /// The judgement of the writes, within the commit; `nil` for none.
  private let judgement: CommitJudgement?

  init(
    _ scope: TransactionScope, in database: Database, judging judgement: CommitJudgement? = nil
  ) {
    self.scope = scope
    self.database = database
    self.judgement = judgement
  }

  /// Applies the writes, and ends the transaction.
  func commit() throws(DatabaseError) { _ = try scope.commit(judging: judgement) }

  /// Ends the transaction without applying its writes. It may be called more than once.
  package func rollback() { scope.rollback() }

  /// Returns the database as the transaction sees it. The transaction watches what is read there.
  ///
  /// - Throws: `failedPrecondition` once the transaction has ended.
  package func snapshot() throws(DatabaseError) -> DatabaseSnapshot {
    let view = try scope.readView()
    return DatabaseSnapshot(view, at: view.readTime, in: database)
  }

  /// The memory that the transaction takes to watch what was read.
  package var readByteCount: Int { scope.readByteCount }

  /// Applies `writes` in one commit, and ends the transaction, even if the commit fails.
  ///
  /// - Parameter judgement: the judgement of the writes, within the commit; `nil` for none.
  /// - Throws: `aborted` if something that was read has changed; the errors of `Database.commit`;
  ///   `failedPrecondition` once the transaction has ended.
  package func commitRequest(
    _ writes: [Write], judging judgement: CommitJudgement? = nil
  ) throws(DatabaseError) -> CommitResult {
    try database.observed(.commit) { () throws(DatabaseError) in
      try scope.commit(writes, judging: judgement ?? self.judgement)
    }
  }
}

// MARK: - Documents

extension Transaction {
  /// Returns a document, whether it exists or not.
  ///
  /// - Complexity: two point reads.
  /// - Throws: `invalidArgument` after a write, or for a document of another database;
  ///   `failedPrecondition` once the transaction has ended; `dataLoss`, or the store's error. All
  ///   reads throw the same.
  public func getDocument(
    _ reference: DocumentReference
  ) throws(DatabaseError) -> DocumentSnapshot {
    try database.read(reference, for: .transaction, scope.document(at:))
  }

  /// Does the same without blocking the calling thread.
  public func getDocument(
    _ reference: DocumentReference
  ) async throws(DatabaseError) -> DocumentSnapshot {
    try await Blocking.run { () throws(DatabaseError) in try self.getDocument(reference) }
  }

  /// Returns the documents at `references`, each once, in the order of its first reference, whether
  /// it exists or not.
  ///
  /// - Complexity: two point reads per document.
  public func getAll(
    _ references: [DocumentReference]
  ) throws(DatabaseError) -> [DocumentSnapshot] {
    try database.read(references, for: .transaction, scope.documents(at:))
  }

  /// Does the same without blocking the calling thread.
  public func getAll(
    _ references: [DocumentReference]
  ) async throws(DatabaseError) -> [DocumentSnapshot] {
    try await Blocking.run { () throws(DatabaseError) in try self.getAll(references) }
  }
}

// MARK: - Queries

extension Transaction {
  /// Returns the results of a query.
  ///
  /// - Parameters:
  ///   - query: a query of this database.
  ///   - timeout: the time that the query may take.
  /// - Complexity: the index entries up to the last result, and one document per result.
  /// - Throws: the errors of `getDocument`, and those of the query's own `getDocuments`.
  public func getDocuments(
    _ query: some QueryBuilding, timeout: Duration? = nil
  ) throws(DatabaseError) -> QuerySnapshot {
    try query.checked(for: .transaction, of: database).getDocuments(in: scope.readView(), timeout)
  }

  /// Does the same without blocking the calling thread.
  public func getDocuments(
    _ query: some QueryBuilding, timeout: Duration? = nil
  ) async throws(DatabaseError) -> QuerySnapshot {
    try await Blocking.run { () throws(DatabaseError) in
      try self.getDocuments(query, timeout: timeout)
    }
  }

  /// Returns the number of a query's results, without reading documents.
  ///
  /// - Complexity: the index entries up to the last result.
  /// - Throws: the errors of `getDocuments`.
  public func count(
    _ query: some QueryBuilding, timeout: Duration? = nil
  ) throws(DatabaseError) -> Int {
    try query.checked(for: .transaction, of: database).count(in: scope.readView(), timeout)
  }

  /// Does the same without blocking the calling thread.
  public func count(
    _ query: some QueryBuilding, timeout: Duration? = nil
  ) async throws(DatabaseError) -> Int {
    try await Blocking.run { () throws(DatabaseError) in try self.count(query, timeout: timeout) }
  }

  /// Returns figures over a query's results, computed from index entries alone (§9.1).
  ///
  /// - Complexity: the index entries up to the last result.
  /// - Throws: the errors of `getDocument`, and those of the query's own `aggregate`.
  public func aggregate(
    _ aggregations: [Aggregation], of query: some QueryBuilding, timeout: Duration? = nil
  ) throws(DatabaseError) -> AggregateSnapshot {
    try query.checked(for: .transaction, of: database)
      .aggregate(aggregations, in: scope.readView(), timeout)
  }

  /// Does the same without blocking the calling thread.
  public func aggregate(
    _ aggregations: [Aggregation], of query: some QueryBuilding, timeout: Duration? = nil
  ) async throws(DatabaseError) -> AggregateSnapshot {
    try await Blocking.run { () throws(DatabaseError) in
      try self.aggregate(aggregations, of: query, timeout: timeout)
    }
  }
}

// MARK: - Writing

extension Transaction {
  /// Creates a document; the commit throws `alreadyExists` if there is one.
  ///
  /// - Throws: `invalidArgument` for a document of another database, for data that no write can
  ///   have, or in a transaction that only reads; `failedPrecondition` once the transaction has
  ///   ended. All writes throw the same.
  public func create(
    _ data: FieldData, for document: DocumentReference
  ) throws(DatabaseError) {
    try write(to: document) { $0.create(data, for: document) }
  }

  /// Creates a document or replaces it. With `merge`, `data` is merged into the document (§7.1).
  public func setData(
    _ data: FieldData, for document: DocumentReference, merge: Bool = false
  ) throws(DatabaseError) {
    try write(to: document) { $0.setData(data, for: document, merge: merge) }
  }

  /// Creates a document, or replaces only the given fields of it. Every one of these paths must be
  /// in `data` (§7.1).
  public func setData(
    _ data: FieldData, for document: DocumentReference, mergeFields: [String]
  ) throws(DatabaseError) {
    try write(to: document) { $0.setData(data, for: document, mergeFields: mergeFields) }
  }

  /// Changes some fields of a document; the commit throws `notFound` if there is none. The names in
  /// `changes` are field paths.
  ///
  /// - Throws: `invalidArgument` also if the transaction has read the document and it didn't exist,
  ///   for a malformed path, or for a path below another one.
  public func updateData(
    _ changes: FieldData, for document: DocumentReference,
    if precondition: Precondition = .exists(true)
  ) throws(DatabaseError) {
    try write(to: document) { $0.updateData(changes, for: document, if: precondition) }
  }

  /// Changes some fields of a document, given as ``FieldPath``s.
  public func updateData(
    _ changes: [(FieldPath, FieldValue)], for document: DocumentReference,
    if precondition: Precondition = .exists(true)
  ) throws(DatabaseError) {
    try write(to: document) { $0.updateData(changes, for: document, if: precondition) }
  }

  /// Makes the commit fail if a condition on a document doesn't hold by then (§7.2).
  public func verify(
    _ precondition: Precondition, for document: DocumentReference
  ) throws(DatabaseError) {
    try write(to: document) { $0.verify(precondition, for: document) }
  }

  /// Deletes a document if it exists and the condition holds for it.
  public func delete(
    _ document: DocumentReference, if precondition: Precondition? = nil
  ) throws(DatabaseError) {
    try write(to: document) { $0.delete(document, if: precondition) }
  }

  /// Adds the writes of a document that `body` adds to an empty batch.
  package func write(
    to document: DocumentReference, _ body: (inout WriteBatch) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try database.check(document.path, in: document.database, for: .transaction)
    try add(body)
  }

  /// Adds the writes that `body` adds to an empty batch.
  package func add(
    _ body: (inout WriteBatch) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    var batch = WriteBatch(in: database)
    try body(&batch)
    for write in try batch.checkedWrites() { try scope.append(write) }
  }
}

// MARK: - Values alone

// A literal is field data.
extension Transaction {
  /// Does the same with plain values, such as fields that were read.
  @_disfavoredOverload
  public func create(
    _ fields: MapValue, for document: DocumentReference
  ) throws(DatabaseError) {
    try create(FieldData(fields), for: document)
  }

  /// Does the same with plain values, such as fields that were read.
  @_disfavoredOverload
  public func setData(
    _ fields: MapValue, for document: DocumentReference, merge: Bool = false
  ) throws(DatabaseError) {
    try setData(FieldData(fields), for: document, merge: merge)
  }

  /// Does the same with plain values, such as fields that were read.
  @_disfavoredOverload
  public func updateData(
    _ changes: MapValue, for document: DocumentReference,
    if precondition: Precondition = .exists(true)
  ) throws(DatabaseError) {
    try updateData(FieldData(changes), for: document, if: precondition)
  }
}
