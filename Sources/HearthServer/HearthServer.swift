package import HearthServerCalls
import HearthServerTransport

/// A server of Firestore's interface over Hearth's databases.
package final class HearthServer: Sendable {
  private let methods: [String: RPCMethod]

  package init(databases: any DatabaseSource) {
    let calls = DocumentCalls(databases)
    methods = Dictionary(
      uniqueKeysWithValues: FirestoreService.methods(calls).map {
        ("/\(FirestoreService.name)/\($0)", $1)
      })
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
    let methods = methods
    return RunningServer(
      try await ServerPort.open(
        on: hosts, number: port, methods: { methods[$0] },
        answer: { HTTPAnswer.answer($0, methods) }
      ))
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

/// The answers to requests of HTTP that are no calls.
enum HTTPAnswer {
  static func answer(_ request: HTTPRequest, _ methods: [String: RPCMethod]) -> HTTPResponse {
    // Tools ask for it to see that the server is up.
    if request.method == "GET", request.target == "/" {
      return HTTPResponse(200, body: Array("Ok\n".utf8))
    }
    guard methods[request.target] != nil else { return HTTPResponse(404, text: "Not Found\n") }
    let type = request.header("content-type") ?? ""
    let text = "Content-Type '\(type)' is not supported"
    var response = HTTPResponse(415, text: text)
    response.headers += [("grpc-status", "13"), ("grpc-message", text)]
    return response
  }
}
