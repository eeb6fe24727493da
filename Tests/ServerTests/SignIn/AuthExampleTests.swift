import HearthServer
import Testing

/// The worked exchanges of sign-in, replayed over HTTP.
@Suite struct AuthExampleTests {
  /// Exchanges of a server that checks the tokens of providers.
  private static let ofSignedMode = ["apple/bad-tokens-production", "apple/nonce"]

  private static let unsigned = AuthExample.all.filter { !ofSignedMode.contains($0.name) }

  @Test func theExamplesAreThere() {
    #expect(AuthExample.all.count == 53)
    #expect(Self.unsigned.count == 51)
  }

  @Test(arguments: unsigned)
  func answersAreAsWorkedOut(example: AuthExample) async throws {
    let clock = MovedClock()
    var server = HearthServer(databases: .inMemory)
    server.databases.project = "demo-auth"
    server.signInPort = 0
    server.signInTime = clock.now
    let differences = try await TestServer.with(server) { server in
      let port = try #require(server.running.signInPort)
      var replay = AuthReplay(example, port: port, clock: clock)
      return try await replay.differences()
    }
    #expect(differences == [])
  }
}
