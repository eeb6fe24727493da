import HearthDocumentEngine
public import HearthDocumentModel
import HearthEngineUpkeep
public import HearthReports

extension Database {
  /// Options of a salvage.
  public struct SalvageOptions: Sendable {
    /// Identity of the new database, used if the damaged one's can't be read.
    public var databaseID = DatabaseID.default
    /// Whether documents that may be stale or deleted are left out of the new database. They are
    /// reported in any case.
    public var leavesOutDoubtful = false

    /// Creates options that recover everything that can be read.
    public init() {}
  }

  /// A finding of a salvage that isn't certain.
  public typealias SalvageFinding = HearthReports.SalvageFinding

  /// Result of a salvage.
  public typealias SalvageReport = HearthReports.SalvageReport

  /// Recovers the documents of a damaged database into a new one. The damaged database is not
  /// changed.
  ///
  /// A document is recovered if its newest version can be read. If a newer version or a deletion
  /// may have been in an unreadable place, the document is recovered in its last readable version
  /// and reported, unless `options` leaves such documents out. A document of which only the name is
  /// left is reported too. The indexes are those of the damaged database, as far as they can be
  /// read, with entries made anew from the documents.
  ///
  /// A write that a crash cut short at the end of the last log was never acknowledged. It counts as
  /// no loss, as when a database is opened.
  ///
  /// ```swift
  /// let report = try Database.salvage(from: "cities.hearth", to: "rescued.hearth") { finding in
  ///   print(finding.kind, finding.subject, finding.reason)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - damaged: the folder of the damaged database, which no process may have open.
  ///   - new: the folder to make. Its name ends in `.unfinished` until the salvage is complete.
  ///   - options: the treatment of doubtful documents, and the identity to use if it is lost.
  ///   - finding: receives each finding that isn't certain.
  ///   - progress: receives the number of documents recovered, now and then.
  /// - Complexity: all live tables and logs are read once, and the documents' part of the tables
  ///   twice; if documents are damaged, the names' part too. For each doubtful document its names
  ///   are looked up. All documents are written once, with their names and entries. One table at a
  ///   time and all of the logs are held in memory.
  /// - Throws: `notFound` if there is no database; `alreadyExists` if something exists at `new`, or
  ///   `new` is in the damaged folder; `unavailable` if a process has the damaged database open;
  ///   `unimplemented` if a later release wrote it; `permissionDenied`; `resourceExhausted` if the
  ///   disk is full.
  @discardableResult
  public static func salvage(
    from damaged: String, to new: String, options: SalvageOptions = SalvageOptions(),
    finding: @escaping (SalvageFinding) -> Void = { _ in },
    progress: @escaping (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> SalvageReport {
    try salvagingStore(from: damaged, to: new) { source, target in
      try Salvage.run(
        from: source, into: target, databaseID: options.databaseID,
        leavesOutDoubtful: options.leavesOutDoubtful, find: finding, progress: progress)
    }
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public static func salvage(
    from damaged: String, to new: String, options: SalvageOptions = SalvageOptions(),
    finding: @escaping @Sendable (SalvageFinding) -> Void = { _ in },
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(DatabaseError) -> SalvageReport {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try Database.salvage(
        from: damaged, to: new, options: options, finding: finding, progress: progress)
    }
  }
}
