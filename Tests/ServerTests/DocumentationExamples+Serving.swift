import HearthServer
import Testing

// The code of Serving.md, word for word: DocumentationTests compares the two.

@Suite(.timeLimit(.minutes(5))) struct ServingExamples {
  @Test func aServerRunsInTheProcess() async throws {
    let running = try await HearthServer(databases: .inMemory).start(port: 0)
    // Clients connect to 127.0.0.1 at running.port.
    await running.stop()
    #expect(running.port > 0)
  }

  @Test func aServerThatRunsEndsWithItsTask() async throws {
    let task = Task { try await HearthServer(databases: .inMemory).run(port: 0) }
    task.cancel()
    try await task.value
  }
}
