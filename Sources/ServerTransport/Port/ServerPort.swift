import NIOCore

/// A port that speaks gRPC over HTTP/2, and plain HTTP over HTTP/1.1 and HTTP/2.
///
/// No client upgrades: the first bytes of a connection decide.
package final class ServerPort: Sendable {
  private let listeners: [any Channel]
  private let connections: Connections
  private let threads: CallThreads
  /// The number of the port.
  package let number: Int

  private init(
    _ listeners: [any Channel], _ connections: Connections, _ threads: CallThreads, number: Int
  ) {
    self.listeners = listeners
    self.connections = connections
    self.threads = threads
    self.number = number
  }

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - addresses: the addresses, all with the same number.
  ///   - number: the number of the port; 0 lets the system choose.
  ///   - admits: refuses calls by their headers, also those of unknown methods.
  ///   - methods: the methods that gRPC serves.
  ///   - answers: the answers to all other requests.
  ///   - certificate: proves the port's names by TLS; `nil` for a port without it.
  ///   - observer: receives connections and calls; `nil` for none.
  /// - Throws: ``PortFailure``.
  package static func open(
    at addresses: PortAddresses, number: Int, settings: PortSettings = PortSettings(),
    certificate: PortCertificate? = nil,
    admits: @escaping RPCAdmission = { _ in }, methods: @escaping RPCMethods,
    answers: HTTPAnswers, observer: (any PortObserver)? = nil
  ) async throws(PortFailure) -> ServerPort {
    let observer = observer ?? NoObserver()
    let connections = Connections(limit: settings.connectionCount, observer: observer)
    let threads = CallThreads(count: settings.threadCount)
    let pipeline = PortPipeline(
      settings: settings, connections: connections,
      unfinished: UnfinishedBytes(limit: settings.unfinishedByteCount), threads: threads,
      admits: admits, methods: methods, answers: answers, observer: observer,
      certificate: certificate)
    do throws(PortFailure) {
      let listeners = try await PortListening(handlers: pipeline)
        .listeners(at: addresses, number: number)
      return ServerPort(
        listeners, connections, threads,
        number: listeners.first?.localAddress?.port ?? number)
    } catch {
      try? await threads.stop()
      throw error
    }
  }

  /// Number of open connections.
  package var connectionCount: Int { connections.count }

  /// Stops to listen, tells the clients by GOAWAY, and waits for their calls, but no longer than
  /// `grace`. Streams that have no end of their own are ended at once with `unavailable`.
  package func close(after grace: Duration) async {
    for listener in listeners { try? await listener.close() }
    await connections.close(after: grace)
    try? await threads.stop()
  }
}
