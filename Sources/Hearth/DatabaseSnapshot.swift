public import DocumentModel
import DocumentEngine

/// The database as it stands at one moment: everything that is read through it is of the same
/// commits. It is Firestore's read-only transaction (§7.4).
///
/// ```swift
/// let snapshot = try database.snapshot()
/// let order = try snapshot.getDocument(orders.document("4711"))
/// let lines = try snapshot.getDocuments(lines.whereField("order", isEqualTo: "4711"))
/// ```
///
/// What is overwritten or deleted meanwhile stays on disk, and in the way of scans, until the last
/// copy of the snapshot is released: hold it for as long as the reads take, and no longer.
public struct DatabaseSnapshot: Sendable {
  /// The moment: every commit up to this time is seen, and none after it.
  public let readTime: Timestamp
  let view: ReadView
  let database: Database

  fileprivate init(_ view: ReadView, at readTime: Timestamp, in database: Database) {
    self.view = view
    self.readTime = readTime
    self.database = database
  }
}

extension Database {
  /// The database as it is now. Its time is that of the last commit.
  ///
  /// - Throws: what the store reports.
  public func snapshot() throws(DatabaseError) -> DatabaseSnapshot {
    let view = try engine.readView()
    return DatabaseSnapshot(view, at: view.readTime, in: self)
  }

  /// The same, without blocking the calling thread.
  public func snapshot() async throws(DatabaseError) -> DatabaseSnapshot {
    try await Blocking.run { () throws(DatabaseError) in try self.snapshot() }
  }

  /// The database as it stood at `time`, with every commit up to then and none after it (§7.5).
  ///
  /// How far back that may be is set by ``Options/history`` and ends with the opening of the
  /// database; a time since the last commit can always be read at. Indexes that weren't ready then
  /// are not used.
  ///
  /// - Throws: `invalidArgument` for a time in the future or before a new database was created;
  ///   `failedPrecondition` for a time that is too old; what the store reports.
  public func snapshot(at time: Timestamp) throws(DatabaseError) -> DatabaseSnapshot {
    DatabaseSnapshot(try engine.readView(at: time), at: time, in: self)
  }

  /// The same, without blocking the calling thread.
  public func snapshot(at time: Timestamp) async throws(DatabaseError) -> DatabaseSnapshot {
    try await Blocking.run { () throws(DatabaseError) in try self.snapshot(at: time) }
  }

  /// The documents at `references`, all as they are at one moment: each once, in the order in which
  /// they first stand there, whether they exist or not (§7.5).
  ///
  /// - Complexity: two point reads per document.
  /// - Throws: `invalidArgument` for a document of another database; `dataLoss`, or what the store
  ///   reports.
  public func getAll(
    _ references: [DocumentReference]
  ) throws(DatabaseError) -> [DocumentSnapshot] {
    try snapshot().getAll(references)
  }

  /// The same, without blocking the calling thread.
  public func getAll(
    _ references: [DocumentReference]
  ) async throws(DatabaseError) -> [DocumentSnapshot] {
    try await Blocking.run { () throws(DatabaseError) in try self.getAll(references) }
  }
}

// MARK: - Documents

extension DatabaseSnapshot {
  /// A document, or the fact that there was none.
  ///
  /// - Complexity: two point reads.
  /// - Throws: `invalidArgument` for a document of another database; `dataLoss`, or what the store
  ///   reports.
  public func getDocument(
    _ reference: DocumentReference
  ) throws(DatabaseError) -> DocumentSnapshot {
    try check(reference.path, in: reference.database)
    return try database.observed(.get) { () throws(DatabaseError) in
      DocumentSnapshot(reference, try view.document(at: reference.path))
    }
  }

  /// The same, without blocking the calling thread.
  public func getDocument(
    _ reference: DocumentReference
  ) async throws(DatabaseError) -> DocumentSnapshot {
    try await Blocking.run { () throws(DatabaseError) in try self.getDocument(reference) }
  }

  /// The documents at `references`, each once, in the order in which they first stand there.
  ///
  /// - Complexity: two point reads per document.
  /// - Throws: as `getDocument`.
  public func getAll(
    _ references: [DocumentReference]
  ) throws(DatabaseError) -> [DocumentSnapshot] {
    for reference in references { try check(reference.path, in: reference.database) }
    return try database.observed(.get) { () throws(DatabaseError) in
      try view.documents(at: references.map(\.path)).map {
        DocumentSnapshot(DocumentReference(unchecked: $0.path, in: database), $0.record)
      }
    }
  }

  /// The same, without blocking the calling thread.
  public func getAll(
    _ references: [DocumentReference]
  ) async throws(DatabaseError) -> [DocumentSnapshot] {
    try await Blocking.run { () throws(DatabaseError) in try self.getAll(references) }
  }

  func check(_ path: ResourcePath, in other: Database) throws(DatabaseError) {
    guard other === database else {
      throw DatabaseError(
        .invalidArgument, "\"\(path)\" is of another database than the snapshot.")
    }
  }
}
