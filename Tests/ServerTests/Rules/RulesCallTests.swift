import Hearth
import HearthDocumentModel
import HearthFirestoreJSON
import HearthProtocols
import HearthRules
import HearthSecurityRules
import HearthServer
import HearthServerCalls
import ServerTestClient
import SwiftProtobuf
import Synchronization
import Testing

/// Calls on a server with security rules, beside the recorded ones.
@Suite(.timeLimit(.minutes(5))) struct RulesCallTests {
  private static let denial = "Missing or insufficient permissions."
  private static let service = "/google.firestore.v1.Firestore"
  private static let root = RulesClient.documents
  private static let alice = RulesClient.bearer("alice")

  /// Makes a call of gRPC, and returns its status and message.
  private static func status(
    of method: String, _ request: some Message, as authorization: String?, on server: TestServer
  ) async throws -> (code: Int?, message: String?) {
    let headers = authorization.map { [("authorization", $0)] } ?? []
    let answer = try await server.client.call(
      "\(service)/\(method)", request.serializedBytes(), headers: headers)
    return (answer.status, answer.message?.percentDecoded)
  }

  // MARK: Callers

  @Test func everyoneMayDoEverythingWithoutRules() async throws {
    try await RulesClient.with { client, _ in
      for caller in [nil, "Bearer owner", "Bearer not.a.token", "Basic x", Self.alice] {
        let status = try await client.get("c/a", as: caller)
        #expect(status == 404)
      }
    }
  }

  @Test func credentialsThatCannotBeReadAreRefused() async throws {
    try await RulesClient.with { client, server in
      try await client.allow("match /{p=**} { allow read, write; }")
      for caller in ["Bearer x", "Bearer a.b", "Bearer a.b.c", "Bearer a.W10.c", "Bearer "] {
        let answer = try await client.send("GET", "\(Self.root)/c/a", as: caller)
        #expect(answer.status == 400 && answer.message == "invalid jwt")
      }
      for caller in ["Basic x", "owner", "Bearer", ""] {
        let answer = try await client.send("GET", "\(Self.root)/c/a", as: caller)
        #expect(answer.status == 401, "\(caller)")
        #expect(answer["error"]?["status"]?.string == "UNAUTHENTICATED")
      }
      let request = Google_Firestore_V1_GetDocumentRequest.with {
        $0.name = "\(RulesClient.database)/documents/c/a"
      }
      for (caller, code) in [("Basic x", 16), ("Bearer x", 3)] {
        let refused = try await Self.status(of: "GetDocument", request, as: caller, on: server)
        #expect(refused.code == code)
      }
      for caller in [nil, "bEARER owner", Self.alice, "bearer \(Self.alice.dropFirst(7))"] {
        #expect(try await client.get("c/a", as: caller) == 404)
      }
    }
  }

  @Test func rulesBelongToTheirProject() async throws {
    try await RulesClient.with { client, _ in
      try await client.upload(RulesClient.shut)
      let other = "/v1/projects/demo-other/databases/(default)/documents/c/a"
      #expect(try await client.get("c/a") == 403)
      #expect(try await client.send("GET", other).status == 404)
      let second = "/v1/projects/\(RulesClient.project)/databases/second/documents/c/a"
      #expect(try await client.send("GET", second).status == 403)
    }
  }

  // MARK: Refusals

  @Test func bothProtocolsRefuseInProductionsWords() async throws {
    try await RulesClient.with { client, server in
      try await client.allow("match /c/{id} { allow get: if request.auth.uid == 'bob'; }")
      try await client.set("c/a")
      let get = try await client.send("GET", "\(Self.root)/c/a", as: Self.alice)
      #expect(get.status == 403 && get.message == Self.denial)
      #expect(get["error"]?["status"]?.string == "PERMISSION_DENIED")
      #expect(get["error"]?["details"] == nil)
      // Calls that stream answer with one object too.
      for (verb, body) in [
        ("runQuery", "{\"structuredQuery\": {\"from\": [{\"collectionId\": \"c\"}]}}"),
        ("batchGet", "{\"documents\": [\"\(RulesClient.database)/documents/c/a\"]}"),
      ] {
        let answer = try await client.send("POST", "\(Self.root):\(verb)", body, as: Self.alice)
        #expect(answer.status == 403 && answer["error"]?["code"] == .integer(403))
      }
      let request = Google_Firestore_V1_GetDocumentRequest.with {
        $0.name = "\(RulesClient.database)/documents/c/a"
      }
      let refused = try await Self.status(of: "GetDocument", request, as: Self.alice, on: server)
      #expect(refused.code == 7 && refused.message == Self.denial)
      let bob = RulesClient.bearer("bob")
      #expect(try await Self.status(of: "GetDocument", request, as: bob, on: server).code == 0)
    }
  }

  @Test func developersAreToldTheReasons() async throws {
    var server = HearthServer(databases: .inMemory)
    server.explainsDenials = true
    try await RulesClient.with(server) { client, _ in
      try await client.allow(
        "match /c/{id} {\nallow get: if false;\nallow get: if request.auth.uid == 'bob'; }")
      let answer = try await client.send("GET", "\(Self.root)/c/a")
      #expect(answer.message == "\nfalse for 'get' @ L4, Null value error. for 'get' @ L5")
      #expect(
        try await client.send("GET", "\(Self.root)/d/a").message
          == "No matching allow statements")
    }
  }

  @Test func theOwnerOfTheServerIsToldOfRefusals() async throws {
    let denied = Mutex<[String]>([])
    var server = HearthServer(databases: .inMemory)
    server.note = { event in
      guard case .denied(let id, let refusal) = event else { return }
      let operations = refusal.operations.map { "\($0.method) \($0.path) \($0.trace.count > 1)" }
      denied.withLock { $0.append("\(id.project) \(operations)") }
    }
    try await RulesClient.with(server) { client, _ in
      try await client.allow("match /c/{id} { allow read, write: if request.auth.uid == 'bob'; }")
      #expect(try await client.get("c/a", as: Self.alice) == 403)
      _ = try await client.send("PATCH", "\(Self.root)/c/b", "{}", as: Self.alice)
      let query = "{\"structuredQuery\": {\"from\": [{\"collectionId\": \"c\"}]}}"
      _ = try await client.send("POST", "\(Self.root):runQuery", query, as: Self.alice)
    }
    #expect(
      denied.withLock { $0 } == [
        "demo-rules [\"get c/a true\"]", "demo-rules [\"create c/b true\"]",
        "demo-rules [\"list c true\"]",
      ])
  }

  @Test func someCallsAreForAdministratorsAlone() async throws {
    try await RulesClient.with { client, server in
      try await client.allow("match /{p=**} { allow read, write; }")
      let metadata = "Metadata operations require admin authentication."
      for (verb, body, message) in [
        ("batchWrite", "{}", "Batch writes require admin authentication."),
        ("listCollectionIds", "{}", metadata),
        (
          "partitionQuery",
          "{\"partitionCount\": 1, \"structuredQuery\": {\"from\": [{\"collectionId\": \"c\", "
            + "\"allDescendants\": true}], "
            + "\"orderBy\": [{\"field\": {\"fieldPath\": \"__name__\"}}]}}",
          metadata
        ),
      ] {
        let answer = try await client.send("POST", "\(Self.root):\(verb)", body, as: Self.alice)
        #expect(answer.status == 403 && answer.message == message, "\(verb)")
        let owner = try await client.send("POST", "\(Self.root):\(verb)", body, as: "Bearer owner")
        #expect(owner.status == 200, "\(verb) \(owner.message)")
      }
      #expect(
        try await client.send("GET", "\(Self.root)/c?showMissing=true").message == metadata)
    }
  }

  // MARK: Reads and writes

  /// Otherwise the write would show a document that may not be read.
  @Test func aWriterIsShownNoMoreThanItMayRead() async throws {
    try await RulesClient.with { client, _ in
      try await client.allow("match /c/{id} { allow write; allow get: if id == 'open'; }")
      for id in ["open", "shut"] {
        try await client.set("c/\(id)", "{\"secret\": {\"integerValue\": \"1\"}}")
      }
      let body = "{\"fields\": {\"n\": {\"integerValue\": \"2\"}}}"
      for (id, names) in [("open", ["n", "secret"]), ("shut", ["n"])] {
        let answer = try await client.send(
          "PATCH", "\(Self.root)/c/\(id)?updateMask.fieldPaths=n", body, as: Self.alice)
        #expect(answer.status == 200)
        #expect(answer["fields"]?.members.map(\.0) == names)
      }
    }
  }

  @Test func aBatchGetIsAllOrNothing() async throws {
    try await RulesClient.with { client, _ in
      try await client.allow("match /c/{id} { allow get: if id != '99'; }")
      func batch(_ ids: Range<Int>) async throws -> JSONAnswer {
        let names = ids.map { "\"\(RulesClient.database)/documents/c/\($0)\"" }
        return try await client.send(
          "POST", "\(Self.root):batchGet", "{\"documents\": [\(names.joined(separator: ","))]}")
      }
      #expect(try await batch(0..<99).json.elements.count == 99)
      // It is far behind those that are read first.
      #expect(try await batch(0..<100).status == 403)
    }
  }

  @Test func theServerChoosesAnIDBeforeItAsks() async throws {
    try await RulesClient.with { client, _ in
      try await client.allow("match /c/{id} { allow create: if id.size() == 20; }")
      #expect(try await client.send("POST", "\(Self.root)/c", "{}").status == 200)
      #expect(try await client.send("POST", "\(Self.root)/c?documentId=a", "{}").status == 403)
    }
  }

  @Test func aRefusedWriteNeverTellsOfADocument() async throws {
    try await RulesClient.with { client, _ in
      try await client.upload(RulesClient.shut)
      try await client.set("c/there")
      for id in ["there", "none"] {
        for parameter in ["currentDocument.exists=true", "currentDocument.exists=false"] {
          let answer = try await client.send(
            "PATCH", "\(Self.root)/c/\(id)?\(parameter)", "{}", as: Self.alice)
          #expect(answer.status == 403)
        }
      }
    }
  }

  @Test func aRefusedCommitEndsItsTransaction() async throws {
    try await RulesClient.with { client, _ in
      try await client.allow("match /c/{id} { allow read; }")
      let begun = try await client.send(
        "POST", "\(Self.root):beginTransaction", "{}", as: Self.alice)
      let id = try #require(begun["transaction"]?.string)
      let name = "\(RulesClient.database)/documents/c/a"
      let commit =
        "{\"transaction\": \"\(id)\", \"writes\": [{\"update\": {\"name\": \"\(name)\"}}]}"
      let answer = try await client.send("POST", "\(Self.root):commit", commit, as: Self.alice)
      #expect(answer.status == 403)
      let read = try await client.send(
        "POST", "\(Self.root):batchGet",
        "{\"documents\": [\"\(name)\"], \"transaction\": \"\(id)\"}", as: Self.alice)
      #expect(read.status == 409)
      #expect(
        try await client.send("POST", "\(Self.root):commit", "{}", as: Self.alice).status == 200)
    }
  }

  /// A refused write never tells whether its transaction is another's.
  @Test func rulesRefuseACommitBeforeItsTransactionIsLookedFor() async throws {
    try await RulesClient.with { client, _ in
      try await client.allow("match /c/{id} { allow write; }")
      let begun = try await client.send(
        "POST", "\(Self.root):beginTransaction", "{}", as: "Bearer owner")
      let id = try #require(begun["transaction"]?.string)
      for (collection, status) in [("c", 400), ("d", 403)] {
        let name = "\(RulesClient.database)/documents/\(collection)/a"
        let answer = try await client.send(
          "POST", "\(Self.root):commit",
          "{\"transaction\": \"\(id)\", \"writes\": [{\"update\": {\"name\": \"\(name)\"}}]}",
          as: Self.alice)
        #expect(answer.status == status)
        #expect(try await client.get("\(collection)/a", as: "Bearer owner") == 404)
      }
    }
  }

  /// A right that has ended gives no access to the past.
  @Test func thePastIsJudgedByThePresentRights() async throws {
    try await RulesClient.with { client, _ in
      try await client.allow(
        """
        match /c/{id} {
          allow get: if get(/databases/$(db)/documents/rights/all).data.read;
        }
        """)
      try await client.set("c/a")
      try await client.set("rights/all", "{\"read\": {\"booleanValue\": true}}")
      let begun = try await client.send(
        "POST", "\(Self.root):beginTransaction", "{\"options\": {\"readOnly\": {}}}",
        as: Self.alice)
      let id = try #require(begun["transaction"]?.string)
      let escaped = id.addingPercentEncoding
      #expect(try await client.get("c/a?transaction=\(escaped)", as: Self.alice) == 200)
      try await client.set("rights/all", "{\"read\": {\"booleanValue\": false}}")
      #expect(try await client.get("c/a?transaction=\(escaped)", as: Self.alice) == 403)
    }
  }

  @Test func aWriteStreamEndsWithARefusal() async throws {
    try await RulesClient.with { client, server in
      try await client.allow("match /c/{id} { allow write: if id != 'shut'; }")
      let stream = try await server.client.openCall("\(Self.service)/Write")
      var messages = ClientMessages(of: stream)
      func send(_ change: (inout Google_Firestore_V1_WriteRequest) -> Void) async throws {
        try await stream.send(
          message: Google_Firestore_V1_WriteRequest.with(change).serializedBytes())
      }
      func write(_ id: String) async throws {
        try await send { request in
          request.writes = [
            .with { $0.update.name = "\(RulesClient.database)/documents/c/\(id)" }
          ]
        }
      }
      try await send { $0.database = RulesClient.database }
      #expect(await messages.next() != nil)
      try await write("open")
      #expect(await messages.next() != nil)
      // New rules hold for the stream at once.
      try await client.allow("match /c/{id} { allow write: if id == 'shut'; }")
      try await write("open")
      #expect(await messages.next() == nil)
      #expect(messages.status == 7)
    }
  }

  // MARK: Uploads

  @Test func anUploadIsAnsweredWithItsFaults() async throws {
    try await RulesClient.with { client, _ in
      let bad = try await client.upload("service cloud.firestore {\n match }")
      #expect(bad.status == 400 && bad.message.hasPrefix("Error compiling rules:\nL2:"))
      #expect(try await client.get("c/a") == 404)
      let address = "/emulator/v1/projects/\(RulesClient.project)"
      #expect(try await client.send("GET", "\(address):securityRules").json.line == "{}")
      let text = """
        rules_version = '2';
        service cloud.firestore {
          function unused() { return true; }
          match /c/{id} { allow get: if false; }
        }
        """
      let good = try await client.upload(text)
      #expect(good.status == 200)
      let issue = try #require(good["issues"]?.elements.first)
      #expect(issue["severity"]?.string == "WARNING")
      #expect(issue["sourcePosition"]?["fileName"]?.string == "security.rules")
      #expect(issue["sourcePosition"]?["line"] == .integer(3))
      #expect(issue["sourcePosition"]?["column"] == .integer(12))
      for path in [":securityRules", "/databases/(default):securityRules"] {
        let known = try await client.send("GET", address + path)
        let file = known["rules"]?["files"]?.elements.first
        #expect(file?["content"]?.string == text)
        #expect(known["issues"]?.elements.count == good["issues"]?.elements.count)
      }
      #expect(try await client.get("c/a") == 403)
      for body in ["", "{}", "{\"rules\": {\"files\": []}}", "[", "{\"rules\": 1}"] {
        let answer = try await client.send("PUT", "\(address):securityRules", body)
        #expect(answer.status == 400, "\(body)")
      }
    }
  }

  @Test func aServerThatAsksForTokensTakesNoRules() async throws {
    let token = "correct-horse-battery-staple"
    var server = HearthServer(databases: .inMemory)
    server.tokens = [token]
    try await RulesClient.with(server) { client, _ in
      let answer = try await client.send(
        "PUT", "/emulator/v1/projects/demo-rules:securityRules",
        "{\"rules\": {\"files\": [{\"content\": \"\(RulesClient.shut)\"}]}}",
        as: "Bearer \(token)")
      #expect(answer.status == 400)
      #expect(try await client.get("c/a", as: "Bearer \(token)") == 404)
    }
    server.rulesFile = "none.rules"
    let both = server
    let error = await #expect(throws: DatabaseError.self) { _ = try await both.start(port: 0) }
    #expect(error?.code == .invalidArgument)
  }

  @Test func aServerHoldsRulesOfAFewProjects() throws {
    let rules = ServedRules()
    let ruleset = try Ruleset(compiling: RulesClient.shut)
    for number in 0..<ServedRules.projectLimit {
      try rules.replace(ruleset, ofProject: "p\(number)")
    }
    let error = #expect(throws: DatabaseError.self) {
      try rules.replace(ruleset, ofProject: "more")
    }
    #expect(error?.code == .resourceExhausted)
    try rules.replace(ruleset, ofProject: "p0")
  }
}

extension String {
  /// The text as a parameter of an address.
  fileprivate var addingPercentEncoding: String {
    replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
  }
}
