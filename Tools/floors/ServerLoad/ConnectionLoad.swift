import Foundation
import ServerTestClient

/// Connections that are open at the same time, make a call each, and go.
enum ConnectionLoad {
  /// Lets this process, and those that it starts, have as many files as the system allows.
  static func raiseFileLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  static func openAndClose(_ count: Int, on server: ServerProcess) async throws {
    var clients: [ServerClient] = []
    for number in 0..<count {
      let client = try await ServerClient.connect(to: server.port)
      try await server.checked(
        client.call(
          "/google.firestore.v1.Firestore/GetDocument", SampleTasks.get(number % 1_000),
          headers: [("authorization", "Bearer owner")]))
      clients.append(client)
    }
    for client in clients { try await client.close() }
  }
}
