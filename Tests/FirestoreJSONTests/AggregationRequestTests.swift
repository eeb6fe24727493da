import HearthDocumentModel
import HearthFirestoreJSON
import HearthQueryPlanning
import Testing

@Suite struct AggregationRequestTests {
  private func refusal(_ body: String) -> String? {
    thrown(DatabaseError.self) { _ = try LoggedQuery(json: Array(body.utf8)) }?.message
  }

  private func query(
    _ json: String, below parent: ResourcePath = .root
  ) throws -> AggregationQuery {
    guard case .figures(let query) = try LoggedQuery(json: Array(json.utf8), below: parent).query
    else { throw DatabaseError(.internal, "A query for documents was read for \(json).") }
    return query
  }

  @Test func readsAndWritesFigures() throws {
    let n = try FieldPath("n")
    let query = AggregationQuery(
      StructuredQuery(collectionID: "c", limit: 3),
      [
        .count(), .count(upTo: 5, as: "c"), .sum(n, as: "s"), .average(n), .count(upTo: -1),
      ])
    #expect(
      query.json
        == #"{"structuredQuery":{"from":[{"collectionId":"c"}],"limit":3},"aggregations":"#
        + #"[{"count":{}},{"count":{"upTo":"5"},"alias":"c"},"#
        + #"{"sum":{"field":{"fieldPath":"n"}},"alias":"s"},{"avg":{"field":{"fieldPath":"n"}}},"#
        + #"{"count":{"upTo":"-1"}}]}"#)
    #expect(try self.query(query.json) == query)
    let body = "{\"structuredAggregationQuery\": \(query.json), \"explainOptions\": {}}"
    var expected = LoggedQuery(.figures(query))
    expected.explain = ExplainOptions(analyze: false)
    #expect(try LoggedQuery(json: Array(body.utf8)) == expected)
  }

  @Test func aLimitOfACountMayBeAMessage() throws {
    func counts(_ limit: String) throws -> [Aggregation] {
      try query("{\"aggregations\": [{\"count\": {\"upTo\": \(limit)}}]}").aggregations
    }
    for limit in ["3", "\"3\"", "{\"value\": 3}", "{\"value\": \"3\"}"] {
      #expect(try counts(limit) == [.count(upTo: 3)], "\(limit)")
    }
    #expect(try counts("{}") == [.count(upTo: 0)])
  }

  @Test func aQueryIsNotNeeded() throws {
    let aggregation = try query(
      "{\"aggregations\": [{\"count\": {}}]}", below: try ResourcePath("c/d"))
    #expect(
      aggregation
        == AggregationQuery(
          StructuredQuery(collectionID: "", below: try ResourcePath("c/d")), [.count()]))
  }

  @Test(arguments: [
    (
      "{\"structuredAggregationQuery\": null}",
      "Only structured aggregation queries are supported."
    ),
    (
      #"{"structuredAggregationQuery": {"aggregations": [{"alias": "x"}]}}"#,
      "Operator field in Aggregation is not set."
    ),
    (
      #"{"structuredAggregationQuery": {"aggregations": [{"sum": {}}]}}"#,
      "Invalid empty property path string."
    ),
    (
      #"{"structuredAggregationQuery": {"aggregations": "#
        + #"[{"sum": {"field": {"fieldPath": "1"}}}]}}"#,
      "Invalid property path \"1\". Unquoted property paths must match regex "
        + "([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
        + "(`(?:[^`\\\\]|(?:\\\\.))+`)"
    ),
    (
      #"{"structuredAggregationQuery": {"aggregations": [{"count": {"upTo": "x"}}]}}"#,
      "Invalid value at 'structured_aggregation_query.aggregations[0].count.up_to.value' "
        + "(TYPE_INT64), \"x\""
    ),
    (
      #"{"structuredAggregationQuery": {"extra": 1}}"#,
      "Invalid JSON payload received. Unknown name \"extra\" at 'structured_aggregation_query': "
        + "Cannot find field."
    ),
    (
      #"{"structuredAggregationQuery": {"aggregations": [{"count": {}, "avg": {}}]}}"#,
      "Invalid value at 'structured_aggregation_query.aggregations[0]' (oneof), oneof field "
        + "'operator' is already set. Cannot set 'avg'"
    ),
  ])
  func refuses(_ body: String, _ message: String) {
    #expect(refusal(body) == message)
  }
}
