import HearthDocumentModel
import HearthFirestoreJSON
import HearthQueryPlanning
import Testing

@Suite struct WriteRequestTests {
  private static let documents = "projects/demo-project/databases/(default)/documents"

  private func write(_ json: String) throws -> Write {
    let body = json.replacing("P/", with: "\(Self.documents)/")
    return try #require(
      try CommitMessage(json: Array("{\"writes\": [\(body)]}".utf8), in: .default).writes.first)
  }

  private func refusal(_ json: String) -> String? {
    thrown(DatabaseError.self) { _ = try write(json) }?.message
      .replacing("\(Self.documents)/", with: "P/")
  }

  @Test func readsEveryOperation() throws {
    let path = try ResourcePath("c/x")
    let time = try Timestamp(rfc3339: "2026-01-01T00:00:00Z")
    #expect(try write(#"{"update": {"name": "P/c/x"}}"#) == .set(path, [:]))
    #expect(
      try write(
        #"{"update": {"name": "P/c/x", "fields": {"a": {"integerValue": 1}}},"#
          + #""updateMask": {"fieldPaths": ["a", "`b.c`.d"]}, "currentDocument": {"exists": true}}"#
      )
        == Write(
          path: path,
          operation: .update(
            fields: ["a": 1], mask: [try FieldPath("a"), try FieldPath("`b.c`.d")]),
          precondition: .exists(true)))
    #expect(
      try write(#"{"delete": "P/c/x", "currentDocument": {"updateTime": "2026-01-01T00:00:00Z"}}"#)
        == .delete(path, .updateTime(time)))
    #expect(
      try write(#"{"verify": "P/c/x", "currentDocument": {}}"#)
        == Write(path: path, operation: .verify))
  }

  @Test func readsTransforms() throws {
    let transforms = """
      [{"fieldPath": "a", "setToServerValue": "REQUEST_TIME"},
       {"fieldPath": "b.c", "increment": {"integerValue": "2"}},
       {"fieldPath": "d", "maximum": {"doubleValue": 0.5}},
       {"fieldPath": "e", "minimum": {"integerValue": "1"}},
       {"fieldPath": "f", "appendMissingElements": {"values": [{"stringValue": "x"}]}},
       {"fieldPath": "g", "removeAllFromArray": {"values": [{"nullValue": null}]}}]
      """
    let expected = [
      FieldTransform(try FieldPath("a"), .serverTimestamp),
      FieldTransform(try FieldPath("b.c"), .increment(2)),
      FieldTransform(try FieldPath("d"), .maximum(0.5)),
      FieldTransform(try FieldPath("e"), .minimum(1)),
      FieldTransform(try FieldPath("f"), .arrayUnion(["x"])),
      FieldTransform(try FieldPath("g"), .arrayRemove([.null])),
    ]
    let path = try ResourcePath("c/x")
    #expect(
      try write(#"{"update": {"name": "P/c/x"}, "updateTransforms": "# + transforms + "}")
        == Write(
          path: path, operation: .update(fields: [:], mask: nil), transforms: expected))
    #expect(
      try write(#"{"transform": {"document": "P/c/x", "fieldTransforms": "# + transforms + "}}")
        == Write(
          path: path, operation: .update(fields: [:], mask: []), transforms: expected))
  }

  @Test(arguments: [
    (#"{"currentDocument": {"exists": true}}"#, "empty write operation"),
    (
      #"{"update": {"name": "P/c/x"}, "delete": "P/c/x"}"#,
      "Invalid value at 'writes[0]' (oneof), oneof field 'operation' is already set. "
        + "Cannot set 'delete'"
    ),
    (
      #"{"update": {"name": "P/c/x"}, "currentDocument": {"exists": true, "updateTime": "x"}}"#,
      "Invalid value at 'writes[0].current_document' (oneof), oneof field 'condition_type' is "
        + "already set. Cannot set 'updateTime'"
    ),
    (
      #"{"delete": "P/c/x", "updateMask": {"fieldPaths": ["a"]}}"#,
      "a delete must not specify a document mask."
    ),
    (
      #"{"delete": "P/c/x", "updateTransforms": [{"fieldPath": "a", "setToServerValue": 1}]}"#,
      "a delete must not specify a update transform."
    ),
    (
      #"{"update": {"name": "P/c/x"}, "updateTransforms": [{"fieldPath": "n", "increment": "#
        + #"{"stringValue": "1"}}]}"#, "Input must be a number."
    ),
    (
      #"{"update": {"name": "projects/demo-project/databases/other/documents/c/x"}}"#,
      "The request was for database 'projects/demo-project/databases/(default)' but was attempting "
        + "to access database 'projects/demo-project/databases/other'"
    ),
    (
      #"{"update": {"name": "P/c/x", "fields": {"b": {}, "a": {"fooValue": 1}}}}"#,
      "Invalid JSON payload received. Unknown name \"fooValue\" at "
        + "'writes[0].update.fields[1].value': Cannot find field."
    ),
    (
      #"{"update": {"name": "P/c/x", "fields": {"a": {"integerValue": "99999999999999999999"}}}}"#,
      "Invalid value at 'writes[0].update.fields[0].value.integer_value' (TYPE_INT64), "
        + "\"99999999999999999999\""
    ),
    (
      #"{"update": {"name": "P/c/x", "fields": {"a": {"referenceValue": "P/x"}}}}"#,
      "Document parent name \"P/x\" lacks \"/\" at index 53."
    ),
    (
      #"{"update": {"name": "P/c/__x__"}}"#,
      "Resource id \"__x__\" is invalid because it is reserved."
    ),
    (#"{"delete": "P/c"}"#, "Document name \"P/c\" lacks \"/\" at index 53."),
    (#"{"delete": ""}"#, "Document name \"\" lacks \"projects\" at index 0."),
    (
      #"{"update": {"name": "P/c/x"}, "updateMask": {"fieldPaths": ["a..b"]}}"#,
      "Invalid property path \"a..b\". Unquoted property paths must match regex "
        + "([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
        + "(`(?:[^`\\\\]|(?:\\\\.))+`)"
    ),
  ])
  func refuses(_ write: String, _ message: String) {
    #expect(refusal(write) == message)
  }

  @Test func readsBatchesAndTransactions() throws {
    let writes =
      "[{\"delete\": \"\(Self.documents)/c/x\"}, {\"delete\": \"\(Self.documents)/c/y\"}]"
    let paths = [try ResourcePath("c/x"), try ResourcePath("c/y")]
    let batch = try BatchWriteMessage(
      json: Array("{\"writes\": \(writes), \"labels\": {\"a\": \"b\"}}".utf8), in: .default)
    #expect(batch.writes == paths.map { .delete($0) })
    let commit = try CommitMessage(
      json: Array("{\"writes\": \(writes), \"transaction\": \"AAE=\"}".utf8), in: .default)
    #expect(commit == CommitMessage(paths.map { .delete($0) }, transaction: [0, 1]))
    #expect(try CommitMessage(json: [], in: .default) == CommitMessage([]))
  }
}
