import HearthAdminSocket
import HearthDocumentEngine
public import HearthDocumentModel

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
  /// Reports on the database's work; `nil` if there are none.
  let instruments: Instruments?
  /// Server for tools; `nil` for a database that tools can't manage.
  let administration: Administration?
  let backgroundWork: BackgroundWork
  /// Whether the end of this object ends the database.
  private let isOwner: Bool

  init(
    _ engine: Engine, _ report: OpenReport, _ instruments: Instruments?,
    _ options: Options = Options(), _ administration: Administration? = nil
  ) {
    self.engine = engine
    latencies = engine.latencies
    dispatcher = ListenerDispatcher(engine)
    self.instruments = instruments
    backgroundWork = BackgroundWork(
      engine, instruments, sweepInterval: options.timeToLiveInterval,
      startsWarm: options.startsWarm)
    self.administration = administration
    isOwner = true
    var report = report
    report.commitTimeLead = engine.commitTimeLead
    openReport = report
    instruments?.log?.reportOpening(report, for: options.access)
    if options.runsBackgroundWork { backgroundWork.start() }
  }

  /// Keeps all parts of the database from ending in a forked process. Resources that they would
  /// close, remove or wait for belong to the parent or don't exist.
  private func leaveToParent() {
    for part in [engine, dispatcher, backgroundWork] as [AnyObject] {
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
    backgroundWork = database.backgroundWork
    administration = nil
    openReport = database.openReport
    isOwner = false
  }

  deinit {
    guard isOwner else { return }
    guard !isInherited else { return leaveToParent() }
    administration?.stop()
    backgroundWork.end()
    // Background work may hold the engine for a moment longer, but not the files.
    try? engine.close()
  }

  /// Returns the database's identity.
  public func id() throws(DatabaseError) -> DatabaseID { try engine.readView().databaseID }

  /// Does the same without blocking the calling thread.
  public func id() async throws(DatabaseError) -> DatabaseID {
    try await Blocking.run { () throws(DatabaseError) in try self.id() }
  }

  /// Ends all listeners and transactions with locks, interrupts builds, waits for running calls,
  /// then closes the files. Interrupted builds go on at the next open. The call is idempotent.
  /// Every later call on the database throws `failedPrecondition`.
  ///
  /// In the closure of a transaction's last attempt, which other calls wait for, it is refused with
  /// `failedPrecondition`.
  ///
  /// A database that is released without this call is closed too, but then no caller learns of an
  /// error. In a process that was forked meanwhile neither does anything: the database is the
  /// parent's.
  public func close() throws(DatabaseError) {
    guard !isInherited else { return }
    // Builds that must stop may be held up by the very attempt that the caller is in.
    try engine.checkMayCommit()
    administration?.prepareToStop()
    // Background work may wait for them.
    engine.endLockingTransactions()
    backgroundWork.stop()
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
