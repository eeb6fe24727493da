import Hearth
import HearthFirestoreJSON
import HearthServer
import ServerTestClient
import Testing

/// Channels of a server: who may open them, and what their streams do.
@Suite(.timeLimit(.minutes(5))) struct ServedChannelTests {
  private static let service = "/google.firestore.v1.Firestore"
  private static let handshake = "VER=8&RID=1&CVER=22&X-HTTP-Session-Id=gsessionid"
  private static let origin = "Origin: http://localhost:5173"

  private static let add = """
    {"database": "\(RulesClient.database)", "addTarget": {"targetId": 2, "query": {"parent": \
    "\(RulesClient.database)/documents", "structuredQuery": {"from": [{"collectionId": "c"}]}}}}
    """
  private static let open = "{\"database\": \"\(RulesClient.database)\"}"
  private static let write = """
    {"writes": [{"update": {"name": "\(RulesClient.database)/documents/c/a"}}]}
    """

  /// Returns the form of messages, with an authorization in its body.
  private static func form(_ messages: [String], as authorization: String? = nil) -> String {
    let headers = authorization.map { "headers=" + "Authorization:\($0)\r\n".fieldEncoded + "&" }
    let fields = messages.enumerated().map { index, message in
      "&req\(index)___data__=\(message.fieldEncoded)"
    }
    return (headers ?? "") + "count=\(messages.count)&ofs=0" + fields.joined()
  }

  /// Opens a channel, and returns its id.
  private static func session(
    _ method: String, _ form: String, _ server: TestServer
  ) async throws -> String {
    let answer = try await PlainConnection.exchange(
      "POST", "\(service)/\(method)/channel?\(handshake)", form, headers: [origin],
      port: server.port)
    let array = ChannelClient.arrays(in: answer.body).first
    return array?.elements.last?.elements.dropFirst().first?.string ?? ""
  }

  /// Returns the messages of a stream that the client has, up to one that contains a text.
  private static func messages(
    _ method: String, _ form: String, upTo text: String, _ server: TestServer
  ) async throws -> [JSONValue] {
    let session = try await session(method, form, server)
    var answer = try await ChannelAnswer(
      "GET", "\(service)/\(method)/channel?RID=rpc&SID=\(session)&AID=0&CI=0", port: server.port)
    var messages: [JSONValue] = []
    while let array = await answer.next() {
      guard let message = array.elements.last?.message else { continue }
      messages.append(message)
      if message.line.contains(text) { break }
    }
    return messages
  }

  @Test func aRefusedListenerIsInTheLogOfCalls() async throws {
    try await TestServer.with { server in
      let orders = #"[{"field": {"fieldPath": "a"}}, {"field": {"fieldPath": "b"}}]"#
      let refused = Self.add.replacing(
        #""collectionId": "c"}]"#, with: #""collectionId": "c"}], "orderBy": \#(orders)"#)
      _ = try await Self.messages("Listen", Self.form([refused]), upTo: "requires an index", server)
      let client = RulesClient(port: server.port)
      let calls = try await client.send("GET", "/hearth/v1/calls").json["calls"]?.elements ?? []
      let call = try #require(calls.first { $0["code"]?.string == "FAILED_PRECONDITION" })
      #expect(call["method"]?.string == "Listen")
      #expect(call["subject"]?.string == "c order by a, b")
    }
  }

  // MARK: Ends

  @Test(arguments: ["Listen", "Write"])
  func aChannelEndsWithItsToken(method: String) async throws {
    let signed = try SignedServer()
    try await signed.with { client, server in
      let user = try await client.newUser()
      let first = method == "Listen" ? Self.add : Self.open
      let session = try await Self.session(
        method, Self.form([first], as: user.bearer), server)
      await signed.pauses.untilBegun()
      signed.clock.move(seconds: 3600)
      signed.pauses.endOne()
      var answer = try await ChannelAnswer(
        "GET", "\(Self.service)/\(method)/channel?RID=rpc&SID=\(session)&AID=0&CI=0",
        port: server.port)
      var last: JSONValue?
      while let array = await answer.next() { last = array }
      #expect(last?.line.contains("\"UNAUTHENTICATED\"") == true, "\(last?.line ?? "")")
    }
  }

  // MARK: Origins

  @Test func anotherOriginsPageNeitherReadsNorWrites() async throws {
    try await RulesClient.with { client, server in
      let session = try await Self.session("Write", Self.form([Self.open]), server)
      let listener = try await Self.session("Listen", Self.form([Self.add]), server)
      for origin in ["https://evil.example", "null", "http://localhost.evil.example"] {
        for (method, target, body) in [
          ("POST", "\(Self.service)/Write/channel?\(Self.handshake)", Self.form([Self.open])),
          (
            "POST", "\(Self.service)/Write/channel?SID=\(session)&RID=2&AID=0",
            Self.form([Self.write]).replacing("ofs=0", with: "ofs=1")
          ),
          ("GET", "\(Self.service)/Listen/channel?RID=rpc&SID=\(listener)&AID=0&CI=1", ""),
          ("POST", "\(Self.service)/Write/channel?SID=\(session)&RID=3&TYPE=terminate", ""),
        ] {
          let connection = try await PlainConnection.connect(to: server.port)
          try await connection.send(
            "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
              + "Origin: \(origin)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
          let text = await connection.text()
          #expect(text.hasPrefix("HTTP/1.1 403 "))
          #expect(!text.lowercased().contains("access-control-allow-origin"))
          #expect(!text.contains("targetChange"))
        }
      }
      #expect(try await client.get("c/a") == 404)
      // The channels of the page itself go on.
      let written = try await PlainConnection.exchange(
        "POST", "\(Self.service)/Write/channel?SID=\(session)&RID=2&AID=0",
        Self.form([Self.write]).replacing("ofs=0", with: "ofs=1"), headers: [Self.origin],
        port: server.port)
      #expect(written.status == 200)
      var answer = try await ChannelAnswer(
        "GET", "\(Self.service)/Write/channel?RID=rpc&SID=\(session)&AID=0&CI=0",
        port: server.port)
      while let array = await answer.next(), !array.line.contains("commitTime") {}
      #expect(try await client.get("c/a") == 200)
    }
  }

  @Test func thePageMayReadAnswersAndRefusals() async throws {
    try await TestServer.with { server in
      for (method, query, status) in [
        ("POST", Self.handshake, "200"), ("GET", "RID=rpc&SID=nope&AID=0", "400"),
      ] {
        let connection = try await PlainConnection.connect(to: server.port)
        try await connection.send(
          "\(method) \(Self.service)/Listen/channel?\(query) HTTP/1.1\r\nHost: localhost\r\n"
            + "Connection: close\r\n\(Self.origin)\r\nContent-Length: 7\r\n\r\ncount=0")
        let text = await connection.text().lowercased()
        #expect(text.hasPrefix("http/1.1 \(status) "))
        #expect(text.contains("access-control-allow-origin: http://localhost:5173\r\n"))
        #expect(text.contains("x-http-session-id: ") == (status == "200"))
        #expect(
          text.contains("access-control-expose-headers: x-http-session-id") == (status == "200"))
      }
    }
  }

  // MARK: Callers

  @Test func theBodyTellsWhoAsks() async throws {
    try await RulesClient.with { client, server in
      try await client.allow(
        "match /c/{id} { allow read: if request.auth.uid == 'ann'; allow write: if false; }")
      let denied = try await Self.messages(
        "Listen", Self.form([Self.add]), upTo: "REMOVE", server)
      #expect(denied.last?["targetChange"]?["cause"]?["code"]?.number == 7)
      let ann = RulesClient.bearer("ann")
      let allowed = try await Self.messages(
        "Listen", Self.form([Self.add], as: ann), upTo: "CURRENT", server)
      #expect(allowed.last?["targetChange"]?["targetChangeType"]?.string == "CURRENT")
      let refused = try await Self.messages(
        "Write", Self.form([Self.open, Self.write], as: ann), upTo: "error", server)
      #expect(refused.last?["error"]?["status"]?.string == "PERMISSION_DENIED")
      _ = try await Self.messages(
        "Write", Self.form([Self.open, Self.write], as: "Bearer owner"), upTo: "commitTime",
        server)
      #expect(try await client.get("c/a", as: ann) == 200)
    }
  }

  @Test func credentialsThatCantBeReadEndTheStream() async throws {
    try await RulesClient.with { client, server in
      try await client.allow("match /c/{id} { allow read; }")
      let messages = try await Self.messages(
        "Listen", Self.form([Self.add], as: "Bearer nonsense"), upTo: "error", server)
      #expect(messages.count == 1)
      #expect(messages.last?["error"]?["status"]?.string == "INVALID_ARGUMENT")
    }
  }

  @Test func theAccessTokenMayComeInTheBody() async throws {
    var settings = HearthServer(databases: .inMemory)
    settings.tokens = ["correct-horse-battery-staple"]
    try await TestServer.with(settings) { server in
      for (form, status) in [
        (Self.form([Self.open]), 401), (Self.form([Self.open], as: "Bearer owner"), 401),
        (Self.form([Self.open], as: "Bearer correct-horse-battery-staple"), 200),
      ] {
        let answer = try await PlainConnection.exchange(
          "POST", "\(Self.service)/Write/channel?\(Self.handshake)", form, port: server.port)
        #expect(answer.status == status)
      }
      // No other address takes it from there.
      let read = try await PlainConnection.exchange(
        "GET", "\(RulesClient.documents)/c/a/channel", port: server.port)
      #expect(read.status == 401)
      let other = try await PlainConnection.exchange(
        "POST", "\(Self.service)/Commit/channel?\(Self.handshake)", port: server.port)
      #expect(other.status == 401)
    }
  }

  @Test func aRefusedQueryTellsItsLink() async throws {
    let query = Self.add.replacing(
      "\"from\"",
      with: "\"orderBy\": [{\"field\": {\"fieldPath\": \"a\"}}, {\"field\": {\"fieldPath\": "
        + "\"b\"}}], \"from\"")
    try await TestServer.with { server in
      let messages = try await Self.messages(
        "Listen", Self.form([query]), upTo: "REMOVE", server)
      let cause = messages.last?["targetChange"]?["cause"]
      #expect(cause?["code"]?.number == 9)
      #expect(cause?["message"]?.string?.contains("create_composite=") == true)
    }
  }
}
