import HearthServer
import ServerTestClient

/// A server over empty databases in memory, and a client of it.
struct TestServer {
  let client: ServerClient
  let running: RunningServer
  var port: Int { running.port }

  /// Runs `body`, and stops the server.
  static func with<Result>(
    _ server: HearthServer = HearthServer(databases: .inMemory),
    _ body: (TestServer) async throws -> Result
  ) async throws -> Result {
    try await Turns.run { try await serve(server, body) }
  }

  private static func serve<Result>(
    _ server: HearthServer, _ body: (TestServer) async throws -> Result
  ) async throws -> Result {
    var server = server
    server.grace = .zero
    let running = try await server.start(port: 0)
    do {
      let client = try await ServerClient.connect(to: running.port)
      let result = try await body(TestServer(client: client, running: running))
      try await client.close()
      await running.stop()
      return result
    } catch {
      await running.stop()
      throw error
    }
  }
}
