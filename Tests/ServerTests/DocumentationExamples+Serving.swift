import HearthServer
import Testing

// The code of Serving.md, word for word: DocumentationTests compares the two.

@Suite struct ServingExamples {
  @Test func aServerRunsInTheProcess() async throws {
    let running = try await HearthServer(databases: .inMemory).start(port: 0)
    // Clients connect to 127.0.0.1 at running.port.
    await running.stop()
    #expect(running.port > 0)
  }
}
