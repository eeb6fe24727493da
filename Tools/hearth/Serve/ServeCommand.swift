import ArgumentParser
import Hearth
import HearthServer

struct ServeCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve databases to Google's own clients, over gRPC and REST.",
    discussion: """
      Clients connect as to an emulator, by variables, which the command prints:

        hearth serve --db data
        export FIRESTORE_EMULATOR_HOST=127.0.0.1:8080
        export FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1:8080

      A folder that is a Hearth database is served as that one database. Any other folder holds a \
      database in each PROJECT/DATABASE, made at its first write, opened at its first use and \
      closed when it is idle. The tool reaches each while it is served:

        hearth index list --db 'data/demo-project/(default)'

      The server listens on this machine alone; with --token-file it may listen elsewhere. It \
      refuses requests of web pages of other origins and those for other host names, before they \
      have any effect. The command ends with SIGINT or SIGTERM, when the running calls have ended.
      """)

  enum Unknown: String, CaseIterable, ExpressibleByArgument {
    case any, known
  }

  enum Missing: String, CaseIterable, ExpressibleByArgument {
    case refuse, create
  }

  private static let usualIndexes = "firestore.indexes.json"

  @OptionGroup var database: DatabaseOptions

  @Flag(help: "Serve databases in memory, which end with the command.")
  var inMemory = false

  @Option(
    help: ArgumentHelp(
      "The project of a folder that is a database; without it, its own. It is also that of "
        + "sign-in, by default demo-project.", valueName: "id"))
  var project: String?

  @Option(
    help: ArgumentHelp(
      "The databases that are served: any, or only known ones, which have a folder already.",
      valueName: "any|known"))
  var databases = Unknown.any

  @Option(
    help: ArgumentHelp(
      "An index file, whose indexes each database gets when it is opened.", valueName: "file"),
    completion: .file())
  var indexes: String?

  @Option(
    help: ArgumentHelp(
      "Refuse a query without its index, or create it, wait for it, and write it to the file of "
        + "--indexes, by default firestore.indexes.json in the present folder.",
      valueName: "refuse|create"))
  var missingIndexes = Missing.refuse

  @Option(
    help: ArgumentHelp(
      "A file of security rules, by which calls are judged, but for those of \"Bearer owner\". A "
        + "changed file holds at once; one that doesn't compile leaves the earlier rules.",
      valueName: "file"), completion: .file())
  var rules: String?

  @Flag(
    help: "Tell clients why rules refuse their calls: each statement with its reason and line.")
  var explainDenials = false

  @Flag(help: "Count the outcomes of the rules' expressions, for ruleCoverage at /emulator/.")
  var recordCoverage = false

  @Flag(
    help: "After opening a database, read the documents back that were in memory at its close.")
  var warmStart = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The longest wait of a write for a transaction that has read what it changes.",
      valueName: "seconds"))
  var lockTimeout = 10.0

  @OptionGroup var port: PortOptions
  @OptionGroup var signIn: SignInOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("The form of messages.", valueName: "text|json"))
  var logFormat = ServeLog.Format.text

  @Flag(
    help: "Tell the values of refused queries and calls, which may be private.")
  var logValues = false

  func validate() throws {
    guard !inMemory || database.path == nil else {
      throw ValidationError("--db and --in-memory exclude each other.")
    }
    guard !inMemory || databases == .any else {
      throw ValidationError("--databases known needs --db: no database in memory is known before.")
    }
    guard !inMemory || !warmStart else {
      throw ValidationError("--warm-start needs --db: no database in memory is opened again.")
    }
    guard (0...1e9).contains(lockTimeout) else {
      throw ValidationError("--lock-timeout takes a number of seconds from 0 to 1,000,000,000.")
    }
    try signIn.validate(rules: rules)
    let isSigned = signIn.authTokens == .signed
    guard rules == nil || port.tokenFile == nil || isSigned else {
      throw ValidationError(
        "--rules and --token-file exclude each other: the bearer of a token is an administrator. "
          + "With --auth-tokens signed there are both.")
    }
    try port.validate(allowingStrangers: isSigned)
    guard missingIndexes == .refuse || HearthServer.isOnlyThisMachine(port.host) else {
      throw ValidationError(
        "--missing-indexes create needs an address of loopback: each query of another machine "
          + "could create an index.")
    }
  }

  func run() throws { try run { _ in } }

  /// Serves until a signal comes.
  ///
  /// - Parameter begun: is called once the server listens.
  func run(_ begun: @escaping @Sendable (ServedNotice) -> Void) throws {
    try DatabaseOptions.refuseInReadOnlyShell()
    let signals = StopSignals()
    OpenFileLimit.raise()
    let folder = inMemory ? nil : try database.folder()
    var server = HearthServer(databases: folder.map(ServedDatabases.folder) ?? .inMemory)
    server.databases.project = project
    server.databases.makesUnknown = databases == .any
    server.databases.acceptsToolWrites = true
    server.databases.startsWarm = warmStart
    server.databases.lockTimeout = .seconds(database.wait ?? 5)
    server.databases.locks.timeout = .seconds(lockTimeout)
    switch missingIndexes {
    case .refuse:
      server.databases.indexes = try indexes.map { try InputFile(path: $0).indexFile() }
    case .create:
      server.databases.missingIndexes = .created(file: indexes ?? ServeCommand.usualIndexes)
    }
    server.rulesFile = rules
    server.explainsDenials = explainDenials
    server.recordsCoverage = recordCoverage
    try port.configure(&server)
    signIn.configure(&server)
    let log = ServeLog(logFormat, showsValues: logValues)
    server.note = log.note
    let (options, output, isJudged) = (port, output, rules != nil)
    let isSigned = signIn.authTokens == .signed
    try Concurrency.waiting { [server] in
      let running = try await options.start(server)
      let notice = ServedNotice(
        running, options.shownHost, folder: folder, isSecure: options.tlsCertificate != nil,
        isOpen: !isJudged && options.tokenFile == nil, isSigned: isSigned,
        hasConsole: !options.noConsole)
      try notice.print(json: output.json)
      begun(notice)
      if isSigned, let file = options.readableTokenFile { log.warnOfReaders(of: file) }
      if options.insecureBind { log.warnOfStrangers(at: options.shownHost) }
      await signals.untilFirst()
      log.noteEnd()
      await running.stop()
    }
  }
}
