public import HearthDocumentModel
import HearthDocumentEngine

/// The database at one moment: all reads through it see the same commits. It is Firestore's
/// read-only transaction (§7.4).
///
/// ```swift
/// let snapshot = try database.snapshot()
/// let order = try snapshot.getDocument(orders.document("4711"))
/// let lines = try snapshot.getDocuments(lines.whereField("order", isEqualTo: "4711"))
/// ```
///
/// Data that is overwritten or deleted meanwhile stays on disk, and scans step over it, until the
/// last copy of the snapshot is released. Hold a snapshot only while its reads last.
public struct DatabaseSnapshot: Sendable {
  /// Time of the snapshot: it holds every commit up to this time, and none after it.
  public let readTime: Timestamp
  let view: ReadView
  let database: Database

  /// Number of the last commit that the snapshot holds. With that commit's time, it tells states of
  /// databases apart even if one took the name of another.
  package var commitNumber: UInt64 { view.commitNumber }
  /// Time of the last commit that the snapshot holds; the year 1 if it holds none.
  package var commitTime: Timestamp { view.readTime }

  /// Identity of the database.
  package var databaseID: DatabaseID { view.databaseID }
  /// Time of the database's clock now.
  package var clockTime: Timestamp { max(database.engine.clock.now(), readTime) }

  init(_ view: ReadView, at readTime: Timestamp, in database: Database) {
    self.view = view
    self.readTime = readTime
    self.database = database
  }
}

extension Database {
  /// Returns the database as it is now. Its time is that of the last commit.
  ///
  /// - Throws: the store's error.
  public func snapshot() throws(DatabaseError) -> DatabaseSnapshot {
    let view = try engine.readView()
    return DatabaseSnapshot(view, at: view.readTime, in: self)
  }

  /// Does the same without blocking the calling thread.
  public func snapshot() async throws(DatabaseError) -> DatabaseSnapshot {
    try await Blocking.run { () throws(DatabaseError) in try self.snapshot() }
  }

  /// Returns the database as it was at `time`, with every commit up to then and none after it
  /// (§7.5).
  ///
  /// ``Options/history`` sets how far back `time` may be. History doesn't reach back before the
  /// opening of the database. A time after the last commit can always be read. Indexes that weren't
  /// ready at `time` are not used.
  ///
  /// - Throws: `invalidArgument` for a time in the future or before a new database was created;
  ///   `failedPrecondition` for a time that is too old; the store's error.
  public func snapshot(at time: Timestamp) throws(DatabaseError) -> DatabaseSnapshot {
    DatabaseSnapshot(try engine.readView(at: time), at: time, in: self)
  }

  /// Does the same without blocking the calling thread.
  public func snapshot(at time: Timestamp) async throws(DatabaseError) -> DatabaseSnapshot {
    try await Blocking.run { () throws(DatabaseError) in try self.snapshot(at: time) }
  }

  /// Returns the documents at `references`, all of the same moment. Each document is returned once,
  /// in the order of its first reference, whether it exists or not (§7.5).
  ///
  /// - Complexity: two point reads per document.
  /// - Throws: `invalidArgument` for a document of another database; `dataLoss`, or the store's
  ///   error.
  public func getAll(
    _ references: [DocumentReference]
  ) throws(DatabaseError) -> [DocumentSnapshot] {
    try snapshot().getAll(references)
  }

  /// Does the same without blocking the calling thread.
  public func getAll(
    _ references: [DocumentReference]
  ) async throws(DatabaseError) -> [DocumentSnapshot] {
    try await Blocking.run { () throws(DatabaseError) in try self.getAll(references) }
  }
}

// MARK: - Documents

extension DatabaseSnapshot {
  /// Returns the fields of a document, which no report of the database's work counts; `nil` if
  /// there is none.
  ///
  /// - Throws: `dataLoss`, or the store's error.
  package func fields(at path: ResourcePath) throws(DatabaseError) -> MapValue? {
    try view.document(at: path)?.fields()
  }

  /// Returns a document, whether it exists or not.
  ///
  /// - Complexity: two point reads.
  /// - Throws: `invalidArgument` for a document of another database; `dataLoss`, or the store's
  ///   error.
  public func getDocument(
    _ reference: DocumentReference
  ) throws(DatabaseError) -> DocumentSnapshot {
    try database.read(reference, for: .snapshot, view.document(at:))
  }

  /// Does the same without blocking the calling thread.
  public func getDocument(
    _ reference: DocumentReference
  ) async throws(DatabaseError) -> DocumentSnapshot {
    try await Blocking.run { () throws(DatabaseError) in try self.getDocument(reference) }
  }

  /// Returns the documents at `references`, each once, in the order of its first reference.
  ///
  /// - Complexity: two point reads per document.
  /// - Throws: the errors of `getDocument`.
  public func getAll(
    _ references: [DocumentReference]
  ) throws(DatabaseError) -> [DocumentSnapshot] {
    try database.read(references, for: .snapshot, view.documents(at:))
  }

  /// Does the same without blocking the calling thread.
  public func getAll(
    _ references: [DocumentReference]
  ) async throws(DatabaseError) -> [DocumentSnapshot] {
    try await Blocking.run { () throws(DatabaseError) in try self.getAll(references) }
  }
}
