import FoundationEssentials
package import HearthDocumentEngine
public import HearthDocumentModel
import HearthEngineUpkeep
import HearthLevelDBStore
package import HearthOrderedStore
import HearthStorageFormat

// The stores of databases. No other file of the library names one.

// MARK: - In a folder

extension Database {
  static func openForWriting(
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

  static func openForReading(
    _ path: String, _ options: Options
  ) throws(DatabaseError) -> Database {
    let opened = try reportingErrors {
      try ReadOnlyStore.open(folder: path, options: options.storeOptions)
    }
    guard opened.report.lastSequence > 0 else {
      throw DatabaseError(
        .notFound,
        "There is no database at \(path) yet: its creation was interrupted before the first "
          + "record. Opening it for writing finishes it.")
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
}

extension Database.Options {
  fileprivate var storeOptions: LevelDBOptions {
    var storeOptions = LevelDBOptions()
    storeOptions.createIfMissing = createsIfMissing
    storeOptions.isDurable = isDurable
    storeOptions.lockWait = lockTimeout
    storeOptions.cacheByteCount = cacheByteCount
    storeOptions.openTableCount = openTableCount
    storeOptions.anchor = StorageKey.state
    storeOptions.describeKey = { StorageKey.describePlace($0.span.bytes, own: .default) }
    return storeOptions
  }

  fileprivate var settings: EngineSettings {
    var settings = EngineSettings()
    settings.documentCacheByteCount = documentCacheByteCount
    settings.nameCacheByteCount = nameCacheByteCount
    settings.scanCacheByteCount = scanCacheByteCount
    settings.locks = locks
    settings.startWork = { Blocking.start(.side, $0) }
    settings.helperCount = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
    return settings
  }
}

extension OpenReport.CutLog {
  fileprivate init(_ cut: LogCut) {
    self.init(file: cut.file, byteCount: cut.byteCount)
  }
}

// MARK: - In memory

extension Database {
  /// Makes a database that lives in memory and ends with its last reference. For tests.
  ///
  /// - Parameters:
  ///   - databaseID: the identity in names and links.
  ///   - history: the bounds of the past that is kept for `snapshot(at:)`; `nil` keeps nothing.
  ///   - locks: the limits of transactions that lock what they read.
  ///   - observability: the logger, and the limits for reports on the database's work.
  /// - Throws: `failedPrecondition` in a process that was forked from one in which a database was
  ///   opened.
  public static func inMemory(
    databaseID: DatabaseID = .default, history: HistoryLimits? = nil,
    locks: LockLimits = LockLimits(), observability: Observability = Observability()
  ) throws(DatabaseError) -> Database {
    var settings = EngineSettings()
    settings.locks = locks
    return try over(
      MemoryStore(), databaseID: databaseID, history: history, settings: settings,
      observability: observability)
  }

  /// Makes a database in a store of the caller's. The project's tests watch such a store at work.
  package static func over(
    _ store: any OrderedStore, databaseID: DatabaseID? = nil, history: HistoryLimits? = nil,
    settings: EngineSettings = EngineSettings(), observability: Observability = Observability()
  ) throws(DatabaseError) -> Database {
    let instruments = Instruments(observability)
    let engine = try Engine(
      store, databaseID: databaseID, history: history, settings: settings, observer: instruments)
    return Database(engine, OpenReport(isNew: true, cutLogs: []), instruments)
  }
}

// MARK: - In a forked process

extension Database {
  /// Whether the process was forked after the opening: the store is the parent's.
  var isInherited: Bool { engine.process.isInherited }
}

// MARK: - Errors

extension DatabaseError {
  /// Whether opening or salvaging failed because the database is open already, in this process or
  /// in another one. Another attempt succeeds once the database is closed there.
  ///
  /// The code `unavailable` alone doesn't tell this, since a failing disk has the same code.
  public var isInUse: Bool { (cause as? StoreError)?.code == .locked }

  /// Whether the database was closed before or during the operation.
  package var isOfClosedDatabase: Bool { (cause as? StoreError)?.code == .closed }

  /// Returns the error with advice to open for reading, if that is possible where writing isn't.
  func advisingToRead(_ path: String) -> DatabaseError {
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
  /// Runs `body` with the store of a damaged database and a new store, which becomes the database
  /// at `new` once `body` has returned.
  ///
  /// - Throws: the errors of ``salvage(from:to:options:finding:progress:)``, and those of `body`.
  static func salvagingStore<Report>(
    from damaged: String, to new: String,
    _ body: (any SalvagedStore, any OrderedStore) throws -> Report
  ) throws(DatabaseError) -> Report {
    try reportingErrors {
      let source = try DamagedStore(folder: damaged)
      let target = try StoreAside.make(for: new, outside: damaged, anchor: StorageKey.state)
      let report = try body(source, target.store)
      try target.finish()
      return report
    }
  }
}
