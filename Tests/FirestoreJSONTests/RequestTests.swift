import HearthDocumentModel
import HearthFirestoreJSON
import HearthQueryPlanning
import Testing

@Suite struct RequestTests {
  private static let documents = "projects/demo-project/databases/(default)/documents"

  private func query(_ json: String) throws -> StructuredQuery {
    let logged = try LoggedQuery(json: Array("{\"structuredQuery\":\(json)}".utf8))
    guard case .documents(let query) = logged.query else {
      throw DatabaseError(.internal, "Figures were read for \(json).")
    }
    return query
  }

  private func refusal(_ body: String, below parent: ResourcePath = .root) -> String? {
    thrown(DatabaseError.self) { _ = try LoggedQuery(json: Array(body.utf8), below: parent) }?
      .message
  }

  @Test func readsEveryPartOfAQuery() throws {
    let query = try query(
      """
      {"select": {"fields": [{"fieldPath": "a"}, {"fieldPath": "`x y`.z"}]},
       "from": [{"collectionId": "c", "allDescendants": true}],
       "where": {"compositeFilter": {"op": "OR", "filters": [
         {"fieldFilter": {"field": {"fieldPath": "n"}, "op": "NOT_IN",
           "value": {"arrayValue": {"values": [{"integerValue": "1"}]}}}},
         {"unaryFilter": {"field": {"fieldPath": "m"}, "op": "IS_NOT_NAN"}}]}},
       "orderBy": [{"field": {"fieldPath": "n"}, "direction": "DESCENDING"},
                   {"field": {"fieldPath": "__name__"}}],
       "startAt": {"values": [{"integerValue": 3}], "before": true}, "endAt": {},
       "offset": 4, "limit": 5,
       "findNearest": {"vectorField": {"fieldPath": "e"}, "queryVector": {"mapValue": {"fields": {
         "__type__": {"stringValue": "__vector__"},
         "value": {"arrayValue": {"values": [{"doubleValue": 1}, {"doubleValue": "2"}]}}}}},
         "distanceMeasure": "DOT_PRODUCT", "limit": 3, "distanceResultField": "d",
         "distanceThreshold": 0.5}}
      """)
    let n = try FieldPath("n")
    let expected = StructuredQuery(
      collectionID: "c", allDescendants: true,
      filter: .or([.field(n, .notIn, [1]), .unary(try FieldPath("m"), .isNotNaN)]),
      projection: [try FieldPath("a"), try FieldPath("`x y`.z")],
      orders: [Order(n, .descending), Order(.documentID)],
      start: Cursor([3], isBefore: true), end: Cursor([], isBefore: false), offset: 4, limit: 5,
      nearest: NearestNeighbors(
        try FieldPath("e"), to: [1, 2], by: .dotProduct, limit: 3, distanceField: "d",
        threshold: 0.5))
    #expect(query == expected)
  }

  @Test func numbersThatMayBeAbsentMayBeMessages() throws {
    let plain = try query(
      """
      {"from": [{"collectionId": "c"}], "limit": 5, "findNearest": {
       "vectorField": {"fieldPath": "e"}, "queryVector": {"mapValue": {"fields": {
         "__type__": {"stringValue": "__vector__"},
         "value": {"arrayValue": {"values": [{"doubleValue": 1}]}}}}},
       "distanceMeasure": "COSINE", "limit": 3, "distanceThreshold": 0.5}}
      """)
    let wrapped = try query(
      """
      {"from": [{"collectionId": "c"}], "limit": {"value": 5}, "findNearest": {
       "vectorField": {"fieldPath": "e"}, "queryVector": {"mapValue": {"fields": {
         "__type__": {"stringValue": "__vector__"},
         "value": {"arrayValue": {"values": [{"doubleValue": 1}]}}}}},
       "distanceMeasure": "COSINE", "limit": {"value": "3"}, "distanceThreshold": {"value": 0.5}}}
      """)
    #expect(plain == wrapped)
    #expect(wrapped.limit == 5 && wrapped.nearest?.limit == 3)
    #expect(wrapped.nearest?.threshold == 0.5)
    #expect(try query(#"{"limit": {"value": 7}}"#).limit == 7)
    #expect(try query(#"{"limit": {}}"#).limit == 0)
  }

  @Test func namesEnumsNumbersAndAbsenceMayBeWrittenOtherwise() throws {
    let plain = try query(
      """
      {"from": [{"collectionId": "c"}], "where": {"fieldFilter": {"field": {"fieldPath": "n"},
       "op": "GREATER_THAN_OR_EQUAL", "value": {"integerValue": "1"}}},
       "orderBy": [{"field": {"fieldPath": "n"}, "direction": "DESCENDING"}], "limit": 2}
      """)
    let other = try query(
      """
      {"from": [{"collection_id": "c", "all_descendants": null,},], "where": {"field_filter":
       {"field": {"field_path": "n"}, "op": 4, "value": {"integer_value": 1}}}, "select": null,
       "order_by": [{"field": {"fieldPath": "n"}, "direction": "descending"}], "limit": "2",}
      """)
    #expect(plain == other)
    for number in 1...10 {
      let op = try query(
        """
        {"where": {"fieldFilter": {"field": {"fieldPath": "n"}, "op": \(number),
        "value": {"nullValue": null}}}}
        """)
      guard case .field(_, let comparison, .null)? = op.filter else {
        Issue.record("\(number): \(op)")
        continue
      }
      let inOrder: [Filter.Comparison] = [
        .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .notEqual,
        .arrayContains, .in, .arrayContainsAny, .notIn,
      ]
      #expect(comparison == inOrder[number - 1])
    }
    #expect(try query("{}") == StructuredQuery(collectionID: ""))
    #expect(try query("{\"from\": []}") == StructuredQuery(collectionID: ""))
    #expect(try query("{\"select\": {}}").projection == [])
  }

  /// The text after `where`, and the refusal.
  @Test(arguments: [
    ("{}", "Unknown Filter type."),
    (
      #"{"fieldFilter": {"field": {"fieldPath": "n"}, "op": 99, "value": {"integerValue": "1"}}}"#,
      "Unknown FieldFilter operator."
    ),
    (
      #"{"fieldFilter": {"field": {"fieldPath": "n"}, "op": "EQUAL"}}"#,
      "Cannot convert firestore.v1.Value with type unset."
    ),
    (
      #"{"fieldFilter": {"op": "EQUAL", "value": {"integerValue": "1"}}}"#,
      "Invalid empty property path string."
    ),
    (
      #"{"unaryFilter": {"field": {"fieldPath": "n"}, "op": "OPERATOR_UNSPECIFIED"}}"#,
      "Unknown UnaryFilter operator."
    ),
    (#"{"unaryFilter": {"op": "IS_NULL"}}"#, "Unsupported UnaryFilter operand type (non-FIELD)."),
    (#"{"compositeFilter": {"filters": []}}"#, "Unsupported CompositeFilter operator."),
    (
      #"{"fieldFilter": {"field": {"fieldPath": "n"}, "op": "SIMILAR_TO", "value": {}}}"#,
      "Invalid value at 'structured_query.where.field_filter.op' (type.googleapis.com/"
        + "google.firestore.v1.StructuredQuery.FieldFilter.Operator), \"SIMILAR_TO\""
    ),
    (
      #"{"fieldFilter": {"value": {"integerValue": "1", "stringValue": "a"}}}"#,
      "Invalid value at 'structured_query.where.field_filter.value' (oneof), oneof field "
        + "'value_type' is already set. Cannot set 'stringValue'"
    ),
    (
      #"{"fieldFilter": {}, "unaryFilter": {}}"#,
      "Invalid value at 'structured_query.where' (oneof), oneof field 'filter_type' is already "
        + "set. Cannot set 'unaryFilter'"
    ),
    (
      #"{"compositeFilter": {"op": "AND", "filters": [{}, {"fieldFilter": {"oops": 1}}]}}"#,
      "Invalid JSON payload received. Unknown name \"oops\" at "
        + "'structured_query.where.composite_filter.filters[1].field_filter': Cannot find field."
    ),
  ])
  func refusesFilters(_ filter: String, _ message: String) {
    #expect(refusal("{\"structuredQuery\": {\"where\": \(filter)}}") == message)
  }

  /// The query, and the refusal.
  @Test(arguments: [
    (
      #"{"from": [{"collectionId": "a"}, {"collectionId": "b"}]}"#,
      "StructuredQuery.from cannot have more than one collection selector."
    ),
    (
      #"{"select": {"fields": [{"fieldPath": "__x__"}]}}"#,
      "Invalid reserved name in field path __x__"
    ),
    (
      #"{"limit": 2147483648}"#,
      "Invalid value at 'structured_query.limit.value' (TYPE_INT32), 2147483648"
    ),
    (
      #"{"limit": {"value": 1.5}}"#,
      "Invalid value at 'structured_query.limit.value' (TYPE_INT32), 1.5"
    ),
    (
      #"{"limit": {"value": 1, "x": 1}}"#,
      "Invalid JSON payload received. Unknown name \"x\" at 'structured_query.limit': "
        + "Cannot find field."
    ),
    (
      #"{"findNearest": {"vectorField": {"fieldPath": "e"}, "limit": {"value": "x"}}}"#,
      "Invalid value at 'structured_query.find_nearest.limit.value' (TYPE_INT32), \"x\""
    ),
    (
      #"{"findNearest": {"vectorField": {"fieldPath": "e"}}}"#,
      "Cannot convert firestore.v1.Value with type unset."
    ),
    (#"{"offset": 0.5}"#, "Invalid value at 'structured_query.offset' (TYPE_INT32), 0.5"),
    (
      #"{"findNearest": {"vectorField": {"fieldPath": "e"}, "queryVector": {"integerValue": 1}}}"#,
      "Query Value must be of type vector."
    ),
    (
      """
      {"findNearest": {"vectorField": {"fieldPath": "e"}, "queryVector": {"mapValue": {"fields": {
      "__type__": {"stringValue": "__vector__"}, "value": {"arrayValue": {}}}}}}}
      """, "Unknown Distance Measure."
    ),
  ])
  func refusesQueries(_ query: String, _ message: String) {
    #expect(refusal("{\"structuredQuery\": \(query)}") == message)
  }

  /// The body of a request, and the refusal.
  @Test(arguments: [
    ("{\"structuredQuery\": null}", "only structured queries are supported"),
    (
      "[]", "Invalid JSON payload received. Unknown name \"\": Root element must be a message."
    ),
    (
      "\"text\"",
      "Invalid JSON payload received. Unknown name \"\": Root element must be a message."
    ),
    ("not json", "Invalid JSON payload received. Unexpected token.\nnot json\n^"),
    (
      "{\"structuredQuery\":",
      "Invalid JSON payload received. Unexpected end of string. Expected a value.\n\n^"
    ),
    (
      "{\"structuredQuery\": {}, \"extra\": 1}",
      "Invalid JSON payload received. Unknown name \"extra\": Cannot find field."
    ),
    (
      "{\"structuredQuery\": {\"extra\": 1}}",
      "Invalid JSON payload received. Unknown name \"extra\" at 'structured_query': "
        + "Cannot find field."
    ),
    (
      "{\"structuredQuery\": {}, \"readTime\": \"2026-01-01T00:00:00.000000001Z\"}",
      "timestamp cannot have more than microseconds precision"
    ),
    (
      "{\"structuredQuery\": {}, \"readTime\": null, \"transaction\": \"AA==\", "
        + "\"newTransaction\": {}}",
      "Invalid value (oneof), oneof field 'consistency_selector' is already set. "
        + "Cannot set 'newTransaction'"
    ),
  ])
  func refusesBodies(_ body: String, _ message: String) {
    #expect(refusal(body) == message)
  }

  @Test func theShapeIsCheckedBeforeTheMeaning() {
    let message = refusal(
      """
      {"structuredQuery": {"where": {}, "select": {"fields": [{"fieldPath": "a..b"}]}, "limit": []}}
      """)
    #expect(
      message
        == "Invalid value at 'structured_query.limit.value' (TYPE_INT32), a list")
    #expect(
      refusal("{\"structuredQuery\": {\"where\": {}, \"select\": {\"fields\": [{}]}}}")
        == "Unknown Filter type.")
  }

  @Test func aPostToATopLevelCollectionCreatesADocument() throws {
    #expect(
      refusal("{\"structuredQuery\": {}}", below: try ResourcePath("c"))
        == "Invalid JSON payload received. Unknown name \"structuredQuery\" at 'document': "
        + "Cannot find field.")
  }

  @Test func readsWhatStandsBesideAQuery() throws {
    let request = { (rest: String) in
      try LoggedQuery(json: Array("{\"structuredQuery\": {}\(rest)}".utf8))
    }
    #expect(try request("").consistency == nil)
    #expect(try request("").explain == nil)
    #expect(try request(", \"explainOptions\": {}").explain == ExplainOptions(analyze: false))
    #expect(
      try request(", \"explain_options\": {\"analyze\": true}").explain
        == ExplainOptions(analyze: true))
    #expect(
      try request(", \"transaction\": \"AAE=\"").consistency == .transaction([0, 1]))
    let time = try Timestamp(rfc3339: "2026-01-01T00:00:00.000001Z")
    #expect(
      try request(", \"readTime\": \"2026-01-01T00:00:00.000001000Z\"").consistency
        == .readTime(time))
    #expect(
      try request(", \"newTransaction\": {\"readWrite\": {}}").consistency
        == .newTransaction(.readWrite))
    let readOnly = "{\"readOnly\": {\"readTime\": \"\(time.rfc3339)\"}}"
    #expect(
      try request(", \"newTransaction\": \(readOnly)").consistency
        == .newTransaction(.readOnly(readTime: time)))
  }

  @Test func everyQueryIsReadBack() throws {
    for seed in generatedSeeds() {
      var generator = SeededGenerator(seed: seed)
      let query = try generator.query()
      let json = query.json
      #expect(
        try LoggedQuery(json: Array(json.utf8)).query == .documents(query), "seed \(seed): \(json)")
    }
  }
}
