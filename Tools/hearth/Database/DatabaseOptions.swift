import ArgumentParser
import FoundationEssentials
import Hearth
import HearthServer

/// The option that names the database that a command works on.
struct DatabaseOptions: ParsableArguments {
  private static let variable = "HEARTH_DB"
  /// The variable by which a shell that only reads tells its commands so.
  static let readOnlyVariable = "HEARTH_SHELL_READ_ONLY"

  @Option(
    name: .customLong("db"),
    help: ArgumentHelp(
      "The folder of the database; without it, HEARTH_DB names the folder.", valueName: "path"),
    completion: .directory)
  var path: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Time to wait for another process that has the database open.", valueName: "seconds"))
  var wait: Double?

  func validate() throws {
    guard (0...1e9).contains(wait ?? 0) else {
      throw ValidationError("--wait takes a number of seconds from 0.")
    }
  }

  /// Runs `body` with the database, which the command needs for itself, and closes it.
  ///
  /// - Parameters:
  ///   - isDurable: whether commits survive a loss of power.
  ///   - caches: whether the caches of documents, names and scans are on. Without them the store
  ///     still keeps its blocks in memory.
  /// - Throws: ``Refusal`` if a query lacks an index; the errors of `body`.
  func withDatabase<Result>(
    isDurable: Bool = true, caches: Bool = true, _ body: (Database) throws -> Result
  ) throws -> Result {
    try DatabaseOptions.refuseInReadOnlyShell()
    var options = options
    options.isDurable = isDurable
    options.lockTimeout = .seconds(wait ?? 0)
    if !caches {
      options.documentCacheByteCount = 0
      options.nameCacheByteCount = 0
      options.scanCacheByteCount = 0
    }
    let database = try open(options)
    // Other runs of the tool may use the database through this one.
    defer { DatabaseOptions.finish(database) }
    let session = try AdminSession { .own(database) }
    // After a failure the database closes when it is released: the first failure is the one to
    // report.
    let result = try refusing(by: session) { try body(database) }
    DatabaseOptions.finish(database)
    try database.close()
    return result
  }

  /// Lets other runs of the tool finish their work on the tool's own database.
  static func finish(_ database: Database) {
    database.finishAdministration {
      StandardError.print("Note: other runs of hearth use the database through this one: waiting.")
    }
  }

  /// The tool's options for opening an existing database.
  var options: Database.Options {
    var options = Database.Options()
    options.createsIfMissing = false
    // A command does only its own work: a build continues only while a command waits for it, and
    // queries of the tool don't count as the application's use of its indexes.
    options.runsBackgroundWork = false
    return options
  }

  private func open(_ options: Database.Options) throws -> Database {
    let path = try folder()
    do throws(DatabaseError) {
      let database = try Database.openPlainly(at: path, options: options)
      report(database.openReport, for: options.access)
      return database
    } catch {
      throw ToolFailure(opening: error, creating: false)
    }
  }

  /// Whether the process is a command of a shell that only reads.
  static var isInReadOnlyShell: Bool {
    ProcessInfo.processInfo.environment[readOnlyVariable] == "1"
  }

  /// Refuses a command that opens the database for writing.
  ///
  /// - Throws: ``ToolFailure`` in a shell that only reads.
  static func refuseInReadOnlyShell() throws(ToolFailure) {
    guard isInReadOnlyShell else { return }
    throw ToolFailure(
      .usage, .failedPrecondition,
      "this command can write, and the shell was started with --read-only.")
  }

  /// Lets a folder that is missing or empty become a new database.
  func create(at path: String, _ options: inout Database.Options) {
    options.createsIfMissing = true
    options.databaseID = DatabaseID(newFolder: URL(filePath: path).standardizedFileURL.path)
  }

  /// Returns the options for the database in a folder that a command names as an argument.
  static func naming(_ folder: String, wait: Double?) throws -> DatabaseOptions {
    try parse(["--db=\(folder)"] + (wait.map { ["--wait=\($0)"] } ?? []))
  }

  /// Returns the folder of the database, from the option or from the environment.
  ///
  /// - Throws: ``ToolFailure`` if neither names one.
  func folder() throws -> String {
    let variable = ProcessInfo.processInfo.environment[Self.variable] ?? ""
    guard let path = path ?? (variable.isEmpty ? nil : variable) else {
      throw ToolFailure(
        .usage, .invalidArgument,
        "no database: name its folder by --db, or in the environment variable \(Self.variable).")
    }
    return path
  }

  /// Reports what opening found and repaired.
  func report(_ report: OpenReport, for access: Database.Access) {
    for note in report.notes(for: access) { StandardError.print("Note: \(note)") }
  }
}

extension OpenReport {
  /// Returns the findings and repairs of opening, a sentence each.
  func notes(for access: Database.Access) -> [String] {
    var notes: [String] = []
    for cut in cutLogs {
      switch access {
      case .readWrite:
        notes.append(
          "the last write was cut off by a crash before it was acknowledged; "
            + "its \(cut.byteCount) bytes were removed from \(cut.file).")
      case .readOnly:
        notes.append(
          "a write at the end of \(cut.file) is incomplete and was passed over: it is under way, "
            + "or a crash cut it off.")
      }
    }
    if lacksRepair {
      notes.append(
        "the machine stopped while writes were not synced, and reading repairs no index: queries "
          + "may miss documents until the database has been opened for writing.")
    }
    if let count = repairedEntryCount {
      notes.append(
        "the machine stopped while writes were not synced; the indexes were checked and "
          + "\(Figure.count(count)) entries mended.")
    }
    if let lead = commitTimeLead {
      notes.append(
        "the last commit's time is \(Figure.count(Int(lead / .seconds(1)))) seconds ahead of "
          + "the clock, which was wrong then or is now; commits stay there until it has come.")
    }
    return notes
  }
}

extension ToolFailure {
  /// Creates the failure for a database that was not opened.
  init(opening error: DatabaseError, creating: Bool, access: Database.Access = .readWrite) {
    switch error.code {
    case .notFound:
      let advice =
        creating
        ? ""
        : "\n`hearth import`, `set` and `index create` make one, in a missing or empty folder."
      self.init(.missingInput, error.code, error.message.sentence + advice)
    case .unavailable where error.isInUse:
      let advice =
        "\nTry again when it is done; --wait SECONDS waits for that. Commands that only read can "
        + "read beside it with --read-only."
      self.init(.inUse, error.code, error.message.sentence + advice)
    case .permissionDenied where access == .readOnly:
      let advice = "\nThe tool needs the rights to list the folder and to read its files."
      self.init(.permission, error.code, error.message.sentence + advice)
    case .permissionDenied:
      let advice =
        "\nThe tool needs the rights to read and to write the database's files. Commands that read "
        + "need only the first with --read-only."
      self.init(.permission, error.code, error.message.sentence + advice)
    default: self.init(ExitStatus(error), error.code, error.message.sentence)
    }
  }
}
