import HearthServer
import ServerTestClient

/// A server over empty databases in memory, and a client of it.
struct TestServer {
  let client: ServerClient
  let port: Int

  /// Runs `body`, and stops the server.
  static func with<Result>(
    _ body: (TestServer) async throws -> Result
  ) async throws -> Result {
    let server = try await HearthServer(databases: MemoryDatabases())
      .start(on: ["127.0.0.1"], port: 0)
    do {
      let client = try await ServerClient.connect(to: server.port)
      let result = try await body(TestServer(client: client, port: server.port))
      try await client.close()
      await server.stop(after: .zero)
      return result
    } catch {
      await server.stop(after: .zero)
      throw error
    }
  }
}
