import Hearth
import HearthDocumentModel
import HearthFirestoreJSON
import HearthQueryPlanning
import HearthServer
import HearthServerCalls
import ServerTestClient
import Testing

/// Hearth's own administration below `/hearth/v1/`.
@Suite(.timeLimit(.minutes(5))) struct InspectionTests {
  private static let owner = "Bearer owner"
  private static let database = "/hearth/v1/\(RulesClient.database)"

  private static let queryByNumber = #"""
    {"structuredQuery": {"from": [{"collectionId": "c"}], "orderBy": [
      {"field": {"fieldPath": "n"}}]}}
    """#
  private static let queryByBoth = #"""
    {"structuredQuery": {"from": [{"collectionId": "c"}], "orderBy": [
      {"field": {"fieldPath": "n"}}, {"field": {"fieldPath": "m"}}]}}
    """#

  /// Runs `body` with a client of a server that holds two documents.
  private static func withDocuments(
    _ body: (RulesClient) async throws -> Void
  ) async throws {
    try await RulesClient.with { client, _ in
      let fields = #"{"n": {"integerValue": "1"}, "m": {"integerValue": "1"}}"#
      for id in ["a", "b"] { try await client.set("c/\(id)", fields) }
      try await body(client)
    }
  }

  @Test func callsAreKeptWithTheirWork() async throws {
    try await Self.withDocuments { client in
      for body in [Self.queryByNumber, Self.queryByBoth] {
        _ = try await client.send("POST", "\(RulesClient.documents):runQuery", body)
      }
      let calls = try await client.send("GET", "/hearth/v1/calls").json["calls"]?.elements ?? []
      #expect(calls.count == 4)
      #expect(calls[0]["method"]?.string == "UpdateDocument")
      #expect(calls[2]["subject"]?.string == "c order by n")
      for (name, count) in [("entriesRead", 2), ("documentsRead", 2), ("answers", 2)] {
        #expect(calls[2][name]?.line == "\(count)", "\(name)")
      }
      #expect(calls[3]["code"]?.string == "FAILED_PRECONDITION")
      #expect(calls.map { $0["refused"]?.line } == ["false", "false", "false", "true"])
      #expect(calls[3]["message"]?.string?.contains("create_composite=") == true)
      let later = try await client.send("GET", "/hearth/v1/calls?from=3").json["calls"]
      #expect(later?.elements.count == 1)
      let whole = try await client.send("GET", "/hearth/v1/calls/3").json
      #expect(whole["request"]?["structuredQuery"]?["orderBy"]?.elements.count == 2)
      #expect(try await client.send("GET", "/hearth/v1/calls/4").status == 404)
      #expect(try await client.send("GET", "/hearth/v1/calls?from=x").status == 400)
    }
  }

  @Test func aLogKeepsTheLastThousand() {
    let log = CallLog()
    #expect(log.calls(from: 0).isEmpty && log.call(0) == nil)
    for _ in 0..<1_005 {
      log.note(CallEnd(method: "GetDocument", duration: .zero, error: nil))
    }
    #expect(log.calls(from: 0).map(\.number) == Array(5..<1_005))
    #expect(log.calls(from: 1_003).map(\.number) == [1_003, 1_004])
    #expect(log.call(4) == nil && log.call(5)?.number == 5 && log.call(1_005) == nil)
  }

  @Test func largeRequestsAreNotKept() {
    let log = CallLog()
    for count in [8 << 10, 8 << 10 + 1] {
      let bytes = [UInt8](repeating: 0, count: count)
      log.note(
        CallEnd(method: "Commit", duration: .zero, error: nil, request: ("CommitRequest", bytes)))
    }
    #expect(log.call(0)?.request?.bytes.count == 8 << 10 && log.call(1)?.request == nil)
  }

  /// A listener's query may be large, and any client can send it.
  @Test func littleIsKeptOfAListener() throws {
    let log = CallLog()
    let values = (0..<20_000).map { Value.integer(Int64($0)) }
    var query = StructuredQuery(collectionID: "c", below: .root)
    query.filter = .field(FieldPath(unchecked: ["n"]), .in, .array(values))
    let requested = RequestedQuery(.documents(query), in: .default)
    let error = DatabaseError(.failedPrecondition, String(repeating: "x", count: 100_000))
    log.note(CallEnd(method: "Listen", duration: nil, error: error, query: requested))
    let call = try #require(log.call(0))
    #expect(call.json.text.count < 4_000 && call.json["milliseconds"] == nil)
    #expect(call.json["subject"]?.string?.hasPrefix("c where n in [0, 1") == true)
    #expect(call.json["database"]?.string == "\(DatabaseID.default)")
  }

  /// Other calls push no query without its index out.
  @Test func refusalsAreKeptLonger() throws {
    let database = try Database.inMemory()
    let query = try database.collection("c").query.order(by: "a").order(by: "b")
    let refusal = #expect(throws: DatabaseError.self) { try query.getDocuments() }
    let log = CallLog()
    log.note(
      CallEnd(method: "Commit", duration: .zero, error: DatabaseError(.failedPrecondition, "old")))
    #expect(log.refusals.ofCalls == 0)
    for duration in [Duration.zero, nil] {
      log.note(CallEnd(method: "RunQuery", duration: duration, error: refusal))
    }
    #expect(log.refusals.ofCalls == 1 && log.refusals.ofListeners == 1)
    for _ in 0..<2_000 { log.note(CallEnd(method: "GetDocument", duration: .zero, error: nil)) }
    #expect(log.calls(from: 0).prefix(3).map(\.number) == [1, 2, 1_003])
    #expect(log.call(1)?.number == 1 && log.call(0) == nil)
    #expect(log.calls(from: 2).first?.number == 2 && CallLog().id != log.id)
  }

  @Test func samplesHoldTheCallsOfTheirTime() {
    var totals = CallTotals()
    let series = HistogramSeries(.seconds)
    for _ in 0..<99 { series.record(0.002) }
    series.record(3.0)
    totals.add(series.distribution, code: "OK")
    let history = HealthHistory()
    let figures = HealthFigures(
      listenerCount: 7, connectionCount: 3, memoryByteCount: nil, diskByteCount: 9)
    history.note(totals, figures)
    totals.add(series.distribution, code: "NOT_FOUND")
    totals.refusedCount += 3
    history.note(totals, figures)
    let samples = history.json["samples"]?.elements ?? []
    #expect(samples.map { $0["calls"]?.line } == ["100", "100"])
    #expect(samples.map { $0["failed"]?.line } == ["0", "100"])
    #expect(samples.map { $0["refused"]?.line } == ["0", "3"])
    #expect(samples[1]["listeners"]?.line == "7" && samples[1]["memoryBytes"] == nil)
    // All but one are between 1 and 2.5 ms, and the last is between 2.5 and 5 s.
    #expect(series.distribution.quantile(0.99) == 0.0025)
    #expect(series.distribution.quantile(1) == 5)
    #expect(HistogramSeries(.seconds).distribution.quantile(0.5) == nil)
    for _ in 0..<400 { history.note(totals, figures) }
    #expect(history.json["samples"]?.elements.count == 360)
  }

  @Test func indexesAreHiddenAndTheirUseIsTold() async throws {
    try await Self.withDocuments { client in
      let index = #"""
        {"queryScope": "COLLECTION", "fields": [
          {"fieldPath": "n", "order": "ASCENDING"}, {"fieldPath": "m", "order": "ASCENDING"}]}
        """#
      let group = "/v1/\(RulesClient.database)/collectionGroups/c"
      var operation = try await client.send("POST", "\(group)/indexes", index).json
      while operation["done"] == nil {
        operation = try await client.send("GET", "/v1/\(operation["name"]?.string ?? "")").json
      }
      let run = { () async throws -> Int in
        try await client.send(
          "POST", "\(RulesClient.documents):runQuery", Self.queryByBoth
        ).status
      }
      #expect(try await run() == 200)
      func row() async throws -> JSONValue {
        let answer = try await client.send("GET", "\(Self.database)/indexes")
        return try #require(answer.json["indexes"]?.elements.first)
      }
      let used = try await row()
      #expect(used["queries"]?.line == "1" && used["hidden"]?.line == "false")
      let name = try #require(used["name"]?.string)
      #expect(try await client.send("POST", "/hearth/v1/\(name):hide").status == 200)
      #expect(try await row()["hidden"]?.line == "true")
      #expect(try await run() == 400)
      #expect(try await client.send("POST", "/hearth/v1/\(name):unhide").status == 200)
      #expect(try await run() == 200)
      #expect(try await client.send("POST", "/hearth/v1/\(name)9:hide").status == 404)
    }
  }

  @Test func theReasonsAgainstOtherIndexesAreTold() async throws {
    try await Self.withDocuments { client in
      let answer = try await client.send(
        "POST", "\(Self.database)/documents:explain", Self.queryByNumber)
      let reasons = answer.json["indexesNotUsed"]?.elements ?? []
      #expect(reasons.contains { $0["index"]?.string?.contains("n DESC") == true }, "\(answer)")
      let none = try await client.send("POST", "\(Self.database)/documents:explain", "{}")
      #expect(none.status == 400)
    }
  }

  @Test func rulesAreTried() async throws {
    try await Self.withDocuments { client in
      func attempt(_ body: String) async throws -> JSONAnswer {
        try await client.send("POST", "\(Self.database):tryRules", body, as: Self.owner)
      }
      #expect(try await attempt(#"{"method": "get", "path": "c/a"}"#).status == 400)
      try await client.allow(
        """
        match /c/{id} {
          allow get, list: if true;
          allow update: if request.auth.token.admin == true && request.resource.data.n == 2;
        }
        """)
      let listed = try await attempt(#"{"method": "list", "path": "c"}"#)
      #expect(listed.json["allowed"]?.line == "true")
      let denied = try await attempt(
        #"{"method": "update", "path": "c/a", "auth": {"uid": "a", "token": {"admin": true}}}"#)
      #expect(denied.json["allowed"]?.line == "false")
      #expect(denied.json["statements"]?.elements.first?["line"]?.line == "5")
      let allowed = try await attempt(
        #"""
        {"method": "update", "path": "c/a", "auth": {"uid": "a", "token": {"admin": true}},
         "fields": {"n": {"integerValue": "2"}}}
        """#)
      #expect(allowed.json["allowed"]?.line == "true", "\(allowed)")
      // It is only tried.
      let kept = try await client.send("GET", "\(RulesClient.documents)/c/a", as: Self.owner)
      #expect(kept.json["fields"]?["n"]?["integerValue"]?.string == "1")
      let other = try await attempt(
        #"""
        {"method": "get", "path": "c/a", "rules":
         "service cloud.firestore { match /none/{id} { allow read: if false; } }"}
        """#)
      #expect(other.json["allowed"]?.line == "false")
      for body in [
        "{}", #"{"method": "get", "path": "c"}"#, #"{"method": "list", "path": "c/a"}"#,
        #"{"method": "get", "path": "c/a", "rules": "no"}"#,
        #"{"method": "list", "query": "c where"}"#,
        #"{"method": "get", "path": "c/a", "auth": {}}"#,
        #"{"method": "get", "path": "c/a", "auth": "ada"}"#,
      ] {
        #expect(try await attempt(body).status == 400, "\(body)")
      }
    }
  }
}
