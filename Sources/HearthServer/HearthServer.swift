public import Hearth
import HearthAccounts
import HearthDocumentModel
import HearthSecurityRules
import HearthServerCalls
import HearthServerTransport

/// A server of Firestore's interface over Hearth's databases. Google's clients connect to it as to
/// an emulator, with the variable `FIRESTORE_EMULATOR_HOST`.
///
/// ```swift
/// try await HearthServer(databases: .folder("data")).run(port: 8080)
/// ```
///
/// Without ``tokens``, everyone who reaches the port may do everything. So a server without them
/// listens on this machine alone, until ``allowsOtherMachines`` says otherwise.
public struct HearthServer: Sendable {
  /// The databases that it serves.
  public var databases: ServedDatabases
  /// The access tokens: each request must bear one of them, on any path. With none,
  /// nothing is asked. A token has at least 16 characters, all of them visible ones of ASCII.
  ///
  /// With ``signing``, they are the tokens of administrators, and users call without them.
  public var tokens: Set<String> = []
  /// The signing of users' tokens, for a server that strangers may reach: credentials are checked,
  /// and there is nothing of the emulators'. It needs ``rulesFile``. `nil` for the tokens of
  /// emulators, which have no signature.
  public var signing: TokenSigning?
  /// The path of a file with the configuration of sign-in, in JSON; `nil` for none. It is read when
  /// the server starts.
  public var signInFile: String?
  /// The path of a file of security rules, by which the calls of all but the emulators' owner are
  /// judged. Changes of the file are followed. `nil` for none: then every caller may do everything,
  /// in projects for which no rules are uploaded.
  public var rulesFile: String?
  /// Whether clients whose calls the rules refuse are told the reasons, which tell of data that the
  /// rules look at. For developers.
  public var explainsDenials = false
  /// Whether the outcomes of the rules' expressions are counted, which makes each call dearer.
  public var recordsCoverage = false
  /// The number of a port for sign-in alone, which the main port serves too; 0 lets the system
  /// choose, and `nil` is for none.
  public var signInPort: Int?
  /// The certificate with which it proves its names; `nil` for a server without TLS.
  public var certificate: ServerCertificate?
  /// Whether it may listen without tokens at an address that other machines reach.
  public var allowsOtherMachines = false
  /// The hosts by which clients may call it, beside those of this machine and its own. Requests for
  /// others are refused before they have any effect: a page in a browser may have made its own name
  /// stand for this machine.
  public var allowedHosts: Set<String> = []
  /// The origins whose pages may call it, such as `https://app.example`, beside those on this
  /// machine. Requests of others are refused before they have any effect.
  public var allowedOrigins: Set<String> = []
  /// The time that calls have to end when the server stops.
  public var grace = Duration.seconds(10)
  /// Whether the console is served at `/console/`, to which a browser that asks for `/` is sent.
  public var servesConsole = true
  /// Receives the server's events, on any thread. It must not block.
  public var note: @Sendable (ServerEvent) -> Void = { _ in }

  /// The time of sign-in, in milliseconds since 1970. Tests move it.
  package var signInTime: @Sendable () -> Int64 = AccountService.presentTime
  /// The path of a file of the certificates that are trusted where keys of providers are fetched;
  /// `nil` for those of the system. Tests trust their own.
  package var trustedCertificates: String?
  /// Waits for the end of a token. Tests end it.
  package var signInPause: @Sendable (Duration) async throws -> Void = {
    try await Task.sleep(for: $0)
  }

  /// Makes a server, which doesn't listen yet.
  public init(databases: ServedDatabases) {
    self.databases = databases
  }

  /// Whether only this machine reaches an address: one of loopback, or a name of one.
  public static func isOnlyThisMachine(_ host: String) -> Bool {
    ServerAddress(host).isLoopback
  }

  /// Serves until the task is cancelled, and then stops.
  ///
  /// - Parameters:
  ///   - host: the address to listen at. `localhost` and each address of loopback mean both of
  ///     them.
  ///   - port: the number of the port; 0 lets the system choose.
  /// - Throws: the errors of ``start(host:port:)``.
  public func run(host: String = "localhost", port: Int = 8080) async throws(DatabaseError) {
    let server = try await start(host: host, port: port)
    // It has no elements, and ends with the task.
    let (end, _) = AsyncStream.makeStream(of: Never.self)
    for await _ in end {}
    await server.stop()
  }

  /// Begins to serve.
  ///
  /// - Parameters:
  ///   - host: the address to listen at. `localhost` and each address of loopback mean both of
  ///     them.
  ///   - port: the number of the port; 0 lets the system choose.
  /// - Throws: `unavailable` for an address at which nothing can listen; `failedPrecondition` for
  ///   one that other machines reach, without ``tokens`` or ``allowsOtherMachines``, and for a
  ///   folder that is a file or a database of another project; `invalidArgument` for a token that
  ///   is none, for a certificate that can't be used, for rules that don't compile, or beside
  ///   tokens, for a sender or a page of ``signing`` that is none, and for a ``signInFile`` that
  ///   makes no sense; the errors of `Database.open` for a folder that is a database.
  public func start(
    host: String = "localhost", port: Int = 8080
  ) async throws(DatabaseError) -> RunningServer {
    let address = ServerAddress(host)
    try check(address, host)
    let admission = try admission(at: address)
    let rulesFile = try checkedRulesFile()
    let ruleset = try rulesFile.map { file throws(DatabaseError) in try file.read() }
    let setting = try signInSetting()
    let proof = try certificate.map { certificate throws(DatabaseError) in try certificate.read() }
    let metrics = ServerMetrics { [note] in note(.tlsRefused) }
    let places = try await DatabasePlaces.prepared(databases, metrics: metrics.registry)
    let operations = Operations(noteBuild: noteBuild)
    let registry = DatabaseRegistry(
      places, limit: databases.openLimit, idleTime: databases.idleTime,
      cacheByteCount: databases.cacheByteCount, note: note
    ) { database, id in
      try? await operations.followBuilds(of: database, id, areTold: true)
    }
    let transactions = Transactions(databases.locks, limitsUsers: signing != nil)
    let accounts = try setting.accounts(in: places.accountsFolder, project: project(of: places))
    let access = try await setting.access(accounts)
    let rules = servedRules(ruleset, access)
    let (log, history) = (CallLog(), HealthHistory())
    var services = documentServices(of: registry, places, transactions, rules, access, log)
    let administration = AdministrationCalls(registry, operations, transactions)
    services.add(administration, recordedIn: log, check: access.checkAdministrator)
    let health = services.addHealth()
    services.addReflection()
    let rest = RESTService(
      services.methods, routes: [AdministrationRoute.request], noteEnd: metrics.noteRESTCall)
    let signIn = SignInPages(accounts, isSecure: proof != nil, isEmulator: signing == nil)
    let emulator = EmulatorService(DocumentCalls(registry, transactions: transactions), rules)
    let channels = WebChannels(
      services.streams, admits: admission.tokens.admit, noteEnd: metrics.noteChannelCall)
    let pages = MainPages(
      rest: rest,
      inspection: InspectionService(
        registry: registry, administration: administration, rules: rules, log: log,
        health: history, check: access.checkAdministrator),
      emulator: signing == nil ? emulator : nil, signIn: signIn, channels: channels,
      console: try console(of: places),
      metrics: access.forAdministrators {
        metrics.page(openDatabaseCount: registry.openCount)
      },
      calls: Set(services.calls.keys))
    let plain = HTTPService(
      admission, hasOtherCredentials: pages.needsNoToken, pages: pages.answer
    ) { request, code in
      if let method = rest.method(of: request) { metrics.noteRESTRefusal(method, code) }
    }
    let listening = try await open(
      address, port, settings(for: places), admission, services.calls, plain, metrics, proof)
    let signInListening = try await openSignIn(
      address, settings(for: places), admission, signIn, metrics, proof, beside: listening)
    let rulesWatch = rulesFile.map { watchRules($0, for: rules) }
    let healthWatch = watchHealth(of: registry, metrics, log, in: history)
    return RunningServer(
      listening, signInListening, registry, transactions, accounts, channels,
      only: places.only, idleTime: databases.idleTime, grace: grace,
      endedConnectionCount: metrics.takeEndedConnectionCount,
      ending: {
        rulesWatch?.cancel()
        healthWatch.cancel()
        health.stop()
        operations.stop()
      })
  }

  /// Returns the project of sign-in, which the console shows at first.
  private func project(of places: DatabasePlaces) -> String {
    places.only?.project ?? databases.project ?? DatabaseID.default.project
  }

  private func console(of places: DatabasePlaces) throws(DatabaseError) -> ConsolePages? {
    guard servesConsole else { return nil }
    let first = try DatabaseID(
      project: project(of: places), database: places.only?.database ?? DatabaseID.default.database)
    return ConsolePages(
      tokens.isEmpty && signing == nil ? .owner : .token, database: first,
      isSecure: certificate != nil)
  }

  /// - Throws: `failedPrecondition` for an address at which strangers could do everything.
  private func check(_ address: ServerAddress, _ host: String) throws(DatabaseError) {
    guard address.isLoopback || allowsOtherMachines || !tokens.isEmpty || signing != nil else {
      throw DatabaseError(
        .failedPrecondition,
        "\(host) is no address of this machine alone: everyone who reaches the port could read and "
          + "write everything.")
    }
    guard address.isLoopback || databases.missingIndexes == .refused else {
      throw DatabaseError(
        .failedPrecondition,
        "Other machines reach \(host), and each of their queries could create an index.")
    }
  }

  private var noteBuild: BuildStage.Noting {
    { [note] id, index, stage in
      switch stage {
      case .progressed(let progress): note(.building(id, index, progress))
      case .ended(let error): note(.built(id, index, error))
      }
    }
  }

  private func documentServices(
    of registry: DatabaseRegistry, _ places: DatabasePlaces, _ transactions: Transactions,
    _ rules: ServedRules, _ access: CallerAccess, _ log: CallLog
  ) -> Services {
    let noteRefusal: @Sendable (Refusal) -> Void = { [note] refusal in
      let folder = places.folder(of: refusal.requested.database)
      note(.refused(RefusedQuery(refusal, folder: folder)))
    }
    var calls = DocumentCalls(
      registry, transactions: transactions, rules: rules, noteRefusal: noteRefusal)
    var creation: IndexCreation?
    if case .created = databases.missingIndexes {
      // It tells of a refusal itself, once nothing has helped.
      calls = DocumentCalls(registry, transactions: transactions, rules: rules)
      creation = IndexCreation(
        registry, record: places.indexes.add, note: noteBuild, noteRefusal: noteRefusal)
    }
    var services = Services()
    services.add(
      FirestoreService.name,
      FirestoreService.methods(calls, creation).mapValues { $0.checked(by: access.check) },
      recordedIn: log)
    services.add(
      FirestoreService.name, streams: FirestoreService.streams(calls, creation), recordedIn: log)
    return services
  }

  /// - Throws: `invalidArgument` for rules beside tokens that all callers bear, and for signed
  ///   tokens without rules.
  private func checkedRulesFile() throws(DatabaseError) -> RulesFile? {
    guard tokens.isEmpty || rulesFile == nil || signing != nil else {
      throw .invalidArgument(
        "Rules and access tokens exclude each other: the bearer of a token is an administrator.")
    }
    guard signing == nil || rulesFile != nil else {
      throw .invalidArgument(
        "Signed tokens need rules: without them, every caller could read and write everything.")
    }
    return rulesFile.map { RulesFile(path: $0) }
  }

  /// - Throws: `unavailable` for a file that can't be read; `invalidArgument` for one that makes no
  ///   sense.
  private func signInConfiguration() throws(DatabaseError) -> SignInConfiguration {
    try signInFile.map { path throws(DatabaseError) in try SignInFile(path: path).read() }
      ?? SignInConfiguration()
  }

  private func servedRules(_ ruleset: Ruleset?, _ access: CallerAccess) -> ServedRules {
    ServedRules(
      ruleset, judges: tokens.isEmpty || signing != nil, explaining: explainsDenials,
      recordingCoverage: recordsCoverage, callers: access.callers
    ) { [note] id, refusal in note(.denied(id, refusal)) }
  }

  /// Returns the setting of sign-in.
  ///
  /// - Throws: the errors of reading its file.
  private func signInSetting() throws(DatabaseError) -> SignInSetting {
    let configuration = try signInConfiguration()
    return try SignInSetting(
      tokens, signing, configuration,
      try configuration.providerCheck(trusting: trustedCertificates, note: note),
      now: signInTime, pause: signInPause,
      note: { [note] failure in note(.mailFailed(failure)) })
  }

  /// Adds a sample to the history of health every ten seconds.
  private func watchHealth(
    of registry: DatabaseRegistry, _ metrics: ServerMetrics, _ log: CallLog,
    in history: HealthHistory
  ) -> Task<Void, Never> {
    Task {
      repeat {
        var totals = metrics.totals
        let refusals = log.refusals
        totals.refusedCount = refusals.ofCalls + refusals.ofListeners
        totals.failedCount -= refusals.ofCalls
        history.note(
          totals,
          HealthFigures(
            listenerCount: Int(metrics.registry.gauge("hearth.listener.active")),
            connectionCount: metrics.openConnectionCount,
            memoryByteCount: ProcessFigures.residentByteCount(),
            diskByteCount: await registry.openDiskByteCount()))
      } while (try? await Task.sleep(for: HealthHistory.pause)) != nil
    }
  }

  /// Looks at a file of rules every second.
  private func watchRules(_ file: RulesFile, for rules: ServedRules) -> Task<Void, Never> {
    Task { [note, path = rulesFile ?? ""] in
      while (try? await Task.sleep(for: .seconds(1))) != nil {
        switch file.look(replacingIn: rules) {
        case .unchanged: break
        case .replaced: note(.rulesReplaced(file: path))
        case .refused(let error): note(.rulesRefused(file: path, error))
        }
      }
    }
  }

  private func admission(at address: ServerAddress) throws(DatabaseError) -> Admission {
    Admission(
      hosts: Set(allowedHosts.map { Authority($0)?.host ?? $0.lowercased() })
        .union(address.names),
      takesAddresses: address.isWildcard,
      origins: Set(allowedOrigins.map(Admission.comparable)),
      tokens: try AccessTokens(signing == nil ? tokens : []))
  }

  /// Returns the limits of the port. Its connections leave the databases the files that they need.
  private func settings(for places: DatabasePlaces) -> PortSettings {
    var settings = PortSettings()
    settings.connectionCount = OpenFiles(limit: SystemCalls.openFileLimit).connectionCount(
      besides: places.storedCount(upTo: databases.openLimit), upTo: settings.connectionCount)
    return settings
  }

  /// Opens the port for sign-in alone, if there is to be one.
  ///
  /// - Parameter main: the main port, which closes if the other one can't open.
  private func openSignIn(
    _ address: ServerAddress, _ settings: PortSettings, _ admission: Admission,
    _ signIn: SignInPages, _ metrics: ServerMetrics, _ proof: PortCertificate?,
    beside main: ServerPort
  ) async throws(DatabaseError) -> ServerPort? {
    guard let signInPort else { return nil }
    let service = HTTPService(admission) { request, _ in await signIn.aloneAnswer(request) }
    do throws(DatabaseError) {
      return try await open(
        address, signInPort, settings, admission, [:], service, metrics, proof)
    } catch {
      await main.close(after: .zero)
      throw error
    }
  }

  private func open(
    _ address: ServerAddress, _ number: Int, _ settings: PortSettings, _ admission: Admission,
    _ methods: [String: RPCMethod], _ plain: HTTPService, _ metrics: ServerMetrics,
    _ proof: PortCertificate?
  ) async throws(DatabaseError) -> ServerPort {
    do {
      return try await ServerPort.open(
        at: address.listening, number: number, settings: settings, certificate: proof,
        admits: admission.check, methods: { methods[$0] }, answers: plain.answers,
        observer: metrics)
    } catch {
      throw DatabaseError(.unavailable, error.description, cause: error)
    }
  }
}
