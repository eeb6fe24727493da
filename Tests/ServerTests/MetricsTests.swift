import CoreMetrics
import HearthProtocols
import HearthServer
import ServerTestClient
import SwiftProtobuf
import Testing

/// The page for Prometheus.
@Suite(.timeLimit(.minutes(5))) struct MetricsTests {
  private static func page(of server: TestServer) async throws -> [String] {
    let connection = try await PlainConnection.connect(to: server.port)
    try await connection.send(
      "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let text = await connection.text()
    #expect(text.contains("content-type: text/plain; version=0.0.4"))
    let body = try #require(text.split(separator: "\r\n\r\n", maxSplits: 1).last)
    return body.split(separator: "\n").map(String.init)
  }

  private static func query(_ filter: Bool) -> Google_Firestore_V1_RunQueryRequest {
    .with { request in
      request.parent = "projects/demo-wire/databases/(default)/documents"
      request.structuredQuery.from = [.with { $0.collectionID = "cities" }]
      guard filter else { return }
      request.structuredQuery.orderBy = ["a", "b"].map { name in .with { $0.field.fieldPath = name }
      }
    }
  }

  private static let series = "hearth_server_call_duration_seconds_count"

  @Test func callsAreCountedByTheirEnds() async throws {
    try await TestServer.with { server in
      let path = "/google.firestore.v1.Firestore/RunQuery"
      for isRefused in [false, false, true] {
        let bytes: [UInt8] = try Self.query(isRefused).serializedBytes()
        _ = try await server.client.call(path, bytes)
      }
      let connection = try await PlainConnection.connect(to: server.port)
      try await connection.send(
        "GET /v1/projects/demo-wire/databases/(default)/documents/c/a HTTP/1.1\r\n"
          + "Host: localhost\r\nConnection: close\r\n\r\n")
      _ = await connection.text()
      let lines = try await Self.page(of: server)
      for line in [
        "\(Self.series){code=\"OK\",method=\"RunQuery\",transport=\"grpc\"} 2",
        "\(Self.series){code=\"FAILED_PRECONDITION\",method=\"RunQuery\",transport=\"grpc\"} 1",
        "\(Self.series){code=\"NOT_FOUND\",method=\"GetDocument\",transport=\"rest\"} 1",
        "hearth_query_duration_seconds_count{outcome=\"ok\"} 2",
        "hearth_query_duration_seconds_count{outcome=\"failed_precondition\"} 1",
        "hearth_server_databases 1", "# TYPE process_resident_memory_bytes gauge",
      ] {
        #expect(lines.contains(line), "\(line)")
      }
    }
  }

  @Test func theTextIsPrometheus() {
    let registry = MetricsRegistry()
    let labels = [("b.c", "a \"quote\"\\\n"), ("a", "1")]
    registry.makeCounter(label: "x-y.z", dimensions: labels).increment(by: 3)
    registry.makeCounter(label: "x-y.z", dimensions: labels).increment(by: 4)
    let timer = registry.makeTimer(label: "t", dimensions: [])
    for nanoseconds: Int64 in [100_000, 100_001, 20_000_000_000] {
      timer.recordNanoseconds(nanoseconds)
    }
    var page = MetricsPage()
    registry.write(to: &page)
    let lines = page.text.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(5) == [
        "# TYPE x_y_z_total counter", #"x_y_z_total{a="1",b_c="a \"quote\"\\\n"} 7"#,
        "# TYPE t_seconds histogram", #"t_seconds_bucket{le="0.0001"} 1"#,
        #"t_seconds_bucket{le="0.00025"} 2"#,
      ])
    #expect(
      lines.suffix(4) == [
        #"t_seconds_bucket{le="10"} 2"#, #"t_seconds_bucket{le="+Inf"} 3"#,
        "t_seconds_sum 20.000200001", "t_seconds_count 3",
      ])
  }

  @Test func aGaugeIsTheSumOfItsOwners() {
    let registry = MetricsRegistry()
    func value() -> Double {
      var page = MetricsPage()
      registry.write(to: &page)
      return page.text.split(separator: " ").last.flatMap { Double($0.dropLast()) } ?? .nan
    }
    let first = Gauge(label: "g", dimensions: [], factory: registry)
    first.record(5)
    do {
      let second = Gauge(label: "g", dimensions: [], factory: registry)
      second.record(7)
      second.record(3)
      #expect(value() == 8)
      withExtendedLifetime(second) {}
    }
    #expect(value() == 5)
    withExtendedLifetime(first) {}
  }
}
