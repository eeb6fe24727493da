import HearthFirestoreJSON

/// Answers of production where those of the recorded emulator are known to differ.
enum ProductionAnswers {
  private static let root = "projects/demo-wire/databases/(default)/documents"

  /// Returns the answer that a step has to get: its responses and its status.
  static func answer(to index: Int, of example: String, recorded step: JSONValue) -> JSONValue {
    if let other = others["\(example) \(index)"],
      let json = try? JSONValue(parsing: Array(other.utf8))
    {
      return json
    }
    if let answer = step["answer"] { return form(ofHTTP: answer).replacingStrings(text) }
    if let messages = step["messages"] {
      let status = step["status"].map { ("status", form(ofStatus: $0)) }
      return JSONValue.object([("messages", messages)] + (status.map { [$0] } ?? []))
        .replacingStrings(text)
    }
    var members: [(String, JSONValue)] = []
    if let responses = step["responses"] {
      members.append(("responses", .array(responses.elements.map(withoutDone))))
    }
    members.append(("status", form(ofStatus: step["status"] ?? .object([]))))
    return JSONValue.object(members).replacingStrings(text)
  }

  private static func form(ofStatus status: JSONValue) -> JSONValue {
    .object(status.members.filter { $0.0 != "status" })
  }

  /// Returns an answer without the type of its content, in which production names a charset.
  private static func form(ofHTTP answer: JSONValue) -> JSONValue {
    let members = answer.members.compactMap { name, value -> (String, JSONValue)? in
      switch name {
      case "headers":
        let others = value.members.filter { $0.0 != "content-type" }
        return others.isEmpty ? nil : (name, .object(others))
      case "body":
        guard case .array(let items) = value else { return (name, value) }
        return (name, .array(items.map(withoutDone)))
      default: return (name, value)
      }
    }
    return .object(members)
  }

  /// Only the emulator says that a response is the last one.
  private static func withoutDone(_ response: JSONValue) -> JSONValue {
    guard case .object(let members) = response else { return response }
    return .object(members.filter { $0.0 != "done" })
  }

  /// Returns production's text for one of the emulator's.
  private static func text(_ emulators: String) -> String {
    if let match = emulators.wholeMatch(of: /Document \((.*)\) not found\./) {
      return "Document \"\(match.output.1)\" not found."
    }
    if let match = emulators.wholeMatch(of: /entity already exists: EntityRef\{.*path=\/(.*)\}/) {
      return "Document already exists: \(root)/\(match.output.1)"
    }
    if emulators.hasPrefix("no entity to update:") {
      let path = emulators.matches(of: /(?:type|name): "([^"]*)"/).map { $0.output.1 }
      return "No document to update: \(root)/\(path.joined(separator: "/"))"
    }
    return emulators
  }

  private static func refusal(_ code: Int, _ message: String) -> String {
    let message = JSONValue.string(message).line
    return "{\"status\": {\"code\": \(code), \"message\": \(message)}}"
  }

  private static func error(_ code: Int, _ message: String, _ status: String) -> String {
    let message = JSONValue.string(message).line
    return "{\"code\": \(code), \"message\": \(message), \"status\": \"\(status)\"}"
  }

  private static func rest(_ code: Int, _ message: String, _ status: String) -> String {
    "{\"status\": \(code), \"body\": {\"error\": \(error(code, message, status))}}"
  }

  private static func success(_ responses: String) -> String {
    "{\"responses\": [\(responses)], \"status\": {\"code\": 0}}"
  }

  private static let contention = refusal(
    10, "Too much contention on these documents. Please try again.")
  private static let isOver = refusal(
    10, "The referenced transaction has expired or is no longer valid.")
  private static let beforeCreation =
    "The requested 'read_time' cannot be before database creation time."

  private static let others = [
    // Production sends the missing ones last.
    "grpc/batch-get 0": success(
      """
      {"found": {"name": "\(root)/c/a",
        "fields": {"n": {"integerValue": "1"}, "t": {"stringValue": "x"}},
        "createTime": "<time:1>", "updateTime": "<time:1>"}, "readTime": "<time:2>"},
      {"found": {"name": "\(root)/c/b",
        "fields": {"n": {"integerValue": "2"}, "t": {"stringValue": "y"}},
        "createTime": "<time:1>", "updateTime": "<time:1>"}, "readTime": "<time:2>"},
      {"missing": "\(root)/c/none", "readTime": "<time:2>"}
      """),
    "grpc/commit-empty 0": success("{\"commitTime\": \"<time:1>\"}"),
    // An earlier time than the file's: the document was never there.
    "grpc/commit-verify 2": success(
      "{\"writeResults\": [{\"updateTime\": \"<any>\"}], \"commitTime\": \"<time:3>\"}"),
    "grpc/commit-refused 2": refusal(3, "Nested arrays are not allowed"),
    "grpc/commit-refused 12": refusal(
      3,
      "The request was for database 'projects/demo-wire/databases/(default)' but was attempting "
        + "to access database 'projects/demo-wire/databases/other'"),
    "grpc/execute-pipeline 0": refusal(
      9,
      "Pipeline Operations are only available for Firestore databases in Enterprise edition.\n\n"
        + "Please switch to an Enterprise edition database to take advantage of such "
        + "functionality."),
    "grpc/get-document-read-time 2": refusal(3, beforeCreation),
    "grpc/partition-query 0": success("{}"),
    "rest/bad-json 0": rest(
      400, "Invalid JSON payload received. <any>", "INVALID_ARGUMENT"),
    "rest/bad-json 1": rest(
      400, "Invalid JSON payload received. Unknown name \"writez\": Cannot find field.",
      "INVALID_ARGUMENT"),
    "rest/bad-json 2": rest(
      400,
      "Invalid value at 'writes[0].update.fields[0].value.integer_value' (TYPE_INT64), \"x\"",
      "INVALID_ARGUMENT"),
    "rest/bad-json 3": rest(
      400,
      "Invalid value at 'writes[0].update.fields[0].value' (oneof), oneof field 'value_type' is "
        + "already set. Cannot set 'stringValue'", "INVALID_ARGUMENT"),
    "rest/delete 0": rest(
      400,
      "the stored version (<micros:1>) does not match the required base version "
        + "(1577836800000000)", "FAILED_PRECONDITION"),
    // The recorded emulator fails, and takes no mask with missing documents.
    "rest/list 1": """
    {"status": 200, "body": {"documents": [{"name": "\(root)/c/a",
      "fields": {"n": {"integerValue": "1"}, "t": {"stringValue": "x"}},
      "createTime": "<time:1>", "updateTime": "<time:1>"}]}}
    """,
    "rest/list 2": """
    {"status": 200, "body": {"documents": [
      {"name": "\(root)/c/a", "fields": {"t": {"stringValue": "x"}},
        "createTime": "<time:1>", "updateTime": "<time:1>"},
      {"name": "\(root)/c/b", "fields": {"t": {"stringValue": "y"}},
        "createTime": "<time:1>", "updateTime": "<time:1>"},
      {"name": "\(root)/c/d", "createTime": "<time:1>", "updateTime": "<time:1>"}]}}
    """,
    // The recorded emulator has no administration.
    "rest/not-there 3": "{\"status\": 200, \"body\": {}}",
    "rest/run-query-error 0": "{\"status\": 400, \"body\": [{\"error\": "
      + error(400, "'IN' requires an non-empty ArrayValue.", "INVALID_ARGUMENT") + "}]}",
    "grpc/run-aggregation-refused 1": refusal(3, "<any>"),
    "grpc/run-query-explain 0": success(
      """
      {"document": {"name": "\(root)/c/a", "createTime": "<time:1>", "updateTime": "<time:1>",
        "fields": {"n": {"integerValue": "1"}, "t": {"stringValue": "x"}}},
        "readTime": "<time:2>"},
      {"explainMetrics": {
        "planSummary": {"indexesUsed": [
          {"query_scope": "Collection", "properties": "(__name__ ASC)"}]},
        "executionStats": {
          "resultsReturned": "1", "readOperations": "1", "executionDuration": "<any>",
          "debugStats": "<any>"}}}
      """),
    "grpc/run-query-no-index 0": refusal(
      9,
      "The query requires an index. You can create it here: https://console.firebase.google.com/"
        + "v1/r/project/demo-wire/firestore/indexes?create_composite=<token:1>"),
    "grpc/run-query-offset 0": success(
      """
      {"skippedResults": 2, "readTime": "<time:2>"},
      {"document": {"name": "\(root)/c/d", "fields": {"n": {"integerValue": "4"}},
        "createTime": "<time:1>", "updateTime": "<time:1>"}, "readTime": "<time:2>"}
      """),
    "grpc/transaction 3": isOver,
    "grpc/transaction 4": isOver,
    "grpc/transaction 5": isOver,
    "grpc/transaction-lock 2": contention,
    // The moment of the transaction, which began before the last commit.
    "grpc/transaction-read-only 2": success(
      """
      {"found": {"name": "\(root)/c/a", "createTime": "<time:1>", "updateTime": "<time:1>",
        "fields": {"n": {"integerValue": "1"}, "t": {"stringValue": "x"}}}, "readTime": "<any>"}
      """),
    "grpc/transaction-read-only 5": success("{\"commitTime\": \"<any>\"}"),
    "grpc/transaction-read-time-refused 0": refusal(3, beforeCreation),
    "grpc/transaction-two-readers 4": contention,
    "listen/target-id-negative 2": """
    {"messages": [], "status": {"code": 3, "message": "<any>"}}
    """,
    "write/empty-write-ends 4": """
    {"messages": [{"streamToken": "<streamToken:2>", "commitTime": "<any>"}],
      "status": {"code": 0}}
    """,
    "grpc/run-query-offset 1": success("{\"skippedResults\": 3, \"readTime\": \"<time:3>\"}"),
    "webchannel/stream-error 3":
      """
    {"arrays": [
      [3, [{"streamToken": "<streamToken:2>", "writeResults": [{"updateTime": "<time:1>"}],
        "commitTime": "<time:1>"}]],
      [4, [{"error": {"code": 404, "message": "No document to update: \(root)/c/none",
        "status": "NOT_FOUND"}}]]
    ]}
    """,
  ]
}
