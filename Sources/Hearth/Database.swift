import AdminSocket
public import DocumentModel
package import DocumentEngine
import LevelDBStore
package import OrderedStore
import StorageFormat

/// A document database in a folder, or in memory.
///
/// One process at a time holds a folder. A process that is forked from it has no part in that:
/// there each call is refused with `failedPrecondition`. Every call that may wait for the disk
/// exists twice: a synchronous one that blocks, for threads of your own, and an `async` one that
/// runs it on a thread of Hearth's. All may be used from anywhere at once.
///
/// ```swift
/// let database = try Database.open(at: "cities.hearth")
/// let cities = try database.collection("cities")
/// try cities.document("tokyo").setData(["name": "Tokyo", "population": 37_400_000])
/// let large = try cities.whereField("population", isGreaterThan: 1_000_000).getDocuments()
/// ```
public final class Database: Sendable {
  let engine: Engine
  /// What reads took, for builds that give way to them.
  let latencies: LatencyGauge
  let dispatcher: ListenerDispatcher
  /// What opening found and did.
  public let openReport: OpenReport
  /// What decoding documents needs each time.
  let spareContainers = Spare<KeyedContainers>()
  /// `nil` if nobody is told what happens.
  let instruments: Instruments?
  /// Answers tools; `nil` for a database that isn't administered by others.
  let administration: Administration?
  let background: BackgroundWork
  /// Whether the database ends with this reference to it.
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

  /// Keeps all parts of the database from ending in a forked process: what they would close, remove
  /// or wait for is its parent's, or not there.
  private func leaveToParent() {
    for part in [engine, dispatcher, background] as [AnyObject] {
      _ = Unmanaged.passRetained(part)
    }
    if let administration { _ = Unmanaged.passRetained(administration) }
  }

  /// The same open database once more, for who must not keep `database` from ending.
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
    // What works in the background may hold the engine for a moment longer, but not the files.
    try? engine.close()
  }

  /// The choice between changing a database and reading it alone.
  public enum Access: Sendable {
    /// For reading and writing; one process at a time.
    case readWrite
    /// For reading alone, which leaves the folder as it is: nothing in it is made, changed, locked
    /// or deleted. So a folder that can't be written will do, a full disk, and one that another
    /// process has open.
    ///
    /// All reads, queries and listeners see the database as it was when it was opened, whatever
    /// others write to it since. Everything that would change it throws `failedPrecondition`;
    /// indexes that were being built stay as they are, and nothing is saved of how indexes are
    /// used. The process holds a file handle for each table of the store, 2 MB each.
    case readOnly
  }

  /// The choices at the opening of a database.
  public struct Options: Sendable {
    /// Whether it may be changed. Opened for reading alone, it is never made, waits for nobody,
    /// does no work in the background and has no admin socket, whatever the other options say.
    public var access = Access.readWrite
    /// Whether a folder that is missing or empty becomes a new database.
    public var createsIfMissing = true
    /// Whether a commit that was acknowledged survives power loss. It holds from this open to the
    /// close. Without, commits are much faster, and survive the end of the process, but perhaps not
    /// that of the machine; the next open then verifies and repairs the indexes.
    public var isDurable = true
    /// The longest wait for another process that holds the database.
    public var lockTimeout: Duration = .zero
    /// Memory for blocks of the files that were read lately.
    public var cacheByteCount = 64 << 20
    /// Memory for documents that were read lately, which queries and gets then take from there: 0
    /// keeps none. One takes about 350 bytes more than it is stored in.
    public var documentCacheByteCount = 32 << 20
    /// Memory for where documents that were got by name are stored, 64 bytes each, and 16 where it
    /// ends: 0 keeps none.
    public var nameCacheByteCount = 8 << 20
    /// Memory for index scans that are asked for again and again, of small ones their entries, of
    /// large ones a bitmap of the documents that they find: 0 keeps none.
    public var scanCacheByteCount = 16 << 20
    /// The identity of a new database, which references and the links in errors carry. `nil` is
    /// `demo-project` and `(default)` for a new one, and whatever it has for one that exists.
    public var databaseID: DatabaseID?
    /// Bounds of the past that is kept for `snapshot(at:)`; `nil` keeps nothing. It costs:
    /// what is overwritten or deleted stays on disk, and in the way of scans, for as long as it is
    /// kept.
    public var history: HistoryLimits?
    /// Whether the database works beside its callers, on threads of its own: it builds the indexes
    /// that nobody waits for, or whose build was broken off by the end of a process, deletes
    /// documents whose time to live is past, saves what it counts of the use of indexes, and
    /// compacts where much was deleted. Without, builds go on while somebody waits for one, and
    /// sweeps are to be asked for.
    public var runsBackgroundWork = true
    /// Pause between two searches for documents whose time to live is past, 100 ms at least.
    public var timeToLiveInterval: Duration = .seconds(60)
    /// Whether the `hearth` tool of the same user, or of root, can manage the database and query
    /// it while it is open here: through a socket in its folder, or where the path is too long for
    /// one, in the user's runtime folder. Where the socket can't be made, the database opens
    /// without, and ``OpenReport/administrationFailure`` tells why.
    public var servesAdministration = true
    /// The logger, and the bounds of what it is told of the database's work.
    public var observability = Observability()

    /// The choices that suit most: made if missing, durable, 64 MiB of blocks and 32 MiB of
    /// documents in memory, no past.
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

  /// The same, with errors that name no option of ``Options``: for the tool.
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

  /// The same, without blocking the calling thread.
  public static func open(
    at path: String, options: Options = Options()
  ) async throws(DatabaseError) -> Database {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try Database.open(at: path, options: options)
    }
  }

  /// A database that lives in memory and ends with its last reference: for tests.
  ///
  /// - Parameters:
  ///   - databaseID: the identity that names and links have.
  ///   - history: how much of the past is kept for `snapshot(at:)`.
  ///   - observability: who is told what the database does.
  /// - Throws: `failedPrecondition` in a process that was forked from one in which a database was
  ///   opened.
  public static func inMemory(
    databaseID: DatabaseID = .default, history: HistoryLimits? = nil,
    observability: Observability = Observability()
  ) throws(DatabaseError) -> Database {
    try over(
      MemoryStore(), databaseID: databaseID, history: history, observability: observability)
  }

  /// A database in a store of the caller's, which the project's tests watch at work.
  package static func over(
    _ store: any OrderedStore, databaseID: DatabaseID? = nil, history: HistoryLimits? = nil,
    settings: Engine.Settings = Engine.Settings(), observability: Observability = Observability()
  ) throws(DatabaseError) -> Database {
    let instruments = Instruments(observability)
    let engine = try Engine(
      store, databaseID: databaseID, history: history, settings: settings, observer: instruments)
    return Database(engine, OpenReport(isNew: true, cutLogs: []), instruments)
  }

  /// The database's identity.
  public func id() throws(DatabaseError) -> DatabaseID { try engine.readView().databaseID }

  /// The same, without blocking the calling thread.
  public func id() async throws(DatabaseError) -> DatabaseID {
    try await Blocking.run { () throws(DatabaseError) in try self.id() }
  }

  /// Ends all listeners, breaks builds off, which go on at the next open, waits for what is
  /// running, then closes the files. Idempotent; every later call throws `failedPrecondition`.
  ///
  /// In the closure of the last attempt of a transaction, which others wait for, it is refused with
  /// `failedPrecondition`.
  ///
  /// A database that is released without a call of this is closed too, only that nobody learns of
  /// an error. In a process that was forked meanwhile neither does anything: the database is the
  /// parent's.
  public func close() throws(DatabaseError) {
    guard !engine.process.isInherited else { return }
    // Builds that are to stop may be held up by the very attempt that the caller is in.
    try engine.checkMayCommit()
    administration?.prepareToStop()
    background.stop()
    dispatcher.feed.close()
    // Tools that waited for a build or a change are told now.
    administration?.stop(answering: .soonDone)
    try engine.close()
  }

  /// The same, without blocking the calling thread.
  public func close() async throws(DatabaseError) {
    try await Blocking.run(.ending) { () throws(DatabaseError) in try self.close() }
  }
}

/// The findings and repairs of opening a database.
public struct OpenReport: Sendable {
  /// The end of a log that holds no whole write, so that no acknowledged commit was in it.
  ///
  /// A crash left it half written, and it was cut off. For ``Database/Access/readOnly`` it was
  /// passed over, and may be a write that another process had under way.
  public struct CutLog: Sendable {
    /// The log's file.
    public let file: String
    /// Number of these bytes.
    public let byteCount: Int

    init(_ cut: LevelDBStore.LogCut) {
      file = cut.file
      byteCount = cut.byteCount
    }
  }

  /// Whether the database was made by opening it.
  public let isNew: Bool
  /// Logs whose ends were cut off, or passed over.
  public let cutLogs: [CutLog]
  /// The index entries that were mended because commits without sync were lost with the machine's
  /// power; `nil` if there was no need to look.
  public internal(set) var repairedEntryCount: Int?
  /// Whether commits without sync may have been lost with the machine's power, and the database was
  /// opened for reading only, so that the indexes weren't mended: queries may miss documents, or
  /// find what is no longer there, until it has been opened for writing.
  public internal(set) var lacksRepair = false
  /// Why the admin socket could not be made, so that the `hearth` tool can't reach this database
  /// while it is open; `nil` where it was made, or ``Database/Options/servesAdministration`` is
  /// switched off.
  public internal(set) var administrationFailure: String?
  /// Time by which the last commit is ahead of the clock; `nil` for less than a minute.
  ///
  /// The clock was far ahead once, or is behind now. Commit times ascend, so each commit's is that
  /// of the one before and a microsecond, until the clock gets there.
  public internal(set) var commitTimeLead: Duration?
}

extension DatabaseError {
  /// Whether the store reported it, and no rule of Hearth's.
  var isOfStore: Bool { cause is StoreError }
  /// Whether the database was not opened, or not salvaged, because it is open already: in another
  /// process, or in this one. Once it is closed there, trying again succeeds.
  ///
  /// Its code `unavailable` alone doesn't tell that: a disk that fails has it too.
  public var isInUse: Bool { (cause as? StoreError)?.code == .locked }

  /// The error with a way that is left, where a database that can't be written can be read.
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
  /// Recovers what is left of a damaged database; see `salvage(from:to:)`.
  static func salvage(
    from damaged: String, to new: String, databaseID: DatabaseID, leavesOutDoubtful: Bool,
    _ find: @escaping (DocumentEngine.SalvageFinding) -> Void,
    _ progress: @escaping (Int) -> Void
  ) throws(DatabaseError) -> DocumentEngine.SalvageReport {
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
