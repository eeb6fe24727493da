public import DocumentModel
import DocumentEngine

extension Database {
  /// How a damaged database is salvaged.
  public struct SalvageOptions: Sendable {
    /// The identity of the new database, where the damaged one's can't be read any more.
    public var databaseID = DatabaseID.default
    /// Whether documents that may be stale or deleted are left out of the new database. They are
    /// told of in any case.
    public var leavesOutDoubtful = false

    /// All that can be read.
    public init() {}
  }

  /// Something that a salvage can't vouch for.
  public struct SalvageFinding: Sendable, Hashable {
    /// What is not sure.
    public enum Kind: String, Sendable, CaseIterable {
      /// The document was recovered, but there may have been a later version.
      case possiblyStale = "possibly stale"
      /// The same, and it may have been deleted.
      case possiblyDeleted = "possibly stale or deleted"
      /// The document was there, and nothing of it can be read.
      case lost = "lost"
      /// The same, unless it was deleted.
      case possiblyLost = "lost or deleted"
      /// Something that was set for the whole database, such as an index, may have been another.
      case setting = "setting"
    }

    /// What is not sure.
    public let kind: Kind
    /// A document's path; what was set, in words.
    public let subject: String
    /// What is damaged, a file and a place in it, and what may have stood there.
    public let reason: String
  }

  /// What came of a salvage.
  public struct SalvageReport: Sendable {
    /// A place that can't be read.
    public struct Damage: Sendable, Hashable {
      /// The file, and where in it.
      public let place: String
      /// What may have stood there, such as `documents, names`; empty where nothing was lost.
      public let contents: String
    }

    /// The identity of the new database.
    public let databaseID: DatabaseID
    /// Documents in the new database.
    public let documentCount: Int
    /// Those among them that may be stale or deleted.
    public let doubtfulCount: Int
    /// Those that were left out because of that, where it was asked for.
    public let leftOutCount: Int
    /// Documents of which only the name is left.
    public let lostCount: Int
    /// Indexes and other settings that may have been others.
    public let settingCount: Int
    /// Whether there may have been documents of which not even the name is left, so that nobody can
    /// list them.
    public let mayLackNames: Bool
    /// What can't be read.
    public let damage: [Damage]

    /// Whether the new database is what the damaged one was: nothing that matters was lost.
    public var isComplete: Bool {
      doubtfulCount == 0 && leftOutCount == 0 && lostCount == 0 && settingCount == 0
        && !mayLackNames
    }
  }

  /// Recovers the documents of a damaged database into a new one, and leaves the damaged one as it
  /// is.
  ///
  /// Every document is recovered of which the newest version can be read, and as many others as
  /// can: those of which a newer version, or the deletion, may have stood where nothing can be read
  /// are recovered as they were before, and told of. So are documents of which only the name is
  /// left. The indexes are those of the damaged database, as far as these can be read, with entries
  /// made anew from the documents.
  ///
  /// A write that was cut short by a crash, at the end of the last log, was never acknowledged: as
  /// when a database is opened, it is no loss.
  ///
  /// ```swift
  /// let report = try Database.salvage(from: "cities.hearth", to: "rescued.hearth") { finding in
  ///   print(finding.kind, finding.subject, finding.reason)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - damaged: the folder of the damaged database, which nobody may have open.
  ///   - new: the folder to make. Until all is done it ends in `.unfinished`.
  ///   - options: what becomes of documents in doubt, and the identity where it is lost.
  ///   - finding: is told of each thing that can't be vouched for.
  ///   - progress: is told the number of documents recovered, now and then.
  /// - Complexity: all live tables and logs are read once, the documents' part of the tables twice,
  ///   and where documents are damaged that of the names too; for each document in doubt its names
  ///   are looked up. All documents are written once, with their names and entries. One table at a
  ///   time and all of the logs are held in memory.
  /// - Throws: `notFound` where there is no database; `alreadyExists` where something stands at
  ///   `new`, or it lies in the damaged folder; `unavailable` if a process has the damaged one
  ///   open; `unimplemented` if a later release wrote it; `permissionDenied`; `resourceExhausted`
  ///   where the disk is full.
  @discardableResult
  public static func salvage(
    from damaged: String, to new: String, options: SalvageOptions = SalvageOptions(),
    finding: @escaping (SalvageFinding) -> Void = { _ in },
    progress: @escaping (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> SalvageReport {
    let report = try salvage(
      from: damaged, to: new, databaseID: options.databaseID,
      leavesOutDoubtful: options.leavesOutDoubtful, { finding(SalvageFinding($0)) }, progress)
    return SalvageReport(report)
  }

  /// The same, without blocking the calling thread.
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
  fileprivate init(_ finding: DocumentEngine.SalvageFinding) {
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
  fileprivate init(_ report: DocumentEngine.SalvageReport) {
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
