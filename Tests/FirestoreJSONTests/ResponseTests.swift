import HearthDocumentModel
import HearthFirestoreJSON
import Testing

@Suite struct ResponseTests {
  private let time: Timestamp
  private let document: DocumentMessage

  init() throws {
    time = try Timestamp(rfc3339: "2026-01-01T00:00:00.000001Z")
    document = DocumentMessage(
      name: try DocumentName(try ResourcePath("c/x")), fields: ["a": 1], createTime: time,
      updateTime: time)
  }

  @Test func writesResultsOfQueries() {
    let written =
      #"{"name":"projects/demo-project/databases/(default)/documents/c/x","fields":"#
      + #"{"a":{"integerValue":"1"}},"createTime":"2026-01-01T00:00:00.000001Z","#
      + #""updateTime":"2026-01-01T00:00:00.000001Z"}"#
    #expect(
      text(RESTResponse.runQuery(document: document, readTime: time))
        == #"{"document":\#(written),"readTime":"2026-01-01T00:00:00.000001Z"}"#)
    #expect(
      text(RESTResponse.runQuery(skippedResults: 2, readTime: time))
        == #"{"skippedResults":2,"readTime":"2026-01-01T00:00:00.000001Z"}"#)
    #expect(
      text(
        RESTResponse.runAggregationQuery(
          figures: [("count", 3), ("avg", .null)], readTime: time))
        == #"{"result":{"aggregateFields":{"count":{"integerValue":"3"},"#
        + #""avg":{"nullValue":null}}},"readTime":"2026-01-01T00:00:00.000001Z"}"#)
  }

  @Test func writesMetrics() {
    let index = QueryMetrics.UsedIndex(
      queryScope: "Collection", properties: "(a ASC, __name__ ASC)")
    var metrics = QueryMetrics(indexesUsed: [index])
    let plan =
      #""planSummary":{"indexesUsed":[{"query_scope":"Collection","#
      + #""properties":"(a ASC, __name__ ASC)"}]}"#
    #expect(text(RESTResponse.runQuery(metrics: metrics)) == #"{"explainMetrics":{\#(plan)}}"#)
    metrics.execution = .init(
      resultCount: 2, duration: .microseconds(4120), readCount: 3, documentsScanned: 2,
      entriesScanned: 5, billing: [("documents_billable", 2)], figures: [("seeks", 1)])
    #expect(
      text(RESTResponse.runQuery(metrics: metrics))
        == #"{"explainMetrics":{\#(plan),"executionStats":{"resultsReturned":"2","#
        + #""executionDuration":"0.004120s","readOperations":"3","debugStats":{"#
        + #""documents_scanned":"2","index_entries_scanned":"5","#
        + #""billing_details":{"documents_billable":"2"},"seeks":"1"}}}}"#)
    for (duration, expected) in [
      (Duration.seconds(2), "2s"), (.milliseconds(1500), "1.500s"),
      (.nanoseconds(1), "0.000000001s"),
    ] {
      metrics.execution?.duration = duration
      #expect(
        text(RESTResponse.runQuery(metrics: metrics)).contains(
          "\"executionDuration\":\"\(expected)\""))
    }
  }

  @Test func writesResultsOfWrites() {
    let results = [
      WriteResult(updateTime: time), WriteResult(updateTime: time, transformResults: [1, .null]),
    ]
    let time = "\"2026-01-01T00:00:00.000001Z\""
    #expect(
      text(RESTResponse.commit(results, commitTime: self.time))
        == #"{"writeResults":[{"updateTime":\#(time)},{"updateTime":\#(time),"#
        + #""transformResults":[{"integerValue":"1"},{"nullValue":null}]}],"commitTime":\#(time)}"#)
    let refusal = DatabaseError(.notFound, "No \"x\"")
    #expect(
      text(RESTResponse.batchWrite([.success(results[0]), .failure(refusal)]))
        == #"{"writeResults":[{"updateTime":\#(time)},{}],"status":[{},"#
        + #"{"code":5,"message":"No \"x\""}]}"#)
  }
}
