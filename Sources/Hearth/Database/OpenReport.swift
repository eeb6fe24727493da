/// The findings and repairs of opening a database.
public struct OpenReport: Sendable {
  /// The end of a log that was cut off, or passed over.
  ///
  /// A crash left it half written. It holds no whole write, so no acknowledged commit was in it,
  /// unless the machine lost power while the database was open without syncs. An opening with
  /// ``Database/Access/readOnly`` passes it over, and it may be a write that another process had
  /// under way.
  public struct CutLog: Sendable {
    /// Name of the log's file.
    public let file: String
    /// Number of bytes that were cut off or passed over.
    public let byteCount: Int
  }

  /// Whether this opening made the database.
  public let isNew: Bool
  /// Logs whose ends were cut off or passed over.
  public let cutLogs: [CutLog]
  /// Number of index entries that were repaired because a power loss took commits without sync;
  /// `nil` if no check was needed.
  public internal(set) var repairedEntryCount: Int?
  /// Whether a power loss may have taken commits without sync, and the database was opened for
  /// reading only, so that the indexes weren't repaired. Queries may then miss documents, or find
  /// documents that no longer match, until the database has been opened for writing.
  public internal(set) var lacksRepair = false
  /// Reason why the admin socket could not be made, so that the `hearth` tool can't reach this
  /// database while it is open; `nil` if the socket was made, or if
  /// ``Database/Options/servesAdministration`` is off.
  public internal(set) var administrationFailure: String?
  /// Time by which the last commit is ahead of the clock; `nil` for less than a minute.
  ///
  /// The clock was far ahead once, or is behind now. Commit times ascend. So until the clock
  /// catches up, each commit's time is the previous one plus a microsecond.
  public internal(set) var commitTimeLead: Duration?
}
