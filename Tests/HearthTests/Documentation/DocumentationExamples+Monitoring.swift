import CoreMetrics
import Hearth
import Logging
import TestSupport
import Testing

// The code of Monitoring.md, word for word: DocumentationTests compares the two.

func openObserved(at path: String) throws -> Database {
  var options = Database.Options()
  options.observability.logger = Logger(label: "hearth")
  options.observability.metrics = MetricsSystem.factory
  options.observability.slowQueryThreshold = .milliseconds(50)
  return try Database.open(at: path, options: options)
}

func observability(of name: String) -> Observability {
  var observability = Observability()
  observability.logger = Logger(label: "hearth.\(name)")
  observability.metrics = MetricsSystem.factory
  observability.dimensions = [("database", name)]
  return observability
}

@Suite struct MonitoringExampleTests {
  @Test func opensObserved() throws {
    let folder = try TemporaryFolder()
    let database = try openObserved(at: folder.path(of: "cities"))
    try database.document("cities/tokyo").setData(["country": "JP"])
    #expect(try database.collection("cities").count() == 1)
    try database.close()
  }

  @Test func eachDatabaseHasItsDimension() throws {
    let first = observability(of: "cities")
    #expect(first.dimensions.map(\.1) == ["cities"])
    let database = try Database.inMemory(observability: first)
    #expect(try database.document("a/b").getDocument().exists == false)
  }
}
