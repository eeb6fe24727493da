import HearthFirestoreJSON
import ServerTestClient
import Testing

/// Queries that run and are explained (§9.2).
@Suite(.timeLimit(.minutes(5))) struct ExplainTests {
  private static let documents = "/v1/projects/demo-explain/databases/(default)/documents"

  /// Stores two documents, then a third one, and sends a query of the moment between.
  ///
  /// - Parameter body: returns the request by the member that names the moment.
  private static func answer(
    to method: String, _ body: (_ moment: String) -> String, inTransaction: Bool
  ) async throws -> [JSONValue] {
    try await TestServer.with { server in
      _ = try await server.send("PATCH", "\(documents)/c/a", "{}")
      let last = try await server.send("PATCH", "\(documents)/c/b", "{}")
      let begun = try await server.send(
        "POST", "\(documents):beginTransaction", #"{"options": {"readOnly": {}}}"#)
      _ = try await server.send("PATCH", "\(documents)/c/d", "{}")
      let (name, moment) =
        inTransaction
        ? ("transaction", begun["transaction"]?.string)
        : ("readTime", last["updateTime"]?.string)
      let answer = try await server.send(
        "POST", "\(documents):\(method)", body("\"\(name)\": \"\(try #require(moment))\""))
      #expect(answer.status == 200)
      return answer.json.elements
    }
  }

  private static let query = #""structuredQuery": {"from": [{"collectionId": "c"}]}"#
  private static let explained = #""explainOptions": {"analyze": true}"#

  @Test(arguments: [false, true])
  func theMetricsAreOfTheMomentOfTheResults(inTransaction: Bool) async throws {
    let answers = try await Self.answer(
      to: "runQuery", { "{\($0), \(Self.query), \(Self.explained)}" },
      inTransaction: inTransaction)
    #expect(answers.count { $0["document"] != nil } == 2)
    let statistics = answers.last?["explainMetrics"]?["executionStats"]
    #expect(statistics?["resultsReturned"]?.string == "2")
    #expect(statistics?["debugStats"]?["index_entries_scanned"]?.string == "2")
  }

  @Test(arguments: [false, true])
  func theMetricsOfFiguresAreOfTheirMoment(inTransaction: Bool) async throws {
    let answers = try await Self.answer(
      to: "runAggregationQuery",
      {
        "{\($0), \(Self.explained), \"structuredAggregationQuery\": {\(Self.query), "
          + #""aggregations": [{"alias": "n", "count": {}}]}}"#
      }, inTransaction: inTransaction)
    #expect(answers.count == 2)
    let count = answers.first?["result"]?["aggregateFields"]?["n"]?["integerValue"]?.string
    #expect(count == "2")
    let statistics = answers.last?["explainMetrics"]?["executionStats"]
    #expect(statistics?["debugStats"]?["index_entries_scanned"]?.string == "2")
  }
}
