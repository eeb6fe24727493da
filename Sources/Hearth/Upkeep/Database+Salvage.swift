import DocumentEngine
public import DocumentModel
import EngineUpkeep

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
  public struct SalvageFinding: Sendable, Hashable {
    /// Kinds of uncertainty.
    public enum Kind: String, Sendable, CaseIterable {
      /// The document was recovered, but there may have been a later version.
      case possiblyStale = "possibly stale"
      /// The same as `possiblyStale`, and the document may have been deleted.
      case possiblyDeleted = "possibly stale or deleted"
      /// The document existed, and nothing of it can be read.
      case lost = "lost"
      /// The same as `lost`, unless the document was deleted.
      case possiblyLost = "lost or deleted"
      /// A setting of the whole database, such as an index, may have been different.
      case setting = "setting"
    }

    /// Kind of uncertainty.
    public let kind: Kind
    /// Path of the document, or the setting in words.
    public let subject: String
    /// The damage, as a file and a place in it, with its possible contents.
    public let reason: String
  }

  /// Result of a salvage.
  public struct SalvageReport: Sendable {
    /// A place that can't be read.
    public struct Damage: Sendable, Hashable {
      /// The file, and the place in it.
      public let place: String
      /// Possible contents of the place, such as `documents, names`; empty if nothing was lost.
      public let contents: String
    }

    /// The identity of the new database.
    public let databaseID: DatabaseID
    /// Number of documents in the new database.
    public let documentCount: Int
    /// Number of documents in the new database that may be stale or deleted.
    public let doubtfulCount: Int
    /// Number of doubtful documents left out at the caller's request.
    public let leftOutCount: Int
    /// Number of documents of which only the name is left.
    public let lostCount: Int
    /// Number of indexes and other settings that may have been different.
    public let settingCount: Int
    /// Whether there may have been documents of which not even the name is left, so that they can't
    /// be listed.
    public let mayLackNames: Bool
    /// Places that can't be read.
    public let damage: [Damage]

    /// Whether the new database has everything that the damaged one had: no data was lost.
    public var isComplete: Bool {
      doubtfulCount == 0 && leftOutCount == 0 && lostCount == 0 && settingCount == 0
        && !mayLackNames
    }
  }

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
      SalvageReport(
        try Salvage.run(
          from: source, into: target, databaseID: options.databaseID,
          leavesOutDoubtful: options.leavesOutDoubtful, find: { finding(SalvageFinding($0)) },
          progress: progress))
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

extension Database.SalvageFinding {
  fileprivate init(_ finding: EngineUpkeep.SalvageFinding) {
    kind =
      switch finding.kind {
      case .possiblyStale: .possiblyStale
      case .possiblyDeleted: .possiblyDeleted
      case .lost: .lost
      case .possiblyLost: .possiblyLost
      case .setting: .setting
      }
    subject = finding.subject
    reason = finding.reason
  }
}

extension Database.SalvageReport {
  fileprivate init(_ report: EngineUpkeep.SalvageReport) {
    databaseID = report.databaseID
    documentCount = report.documentCount
    doubtfulCount = report.doubtfulCount
    leftOutCount = report.leftOutCount
    lostCount = report.lostCount
    settingCount = report.settingCount
    mayLackNames = report.mayLackNames
    damage = report.damage.map { Damage(place: $0.place, contents: $0.contents) }
  }
}
