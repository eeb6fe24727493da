package import HearthServerCalls
import HearthServerTransport

/// A server of Firestore's interface over Hearth's databases.
package final class HearthServer: Sendable {
  private let methods: [String: RPCMethod]
  private let plain: HTTPService

  package init(databases: any DatabaseSource) {
    let service = FirestoreService.methods(DocumentCalls(databases))
    methods = Dictionary(
      uniqueKeysWithValues: service.map {
        ("/\(FirestoreService.name)/\($0)", RPCMethod($1))
      })
    plain = HTTPService(RESTService(service), calls: Set(methods.keys))
  }

  /// Begins to serve.
  ///
  /// - Parameters:
  ///   - hosts: the addresses to listen at.
  ///   - port: the number of the port; 0 lets the system choose.
  /// - Throws: the system's error if an address can't be bound.
  package func start(
    on hosts: [String] = ["127.0.0.1", "::1"], port: Int
  ) async throws -> RunningServer {
    let (methods, plain) = (methods, plain)
    return RunningServer(
      try await ServerPort.open(
        on: hosts, number: port, methods: { methods[$0] }, answer: plain.answer))
  }
}

/// A server that listens.
package struct RunningServer: Sendable {
  private let serverPort: ServerPort

  init(_ serverPort: ServerPort) {
    self.serverPort = serverPort
  }

  /// The number of its port.
  package var port: Int { serverPort.number }

  /// Takes no new calls, lets the running ones end, but no longer than `grace`, and stops.
  package func stop(after grace: Duration = .seconds(10)) async {
    await serverPort.close(after: grace)
  }
}
