public import Hearth
import HearthServerCalls
import HearthServerTransport

/// A server of Firestore's interface over Hearth's databases. Google's clients connect to it as to
/// an emulator, with the variable `FIRESTORE_EMULATOR_HOST`.
///
/// ```swift
/// try await HearthServer(databases: .folder("data")).run(port: 8080)
/// ```
///
/// Everyone who reaches the port may do everything. So a server listens on this machine alone,
/// until ``allowsOtherMachines`` says otherwise.
public struct HearthServer: Sendable {
  /// The databases that it serves.
  public var databases: ServedDatabases
  /// Whether it may listen at an address that other machines reach.
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
  /// Receives the server's events, on any thread. It must not block.
  public var note: @Sendable (ServerEvent) -> Void = { _ in }

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
  ///   one that other machines reach, without ``allowsOtherMachines``, and for a folder that is a
  ///   file or a database of another project; the errors of `Database.open` for a folder that is a
  ///   database.
  public func start(
    host: String = "localhost", port: Int = 8080
  ) async throws(DatabaseError) -> RunningServer {
    let address = ServerAddress(host)
    guard address.isLoopback || allowsOtherMachines else {
      throw DatabaseError(
        .failedPrecondition,
        "\(host) is no address of this machine alone: everyone who reaches the port could read and "
          + "write everything.")
    }
    let places = try await DatabasePlaces.prepared(databases)
    let registry = DatabaseRegistry(
      places, limit: databases.openLimit, idleTime: databases.idleTime,
      cacheByteCount: databases.cacheByteCount, note: note)
    let calls = DocumentCalls(registry) { [note] id, error in
      note(.refused(id, folder: places.folder(of: id), error))
    }
    return RunningServer(
      try await open(address, port, calls), registry, only: places.only,
      idleTime: databases.idleTime, grace: grace)
  }

  private func open(
    _ address: ServerAddress, _ number: Int, _ calls: DocumentCalls
  ) async throws(DatabaseError) -> ServerPort {
    let admission = Admission(
      hosts: Set(allowedHosts.map { Authority($0)?.host ?? $0.lowercased() })
        .union(address.names),
      takesAddresses: address.isWildcard,
      origins: Set(allowedOrigins.map(Admission.comparable)))
    let service = FirestoreService.methods(calls)
    let methods = Dictionary(
      uniqueKeysWithValues: service.map {
        ("/\(FirestoreService.name)/\($0)", RPCMethod($1))
      }
    ).merging(FirestoreService.streams(calls)) { $1 }
    let plain = HTTPService(
      admission, RESTService(service), EmulatorService(calls), calls: Set(methods.keys))
    do {
      return try await ServerPort.open(
        at: address.listening, number: number, admits: admission.check,
        methods: { methods[$0] }, answer: plain.answer)
    } catch {
      throw DatabaseError(.unavailable, error.description, cause: error)
    }
  }
}
