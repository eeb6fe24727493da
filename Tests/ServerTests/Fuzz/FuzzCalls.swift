import HearthFirestoreJSON
import HearthServer

/// Calls that are right, from which those of a fuzz are made. They read one database, which has to
/// stay as it is, and write to another one.
struct FuzzCall: Sendable {
  static let kept = "projects/demo-kept/databases/(default)"
  static let written = "projects/demo-fuzz/databases/(default)"

  let path: String
  let message: [UInt8]
  /// Whether the client's messages have no end.
  let isStream: Bool

  private init(
    _ service: String, _ method: String, _ request: String, type: String? = nil,
    isStream: Bool = false
  ) throws {
    var reader = JSONMessageReader()
    let package = service.split(separator: ".").dropLast().joined(separator: ".")
    path = "/\(service)/\(method)"
    message = try reader.bytes(
      of: JSONValue(parsing: Array(request.utf8)), as: "\(package).\(type ?? method + "Request")")
    self.isStream = isStream
  }

  static func all() throws -> [FuzzCall] { try documents() + administration() }

  /// The paths of requests of REST with their methods and bodies.
  static let requests = [
    ("GET", "/v1/\(kept)/documents/c/1", ""),
    ("GET", "/v1/\(kept)/documents/c?pageSize=2&mask.fieldPaths=n", ""),
    ("POST", "/v1/\(kept)/documents:runQuery", "{\"structuredQuery\": \(query)}"),
    ("POST", "/v1/\(kept)/documents:batchGet", "{\"documents\": [\"\(kept)/documents/c/1\"]}"),
    ("POST", "/v1/\(written)/documents:commit", "{\"writes\": \(writes)}"),
    ("PATCH", "/v1/\(written)/documents/c/1?updateMask.fieldPaths=a", document),
    ("POST", "/v1/\(written)/documents/c?documentId=x", document),
    ("GET", "/v1/\(kept)/collectionGroups/-/indexes", ""),
    ("PATCH", "/v1/\(written)/collectionGroups/c/fields/n?updateMask=indexConfig", "{}"),
    ("OPTIONS", "/v1/\(kept)/documents/c/1", ""), ("GET", "/", ""),
  ]

  private static let document = """
    {"fields": {"n": {"integerValue": "1"}, "t": {"stringValue": "text"},
      "m": {"mapValue": {"fields": {"d": {"doubleValue": 1.5}, "b": {"bytesValue": "AAEC"}}}},
      "a": {"arrayValue": {"values": [{"nullValue": null}, {"booleanValue": true}]}},
      "r": {"referenceValue": "\(written)/documents/c/1"},
      "g": {"geoPointValue": {"latitude": 1, "longitude": 2}},
      "s": {"timestampValue": "2026-01-02T03:04:05Z"}}}
    """
  private static let writes = """
    [{"update": {"name": "\(written)/documents/c/1", "fields": {"n": {"integerValue": "1"}}},
      "updateMask": {"fieldPaths": ["n"]}, "currentDocument": {"exists": true},
      "updateTransforms": [{"fieldPath": "t", "setToServerValue": "REQUEST_TIME"}]},
     {"delete": "\(written)/documents/c/2"}]
    """
  private static let query = """
    {"from": [{"collectionId": "c"}], "select": {"fields": [{"fieldPath": "n"}]},
     "where": {"compositeFilter": {"op": "AND", "filters": [
       {"fieldFilter": {"field": {"fieldPath": "n"}, "op": "IN", "value":
         {"arrayValue": {"values": [{"integerValue": "1"}, {"doubleValue": 2}]}}}},
       {"unaryFilter": {"field": {"fieldPath": "n"}, "op": "IS_NOT_NULL"}}]}},
     "orderBy": [{"field": {"fieldPath": "n"}, "direction": "DESCENDING"}],
     "startAt": {"values": [{"integerValue": "2"}], "before": true}, "limit": 5, "offset": 1}
    """

  private static func documents() throws -> [FuzzCall] {
    let service = "google.firestore.v1.Firestore"
    let (read, write) = ("\(kept)/documents", "\(written)/documents")
    return [
      try FuzzCall(service, "GetDocument", #"{"name": "\#(read)/c/1", "mask": {}}"#),
      try FuzzCall(
        service, "ListDocuments",
        #"{"parent": "\#(read)", "collectionId": "c", "pageSize": 2, "orderBy": "n desc, t"}"#),
      try FuzzCall(
        service, "BatchGetDocuments",
        #"{"database": "\#(kept)", "documents": ["\#(read)/c/1", "\#(read)/c/none"]}"#),
      try FuzzCall(service, "RunQuery", #"{"parent": "\#(read)", "structuredQuery": \#(query)}"#),
      try FuzzCall(
        service, "RunAggregationQuery",
        """
        {"parent": "\(read)", "structuredAggregationQuery": {"structuredQuery": \(query),
          "aggregations": [{"count": {"upTo": "3"}}, {"sum": {"field": {"fieldPath": "n"}}}]}}
        """),
      try FuzzCall(
        service, "PartitionQuery",
        """
        {"parent": "\(read)", "partitionCount": "3", "structuredQuery": {
          "from": [{"collectionId": "c", "allDescendants": true}],
          "orderBy": [{"field": {"fieldPath": "__name__"}}]}}
        """),
      try FuzzCall(
        service, "RunQuery",
        """
        {"parent": "\(read)", "structuredQuery": \(query), "newTransaction": {"readOnly": {}}}
        """),
      try FuzzCall(
        service, "BeginTransaction", #"{"database": "\#(kept)", "options": {"readWrite": {}}}"#),
      try FuzzCall(service, "Rollback", #"{"database": "\#(kept)", "transaction": "AAECAw=="}"#),
      try FuzzCall(service, "ListCollectionIds", #"{"parent": "\#(read)/c/1", "pageSize": 3}"#),
      try FuzzCall(service, "ExecutePipeline", #"{"database": "\#(kept)"}"#),
      try FuzzCall(service, "Commit", #"{"database": "\#(written)", "writes": \#(writes)}"#),
      try FuzzCall(service, "BatchWrite", #"{"database": "\#(written)", "writes": \#(writes)}"#),
      try FuzzCall(
        service, "CreateDocument",
        #"{"parent": "\#(write)", "collectionId": "c", "document": \#(document)}"#),
      try FuzzCall(service, "DeleteDocument", #"{"name": "\#(write)/c/1"}"#),
      try FuzzCall(
        service, "Listen",
        """
        {"database": "\(kept)", "addTarget": {"targetId": 2, "resumeToken": "CgkI",
          "query": {"parent": "\(read)", "structuredQuery": \(query)}}}
        """, isStream: true),
      try FuzzCall(
        service, "Listen",
        #"{"database": "\#(kept)", "addTarget": {"documents": {"documents": ["\#(read)/c/1"]}}}"#,
        isStream: true),
      try FuzzCall(
        service, "Write", #"{"database": "\#(written)", "writes": \#(writes)}"#, isStream: true),
    ]
  }

  private static func administration() throws -> [FuzzCall] {
    let service = "google.firestore.admin.v1.FirestoreAdmin"
    let group = "collectionGroups/c"
    return [
      try FuzzCall(
        service, "CreateIndex",
        """
        {"parent": "\(written)/\(group)", "index": {"queryScope": "COLLECTION", "fields": [
          {"fieldPath": "n", "order": "ASCENDING"}, {"fieldPath": "t", "order": "DESCENDING"}]}}
        """),
      try FuzzCall(service, "ListIndexes", #"{"parent": "\#(kept)/\#(group)", "pageSize": 1}"#),
      try FuzzCall(service, "DeleteIndex", #"{"name": "\#(written)/\#(group)/indexes/CICA"}"#),
      try FuzzCall(service, "GetField", #"{"name": "\#(kept)/\#(group)/fields/*"}"#),
      try FuzzCall(
        service, "UpdateField",
        #"{"field": {"name": "\#(written)/\#(group)/fields/n", "indexConfig": {}}}"#),
      try FuzzCall(service, "ListDatabases", #"{"parent": "projects/demo-kept"}"#),
      try FuzzCall(
        "google.longrunning.Operations", "ListOperations", #"{"name": "\#(kept)/operations"}"#),
      try FuzzCall(
        "grpc.health.v1.Health", "Check", #"{"service": ""}"#, type: "HealthCheckRequest"),
      try FuzzCall(
        "grpc.reflection.v1alpha.ServerReflection", "ServerReflectionInfo",
        #"{"fileContainingSymbol": "google.firestore.v1.Firestore"}"#,
        type: "ServerReflectionRequest", isStream: true),
    ]
  }
}
