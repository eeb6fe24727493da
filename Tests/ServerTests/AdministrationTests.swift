import Hearth
import HearthFirestoreJSON
import HearthServer
import Testing

/// Indexes, fields and operations over the wire, as Google's tools ask for them.
@Suite(.timeLimit(.minutes(5))) struct AdministrationTests {
  private static let database = "projects/demo-wire/databases/(default)"
  private static let root = "/v1/\(database)"
  private static let admin = "google.firestore.admin.v1.FirestoreAdmin"
  private static let operations = "google.longrunning.Operations"

  /// The body that gcloud sends.
  private static func index(_ first: String = "a", _ second: String = "b") -> String {
    """
    {"apiScope":"ANY_API","fields":[{"fieldPath":"\(first)","order":"ASCENDING"},
     {"fieldPath":"\(second)","order":"DESCENDING"}],"multikey":false,"queryScope":"COLLECTION"}
    """
  }

  private static let query = """
    {"structuredQuery": {"from": [{"collectionId": "c"}], "where": {"fieldFilter": {
      "field": {"fieldPath": "a"}, "op": "EQUAL", "value": {"integerValue": "1"}}},
      "orderBy": [{"field": {"fieldPath": "b"}, "direction": "DESCENDING"}]}}
    """

  private static func create(_ body: String, on server: TestServer) async throws -> JSONAnswer {
    try await server.ended(
      try await server.send("POST", "\(root)/collectionGroups/c/indexes", body))
  }

  // MARK: Indexes

  @Test func theIndexOfARefusedQueryIsCreated() async throws {
    try await TestServer.with { server in
      let document =
        "{\"fields\": {\"a\": {\"integerValue\": \"1\"}, \"b\": {\"nullValue\": null}}}"
      for id in ["x", "y"] {
        let written = try await server.send("PATCH", "\(Self.root)/documents/c/\(id)", document)
        #expect(written.status == 200)
      }
      let refused = try await server.send("POST", "\(Self.root)/documents:runQuery", Self.query)
      #expect(refused.status == 400 && refused.message.contains("create_composite="))
      let operation = try await Self.create(Self.index(), on: server)
      #expect(operation["done"] == .boolean(true))
      #expect(operation["metadata"]?["state"]?.string == "SUCCESSFUL")
      #expect(operation["metadata"]?["startTime"]?.string != nil)
      #expect(operation["metadata"]?["endTime"]?.string != nil)
      #expect(operation["metadata"]?["progressDocuments"]?["completedWork"]?.string == "2")
      let index = try #require(operation["response"])
      #expect(index["state"]?.string == "READY")
      #expect(
        index["@type"]?.string == "type.googleapis.com/google.firestore.admin.v1.Index")
      #expect(operation["metadata"]?["index"] == index["name"])
      let answered = try await server.send("POST", "\(Self.root)/documents:runQuery", Self.query)
      #expect(answered.status == 200 && answered.json.elements.count == 2)
    }
  }

  @Test func anIndexIsListedReadAndDeleted() async throws {
    try await TestServer.with { server in
      let none = try await server.send("GET", "\(Self.root)/collectionGroups/-/indexes?alt=json")
      #expect(none.status == 200 && none.json.line == "{}")
      let operation = try await Self.create(Self.index(), on: server)
      let name = try #require(operation["response"]?["name"]?.string)
      let listed = try await server.send("GET", "\(Self.root)/collectionGroups/-/indexes")
      let id = try #require(name.split(separator: "/").last)
      let expected =
        "{\"name\":\"\(Self.database)/collectionGroups/c/indexes/\(id)\","
        + "\"queryScope\":\"COLLECTION\",\"fields\":["
        + "{\"fieldPath\":\"a\",\"order\":\"ASCENDING\"},"
        + "{\"fieldPath\":\"b\",\"order\":\"DESCENDING\"},"
        + "{\"fieldPath\":\"__name__\",\"order\":\"DESCENDING\"}],"
        + "\"state\":\"READY\",\"density\":\"SPARSE_ALL\"}"
      #expect(listed.json.line == "{\"indexes\":[\(expected)]}")
      let other = try await server.send("GET", "\(Self.root)/collectionGroups/d/indexes")
      #expect(other.json.line == "{}")
      // gcloud describes and deletes with no group.
      let path = "\(Self.root)/collectionGroups/-/indexes/\(id)"
      #expect(try await server.send("GET", path).json.line == expected)
      #expect(try await server.send("DELETE", path).json.line == "{}")
      for method in ["GET", "DELETE"] {
        #expect(try await server.send(method, path).status == 404)
      }
      #expect(
        try await server.send("GET", "\(Self.root)/collectionGroups/-/indexes").json.line == "{}")
    }
  }

  @Test func indexesAreAdministeredOverGRPC() async throws {
    try await TestServer.with { server in
      func call(_ method: String, _ request: String, _ answer: String) async throws -> JSONAnswer {
        try await server.call(
          Self.admin, method, request, answer: "google.firestore.admin.v1.\(answer)")
      }
      let parent = "\(Self.database)/collectionGroups/c"
      let begun = try await server.call(
        Self.admin, "CreateIndex", "{\"parent\": \"\(parent)\", \"index\": \(Self.index())}",
        answer: "google.longrunning.Operation")
      #expect(begun.status == 0)
      let name = try #require(begun["name"]?.string)
      let operation = try await server.ended(begun)
      let known = try await server.call(
        Self.operations, "GetOperation", "{\"name\": \"\(name)\"}",
        answer: "google.longrunning.Operation")
      #expect(known.json == operation.json)
      let listed = try await call(
        "ListIndexes", "{\"parent\": \"\(parent)\"}", "ListIndexesResponse")
      let index = try #require(listed["indexes"]?.elements.first?["name"]?.string)
      let duplicate = try await call(
        "CreateIndex", "{\"parent\": \"\(parent)\", \"index\": \(Self.index())}", "Index")
      #expect(duplicate.status == 6 && duplicate.message == "index already exists")
      let deleted = try await call("DeleteIndex", "{\"name\": \"\(index)\"}", "Index")
      #expect(deleted.status == 0)
      let missing = try await call("GetIndex", "{\"name\": \"\(index)\"}", "Index")
      #expect(missing.status == 5)
    }
  }

  @Test func wrongIndexesAreRefused() async throws {
    func fields(_ more: String) -> String {
      "{\"fields\":[{\"fieldPath\":\"a\",\"order\":\"ASCENDING\"}\(more)"
    }
    let b = ",{\"fieldPath\":\"b\",\"order\":\"ASCENDING\"}]"
    try await TestServer.with { server in
      for (body, text) in [
        (
          fields("],\"queryScope\":\"COLLECTION\"}"),
          "this index is not necessary, configure using single field index controls"
        ),
        (fields("\(b),\"queryScope\":\"COLLECTION\",\"density\":\"DENSE\"}"), "SPARSE_ALL"),
        (fields("\(b),\"queryScope\":\"COLLECTION\",\"unique\":true}"), "unique"),
        (
          fields("\(b),\"queryScope\":\"COLLECTION\",\"apiScope\":\"DATASTORE_MODE_API\"}"),
          "ANY_API"
        ),
        (fields("\(b)}"), "query scope"),
        ("{\"queryScope\":\"COLLECTION\"}", "needs fields"),
        (fields(",{\"fieldPath\":\"b\"}],\"queryScope\":\"COLLECTION\"}"), "needs an order"),
        ("{\"colour\":1}", "Unknown name \"colour\" at 'index'"),
      ] {
        let answer = try await server.send("POST", "\(Self.root)/collectionGroups/c/indexes", body)
        #expect(answer.status == 400)
        #expect(answer.message.contains(text), "\(answer.message)")
      }
      let group = try await server.send(
        "POST", "\(Self.root)/collectionGroups/-/indexes", Self.index())
      #expect(group.status == 400)
      // Nothing was made, not even the database.
      let database = try await server.send("GET", Self.root)
      #expect(database.status == 404)
      _ = try await Self.create(Self.index(), on: server)
      let duplicate = try await server.send(
        "POST", "\(Self.root)/collectionGroups/c/indexes", Self.index())
      #expect(duplicate.status == 409 && duplicate.message == "index already exists")
      #expect(duplicate.json["error"]?["status"]?.string == "ALREADY_EXISTS")
    }
  }

  @Test func pagesPassEachIndexOnce() async throws {
    try await TestServer.with { server in
      for field in ["b", "d", "e"] { _ = try await Self.create(Self.index("a", field), on: server) }
      let path = "\(Self.root)/collectionGroups/-/indexes"
      for size in 1...4 {
        var (found, token): ([String], String) = ([], "")
        repeat {
          let page = try await server.send("GET", "\(path)?pageSize=\(size)&pageToken=\(token)")
          let indexes = page["indexes"]?.elements ?? []
          #expect(indexes.count <= size)
          found += indexes.compactMap { $0["fields"]?.elements[1]["fieldPath"]?.string }
          token = page["nextPageToken"]?.string ?? ""
        } while !token.isEmpty && found.count < 10
        #expect(found == ["b", "d", "e"])
      }
      for parameter in ["pageSize=-1", "pageToken=%21", "filter=state:READY", "colour=1"] {
        #expect(try await server.send("GET", "\(path)?\(parameter)").status == 400)
      }
    }
  }

  // MARK: Fields

  private static func update(
    _ body: String, mask: String?, on server: TestServer
  ) async throws -> JSONAnswer {
    let parameter = mask.map { "?updateMask=\($0)" } ?? ""
    return try await server.ended(
      try await server.send(
        "PATCH", "\(root)/collectionGroups/c/fields/m.f\(parameter)", body))
  }

  private static func listed(_ filter: String, on server: TestServer) async throws -> [String] {
    let answer = try await server.send(
      "GET", "\(root)/collectionGroups/-/fields?filter=\(filter)")
    return (answer["fields"]?.elements ?? []).compactMap { field in
      field["name"]?.string?.split(separator: "/").suffix(3).joined(separator: "/")
    }
  }

  @Test func aFieldIsExemptedAndInheritsAgain() async throws {
    try await TestServer.with { server in
      let path = "\(Self.root)/collectionGroups/c/fields/m.f"
      let inherited = try await server.send("GET", path)
      #expect(inherited["indexConfig"]?["usesAncestorConfig"] == .boolean(true))
      #expect(
        inherited["indexConfig"]?["ancestorField"]?.string
          == "\(Self.database)/collectionGroups/__default__/fields/*")
      #expect(inherited["indexConfig"]?["indexes"]?.elements.count == 3)
      let usual = ["__default__/fields/*"]
      let filter = "indexConfig.usesAncestorConfig:false"
      #expect(try await Self.listed(filter, on: server) == usual)
      let exempted = try await Self.update(
        "{\"name\": \"x\", \"indexConfig\": {}}", mask: "indexConfig", on: server)
      #expect(exempted["metadata"]?["state"]?.string == "SUCCESSFUL")
      let removed = exempted["metadata"]?["indexConfigDeltas"]?.elements ?? []
      #expect(removed.map { $0["changeType"]?.string } == ["REMOVE", "REMOVE", "REMOVE"])
      let field = try await server.send("GET", path)
      #expect(
        field.json.line
          == "{\"name\":\"\(Self.database)/collectionGroups/c/fields/m.f\",\"indexConfig\":"
          + "{\"ancestorField\":\"\(Self.database)/collectionGroups/__default__/fields/*\"}}")
      #expect(try await Self.listed(filter, on: server) == usual + ["c/fields/m.f"])
      let one = """
        {"indexConfig": {"indexes": [{"queryScope": "COLLECTION_GROUP",
          "fields": [{"fieldPath": "m.f", "arrayConfig": "CONTAINS"}]}]}}
        """
      let changed = try await Self.update(one, mask: "indexConfig", on: server)
      #expect(changed["metadata"]?["indexConfigDeltas"]?.elements.count == 1)
      let index = changed["response"]?["indexConfig"]?["indexes"]?.elements.first
      #expect(index?["queryScope"]?.string == "COLLECTION_GROUP")
      #expect(index?["fields"]?.elements.first?["arrayConfig"]?.string == "CONTAINS")
      let cleared = try await Self.update("{\"name\": \"x\"}", mask: "indexConfig", on: server)
      #expect(cleared["response"]?["indexConfig"]?["usesAncestorConfig"] == .boolean(true))
      #expect(try await Self.listed(filter, on: server) == usual)
    }
  }

  @Test func aTimeToLiveIsSetAndRemoved() async throws {
    try await TestServer.with { server in
      let set = try await Self.update(
        "{\"ttlConfig\": {\"expirationOffset\": \"60s\"}}", mask: "ttlConfig", on: server)
      #expect(set["response"]?["ttlConfig"]?["state"]?.string == "ACTIVE")
      #expect(set["response"]?["ttlConfig"]?["expirationOffset"]?.string == "60s")
      #expect(set["metadata"]?["ttlConfigDelta"]?["changeType"]?.string == "ADD")
      #expect(try await Self.listed("ttlConfig:*", on: server) == ["c/fields/m.f"])
      let both = "indexConfig.usesAncestorConfig=false%20OR+ttlConfig:*"
      #expect(
        try await Self.listed(both, on: server) == ["__default__/fields/*", "c/fields/m.f"])
      // Without a mask a request says everything.
      _ = try await Self.update("{}", mask: nil, on: server)
      #expect(try await Self.listed("ttlConfig:*", on: server).isEmpty)
    }
  }

  @Test func wrongChangesOfFieldsAreRefused() async throws {
    try await TestServer.with { server in
      let group = "\(Self.root)/collectionGroups"
      for (path, body, status) in [
        ("c/fields/f?updateMask=name", "{}", 400),
        ("c/fields/*?updateMask=ttlConfig", "{\"ttlConfig\": {}}", 400),
        ("c/fields/a..b", "{}", 400), ("-/fields/f", "{}", 400),
        ("__default__/fields/f", "{}", 400),
        ("__default__/fields/*", "{\"indexConfig\": {}}", 501),
        ("c/fields/f", "{\"indexConfig\": {\"indexes\": [{\"queryScope\": \"COLLECTION\"}]}}", 400),
        ("c/fields/f", "{\"ttlConfig\": {\"expirationOffset\": \"1\"}}", 400),
        ("c/fields/f", "{\"ttlConfig\": {\"expirationOffset\": \"-5s\"}}", 400),
        ("c/fields/f", "{\"ttlConfig\": {\"expirationOffset\": \"--5s\"}}", 400),
        ("c/fields/f", "{\"ttlConfig\": {\"expirationOffset\": \"+5s\"}}", 400),
        ("c/fields/f", "{\"ttlConfig\": {\"expirationOffset\": \"1.5s\"}}", 400),
        ("c/fields/f", "{\"ttlConfig\": {\"expirationOffset\": \"2147483648s\"}}", 400),
        ("c/fields/f", "{\"ttlConfig\": {\"expirationOffset\": \"315576000001s\"}}", 400),
      ] {
        #expect(try await server.send("PATCH", "\(group)/\(path)", body).status == status)
      }
      let filter = try await server.send("GET", "\(group)/-/fields?filter=name:x")
      #expect(filter.status == 400)
    }
  }

  // MARK: Operations

  @Test func anEndedOperationIsListedAndDeleted() async throws {
    try await TestServer.with { server in
      let operation = try await Self.create(Self.index(), on: server)
      let name = try #require(operation["name"]?.string)
      let listed = try await server.send("GET", "\(Self.root)/operations?pageSize=100&filter=")
      #expect(listed["operations"]?.elements == [operation.json])
      #expect(try await server.send("POST", "/v1/\(name):cancel", "{}").json.line == "{}")
      #expect(try await server.send("GET", "/v1/\(name)").json == operation.json)
      #expect(try await server.send("DELETE", "/v1/\(name)").json.line == "{}")
      #expect(try await server.send("GET", "/v1/\(name)").status == 404)
      #expect(try await server.send("GET", "\(Self.root)/operations").json.line == "{}")
      #expect(try await server.send("GET", "\(Self.root)/operations?filter=done").status == 400)
    }
  }
}
