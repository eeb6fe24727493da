#if Tracing
  import Hearth
  import InMemoryTracing
  import Testing
  import Tracing

  @Suite struct TracingTests {
    private let tracer = InMemoryTracer()
    private let database: Database
    private let cities: CollectionReference

    init() throws {
      var observability = Observability()
      observability.tracer = tracer
      database = try Database.inMemory(observability: observability)
      cities = try database.collection("cities")
    }

    private var spans: [FinishedInMemorySpan] { tracer.finishedSpans }

    @Test func aCallIsASpan() throws {
      try cities.document("tokyo").setData(["n": 1])
      _ = try cities.getDocuments()
      let refused = try cities.whereField("a", isEqualTo: 1).order(by: "n")
      #expect(code { _ = try refused.getDocuments() } == .failedPrecondition)
      #expect(spans.map(\.operationName) == ["hearth.commit", "hearth.query", "hearth.query"])
      #expect(spans[1].attributes.get("hearth.entries") == .int64(1))
      #expect(spans[1].attributes.get("hearth.documents") == .int64(1))
      #expect(spans.map(\.errors.count) == [0, 0, 1])
      #expect(tracer.activeSpans.isEmpty)
    }

    @Test func aCallIsAChildOfTheCallersSpan() async throws {
      try await withSpanOfTheTest {
        _ = try await cities.getDocuments()
        try await database.runTransaction { _ = try await $0.getDocuments(cities) }
      }
      #expect(
        spans.map(\.operationName)
          == ["hearth.query", "hearth.query", "hearth.transaction", "test"])
      let parents = spans.map(\.parentSpanID)
      #expect(parents[0] == spans[3].spanID)
      #expect(parents[1] == spans[2].spanID)
      #expect(parents[2] == spans[3].spanID)
    }

    private func withSpanOfTheTest(_ body: () async throws -> Void) async throws {
      let span = tracer.startSpan("test")
      try await ServiceContext.withValue(span.context) { try await body() }
      span.end()
    }
  }
#endif
