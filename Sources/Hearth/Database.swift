import AdminSocket
public import DocumentModel
package import DocumentEngine
import LevelDBStore
package import OrderedStore
import Reports
import StorageFormat

/// A document database in a folder, or in memory.
///
/// One process at a time holds a folder. In a process that is forked from it every call is refused
/// with `failedPrecondition`. Every call that may wait for the disk exists in two forms: a
/// synchronous one blocks the calling thread, and an `async` one runs on a thread of Hearth's. Any
/// thread may make any call at any time.
///
/// ```swift
/// let database = try Database.open(at: "cities.hearth")
/// let cities = try database.collection("cities")
/// try cities.document("tokyo").setData(["name": "Tokyo", "population": 37_400_000])
/// let large = try cities.whereField("population", isGreaterThan: 1_000_000).getDocuments()
/// ```
public final class Database: Sendable {
  let engine: Engine
  /// Latencies of reads, to which builds give way.
  let latencies: LatencyGauge
  let dispatcher: ListenerDispatcher
  /// Findings and repairs of opening the database.
  public let openReport: OpenReport
  /// Containers for decoding documents, kept for reuse.
  let spareContainers = Spare<KeyedContainers>()
  /// Reports on the database's work; `nil` if there are none.
  let instruments: Instruments?
  /// Server for tools; `nil` for a database that tools can't manage.
  let administration: Administration?
  let background: BackgroundWork
  /// Whether the end of this object ends the database.
  private let isOwner: Bool

  private init(
    _ engine: Engine, _ report: OpenReport, _ instruments: Instruments?,
    _ options: Options = Options(), _ administration: Administration? = nil
  ) {
    self.engine = engine
    latencies = engine.latencies
    dispatcher = ListenerDispatcher(engine)
    self.instruments = instruments
    background = BackgroundWork(
      engine, instruments, sweepInterval: options.timeToLiveInterval)
    self.administration = administration
    isOwner = true
    var report = report
    report.commitTimeLead = engine.commitTimeLead
    openReport = report
    instruments?.log?.reportOpening(report, for: options.access)
    if options.runsBackgroundWork { background.start() }
    startAdministration()
  }

  /// Keeps all parts of the database from ending in a forked process. Resources that they would
  /// close, remove or wait for belong to the parent or don't exist.
  private func leaveToParent() {
    for part in [engine, dispatcher, background] as [AnyObject] {
      _ = Unmanaged.passRetained(part)
    }
    if let administration { _ = Unmanaged.passRetained(administration) }
  }

  /// Makes another object for the same open database, which doesn't keep `database` from ending.
  init(sharing database: Database) {
    engine = database.engine
    latencies = database.latencies
    dispatcher = database.dispatcher
    instruments = database.instruments
    background = database.background
    administration = nil
    openReport = database.openReport
    isOwner = false
  }

  deinit {
    guard isOwner else { return }
    guard !engine.process.isInherited else { return leaveToParent() }
    administration?.stop()
    background.end()
    // Background work may hold the engine for a moment longer, but not the files.
    try? engine.close()
  }

  /// The choice between changing a database and reading it alone.
  public enum Access: Sendable {
    /// Reading and writing; one process at a time.
    case readWrite
    /// Reading alone. It leaves the folder as it is: no file in it is made, changed, locked or
    /// deleted. So it works on a folder that can't be written, on a full disk, and while another
    /// process has the database open.
    ///
    /// All reads, queries and listeners see the database as it was when it was opened, even if
    /// another process writes to it. Calls that would change the database throw
    /// `failedPrecondition`. Unfinished builds of indexes stay as they are, and the use of indexes
    /// is not saved. The process holds a file handle for each table of the store; a table has 2 MB.
    case readOnly
  }

  /// The choices at the opening of a database.
  public struct Options: Sendable {
    /// Access to the database. A database that is opened for reading alone is never made, waits for
    /// no other process, does no background work and has no admin socket. The other options don't
    /// change that.
    public var access = Access.readWrite
    /// Whether a folder that is missing or empty becomes a new database.
    public var createsIfMissing = true
    /// Whether an acknowledged commit survives power loss. The choice holds from this open to the
    /// close. Without it commits are much faster. They survive the end of the process, but perhaps
    /// not the end of the machine; the next open then verifies and repairs the indexes.
    public var isDurable = true
    /// The longest wait for another process that holds the database.
    public var lockTimeout: Duration = .zero
    /// Memory for blocks of the files that were read lately.
    public var cacheByteCount = 64 << 20
    /// Memory for documents that were read lately, which later queries and gets take from there; 0
    /// keeps none. A document takes about 350 bytes more than its stored size.
    public var documentCacheByteCount = 32 << 20
    /// Memory for the places of documents that were read by name; 0 keeps none. A place takes 64
    /// bytes, and 16 once the memory is full.
    public var nameCacheByteCount = 8 << 20
    /// Memory for index scans that queries repeat: the entries of small scans, and bitmaps of the
    /// documents that large scans find; 0 keeps none.
    public var scanCacheByteCount = 16 << 20
    /// Identity of a new database, which references and the links in errors carry. If it is `nil`,
    /// a new database gets `demo-project` and `(default)`, and an existing database keeps its own.
    public var databaseID: DatabaseID?
    /// Bounds of the past that is kept for `snapshot(at:)`; `nil` keeps nothing. The past has a
    /// cost: overwritten and deleted data stays on disk, and in the way of scans, for as long as it
    /// is kept.
    public var history: HistoryLimits?
    /// Whether the database does background work, on threads of its own. It builds the indexes that
    /// no caller waits for, and those whose build was interrupted by the end of a process. It
    /// deletes documents whose time to live has passed, saves the counted use of indexes, and
    /// compacts key ranges where much was deleted. Without it, a build goes on only while a caller
    /// waits for one, and sweeps must be requested.
    public var runsBackgroundWork = true
    /// Pause between two searches for documents whose time to live has passed; at least 100 ms.
    public var timeToLiveInterval: Duration = .seconds(60)
    /// Whether the `hearth` tool of the same user, or of root, can manage and query the database
    /// while it is open here. The tool uses a socket in the folder or, if the path is too long for
    /// one, in the user's runtime folder. If the socket can't be made, the database opens without
    /// it, and ``OpenReport/administrationFailure`` has the reason.
    public var servesAdministration = true
    /// The logger, and the limits for reports on the database's work.
    public var observability = Observability()

    /// Makes options that suit most databases: made if missing, durable, 64 MiB of blocks and 32
    /// MiB of documents in memory, no past.
    public init() {}

    fileprivate var storeOptions: LevelDBStore.Options {
      var storeOptions = LevelDBStore.Options()
      storeOptions.createIfMissing = createsIfMissing
      storeOptions.isDurable = isDurable
      storeOptions.lockWait = lockTimeout
      storeOptions.cacheByteCount = cacheByteCount
      storeOptions.anchor = StorageKey.state
      storeOptions.describeKey = { StorageKey.describePlace($0.span.bytes, own: .default) }
      return storeOptions
    }

    var settings: Engine.Settings {
      var settings = Engine.Settings()
      settings.documentCacheByteCount = documentCacheByteCount
      settings.nameCacheByteCount = nameCacheByteCount
      settings.scanCacheByteCount = scanCacheByteCount
      return settings
    }
  }

  /// Opens the database in a folder.
  ///
  /// - Throws: `notFound` if there is no database and none is to be created, or if the folder holds
  ///   something else; `unavailable` if another process holds it; `permissionDenied`;
  ///   `resourceExhausted` for a full disk or too few file handles; `unimplemented` if a later
  ///   release wrote it; `dataLoss` if its files are damaged; `failedPrecondition` for another
  ///   identity, or in a process that was forked from one in which a database was opened.
  public static func open(
    at path: String, options: Options = Options()
  ) throws(DatabaseError) -> Database {
    do throws(DatabaseError) {
      return try openPlainly(at: path, options: options)
    } catch {
      throw options.access == .readWrite ? error.advisingToRead(path) : error
    }
  }

  /// Does the same with errors that name no option of ``Options``. For the tool.
  package static func openPlainly(
    at path: String, options: Options
  ) throws(DatabaseError) -> Database {
    switch options.access {
    case .readWrite: try openForWriting(path, options)
    case .readOnly: try openForReading(path, options)
    }
  }

  private static func openForWriting(
    _ path: String, _ options: Options
  ) throws(DatabaseError) -> Database {
    let opened = try reportingErrors {
      try LevelDBStore.open(folder: path, options: options.storeOptions)
    }
    let instruments = Instruments(options.observability)
    let engine = try Engine(
      opened.store, databaseID: options.databaseID, history: options.history,
      settings: options.settings, observer: instruments)
    var report = OpenReport(
      isNew: opened.report.isNew, cutLogs: opened.report.cuts.map(OpenReport.CutLog.init))
    if opened.report.isUncleanAfterPowerLoss {
      report.repairedEntryCount = try engine.repairIndexes()
      try reportingErrors { try opened.store.markVerified() }
    }
    let administration =
      options.servesAdministration ? administration(of: path, &report) : nil
    return Database(engine, report, instruments, options, administration)
  }

  private static func openForReading(
    _ path: String, _ options: Options
  ) throws(DatabaseError) -> Database {
    let opened = try reportingErrors {
      try ReadOnlyStore.open(folder: path, options: options.storeOptions)
    }
    guard opened.report.lastSequence > 0 else {
      throw DatabaseError(
        .notFound,
        "There is no database at \(path) yet: its making was broken off before the first record. "
          + "Opening it for writing finishes it.")
    }
    let instruments = Instruments(options.observability)
    let engine = try Engine(
      opened.store, databaseID: options.databaseID, history: options.history,
      settings: options.settings, observer: instruments)
    var report = OpenReport(
      isNew: false, cutLogs: opened.report.cuts.map(OpenReport.CutLog.init))
    report.lacksRepair = opened.report.isUncleanAfterPowerLoss
    var options = options
    options.runsBackgroundWork = false
    return Database(engine, report, instruments, options)
  }

  /// Does the same without blocking the calling thread.
  public static func open(
    at path: String, options: Options = Options()
  ) async throws(DatabaseError) -> Database {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try Database.open(at: path, options: options)
    }
  }

  /// Makes a database that lives in memory and ends with its last reference. For tests.
  ///
  /// - Parameters:
  ///   - databaseID: the identity in names and links.
  ///   - history: the bounds of the past that is kept for `snapshot(at:)`; `nil` keeps nothing.
  ///   - observability: the logger, and the limits for reports on the database's work.
  /// - Throws: `failedPrecondition` in a process that was forked from one in which a database was
  ///   opened.
  public static func inMemory(
    databaseID: DatabaseID = .default, history: HistoryLimits? = nil,
    observability: Observability = Observability()
  ) throws(DatabaseError) -> Database {
    try over(
      MemoryStore(), databaseID: databaseID, history: history, observability: observability)
  }

  /// Makes a database in a store of the caller's. The project's tests watch such a store at work.
  package static func over(
    _ store: any OrderedStore, databaseID: DatabaseID? = nil, history: HistoryLimits? = nil,
    settings: Engine.Settings = Engine.Settings(), observability: Observability = Observability()
  ) throws(DatabaseError) -> Database {
    let instruments = Instruments(observability)
    let engine = try Engine(
      store, databaseID: databaseID, history: history, settings: settings, observer: instruments)
    return Database(engine, OpenReport(isNew: true, cutLogs: []), instruments)
  }

  /// Returns the database's identity.
  public func id() throws(DatabaseError) -> DatabaseID { try engine.readView().databaseID }

  /// Does the same without blocking the calling thread.
  public func id() async throws(DatabaseError) -> DatabaseID {
    try await Blocking.run { () throws(DatabaseError) in try self.id() }
  }

  /// Ends all listeners, interrupts builds, waits for running calls, then closes the files.
  /// Interrupted builds go on at the next open. The call is idempotent. Every later call on the
  /// database throws `failedPrecondition`.
  ///
  /// In the closure of a transaction's last attempt, which other calls wait for, it is refused with
  /// `failedPrecondition`.
  ///
  /// A database that is released without this call is closed too, but then no caller learns of an
  /// error. In a process that was forked meanwhile neither does anything: the database is the
  /// parent's.
  public func close() throws(DatabaseError) {
    guard !engine.process.isInherited else { return }
    // Builds that must stop may be held up by the very attempt that the caller is in.
    try engine.checkMayCommit()
    administration?.prepareToStop()
    background.stop()
    dispatcher.feed.close()
    // Tools that waited for a build or a change get their answer now.
    administration?.stop(answering: .soonDone)
    try engine.close()
  }

  /// Does the same without blocking the calling thread.
  public func close() async throws(DatabaseError) {
    try await Blocking.run(.ending) { () throws(DatabaseError) in try self.close() }
  }
}

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

    init(_ cut: LevelDBStore.LogCut) {
      file = cut.file
      byteCount = cut.byteCount
    }
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

extension DatabaseError {
  /// Whether the store reported the error, and no rule of Hearth's is the reason.
  var isOfStore: Bool { cause is StoreError }
  /// Whether the database was not opened, or not salvaged, because it is open already, in another
  /// process or in this one. After it was closed there, another attempt succeeds.
  ///
  /// The code `unavailable` alone doesn't tell this, since a failing disk has the same code.
  public var isInUse: Bool { (cause as? StoreError)?.code == .locked }

  /// Returns the error with advice to open for reading, if that is possible where writing isn't.
  fileprivate func advisingToRead(_ path: String) -> DatabaseError {
    guard let store = cause as? StoreError, store.code == .permission || store.code == .full,
      ReadOnlyStore.isStore(at: path)
    else { return self }
    return DatabaseError(
      code,
      message + (message.hasSuffix(".") ? "" : ".")
        + " To read it, open it with `access` `.readOnly`, which writes nothing.",
      details: details, cause: cause)
  }
}

// MARK: - Salvage

extension Database {
  /// Recovers the readable documents of a damaged database; see `salvage(from:to:)`.
  static func salvage(
    from damaged: String, to new: String, databaseID: DatabaseID, leavesOutDoubtful: Bool,
    _ find: @escaping (SalvageFinding) -> Void,
    _ progress: @escaping (Int) -> Void
  ) throws(DatabaseError) -> SalvageReport {
    do {
      let source = try DamagedStore(folder: damaged)
      let target = try StoreAside.make(
        for: new, outside: damaged, anchor: StorageKey.state)
      let report = try Salvage.run(
        from: source, into: target.store, databaseID: databaseID,
        leavesOutDoubtful: leavesOutDoubtful, find: find, progress: progress)
      try target.finish()
      return report
    } catch {
      throw DatabaseError(reporting: error)
    }
  }
}
