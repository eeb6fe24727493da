import Hearth
import HearthFirestoreJSON
import HearthServer
import Testing

/// The recorded exchanges, replayed over the wire.
@Suite struct WireExampleTests {
  /// Exchanges that aren't answered yet, by the beginnings of their names.
  static let unanswered = [
    "emulator/rules"
  ]

  /// A server on which no wait for a lock takes time.
  private static var server: HearthServer {
    var server = HearthServer(databases: .inMemory)
    server.databases.locks.timeout = .zero
    return server
  }

  private static func isUnanswered(_ example: WireExample) -> Bool {
    unanswered.contains(where: example.name.hasPrefix)
  }

  /// The exchanges of calls over gRPC; HTTP2StatusTests replays those of HTTP/2's own forms.
  private static let calls = WireExample.all.filter { $0.name != "http2/statuses" }

  @Test func theExamplesAreThere() {
    #expect(WireExample.all.count > 80)
    for name in Self.unanswered {
      #expect(WireExample.all.contains { $0.name.hasPrefix(name) }, Comment(rawValue: name))
    }
  }

  @Test(arguments: calls.filter { !isUnanswered($0) })
  func answersAreAsRecorded(example: WireExample) async throws {
    let differences = try await TestServer.with(Self.server) { server in
      var replay = ExampleReplay(example, on: server)
      return try await replay.differences()
    }
    #expect(differences == [])
  }

  /// An exchange that is answered leaves the list.
  @Test(arguments: calls.filter(isUnanswered))
  func theListHoldsNoAnsweredExchange(example: WireExample) async throws {
    let differences = try await TestServer.with(Self.server) { server in
      var replay = ExampleReplay(example, on: server)
      return try? await replay.differences()
    }
    #expect(differences != [])
  }
}
