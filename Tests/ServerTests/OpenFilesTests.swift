import HearthServer
import Testing

/// The files that the connections of a server leave its databases.
struct OpenFilesTests {
  @Test(arguments: [
    // A fifth is for tables, 64 for the process, and 16 for each database.
    (limit: 20_000, databases: 100, connections: 10_000),
    (limit: 4_096, databases: 100, connections: 4_096 - 819 - 64 - 1_600),
    (limit: 1_024, databases: 0, connections: 1_024 - 204 - 64),
    (limit: 1_024, databases: 1, connections: 1_024 - 204 - 64 - 16),
    // A quarter is for clients in any case.
    (limit: 1_024, databases: 100, connections: 256),
    (limit: 1_024, databases: .max, connections: 256),
    (limit: 3, databases: 100, connections: 1),
    (limit: 0, databases: 0, connections: 1),
    (limit: .max, databases: .max, connections: 10_000),
    (limit: .max, databases: .min, connections: 10_000),
  ])
  func connectionsLeaveTheirFiles(limit: Int, databases: Int, connections: Int) {
    let files = OpenFiles(limit: limit)
    #expect(files.connectionCount(besides: databases, upTo: 10_000) == connections)
  }
}
