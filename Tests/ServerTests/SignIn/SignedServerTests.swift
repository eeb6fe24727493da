import Foundation
import Hearth
import HearthFirestoreJSON
import HearthProtocols
import HearthServer
import HearthTokens
import ServerTestClient
import SwiftProtobuf
import TestSupport
import Testing

/// A server with signed tokens: documents by its tokens alone, and nothing of the emulators'.
@Suite(.timeLimit(.minutes(5))) struct SignedServerTests {
  @Test func aUserReachesItsOwnDocuments() async throws {
    try await SignedServer().with { client, _ in
      let (ada, bob) = (try await client.newUser(), try await client.newUser())
      let own = try await client.send(
        "PATCH", "\(RulesClient.documents)/users/\(ada.id)", "{\"fields\": {}}", as: ada.bearer)
      #expect(own.status == 200)
      #expect(try await client.get("users/\(ada.id)", as: ada.bearer) == 200)
      #expect(try await client.get("users/\(ada.id)", as: bob.bearer) == 403)
      #expect(try await client.get("users/\(ada.id)") == 403)
      #expect(try await client.get("open/a") == 404)
      #expect(try await client.get("users/\(ada.id)", as: SignedServer.administrator) == 200)
    }
  }

  @Test func tokensOfOthersAreUnauthenticated() async throws {
    let signed = try SignedServer()
    try await signed.with { client, _ in
      let ada = try await client.newUser()
      let parts = ada.bearer.split(separator: ".").map(String.init)
      let forged = "\(parts[0]).\(parts[1])x.\(parts[2])"
      let unsigned = RulesClient.bearer(
        .object([
          ("sub", .string(ada.id)), ("aud", .string(RulesClient.project)),
          ("iss", .string(SignedTokens.issuer(ofProject: RulesClient.project))),
        ]))
      for header in [
        "Bearer owner", "bearer owner", unsigned, forged, "Bearer x", "Bearer", "Basic owner",
        RulesClient.bearer(ada.id), "Bearer \(SignedServer.token)x",
      ] {
        let read = try await client.send("GET", "\(RulesClient.documents)/open/a", as: header)
        #expect(read.status == 401, "\(header)")
        let begin = try await client.send(
          "POST", "\(RulesClient.documents):beginTransaction", "{}", as: header)
        #expect(begin.status == 401, "\(header)")
      }
      signed.clock.move(seconds: 3600)
      let late = try await client.send("GET", "\(RulesClient.documents)/open/a", as: ada.bearer)
      #expect(late.status == 401 && late.message.contains("expired"))
    }
  }

  /// One user has a tenth of the transactions at most, and all users leave a tenth.
  @Test func noUserKeepsOthersFromTransactions() async throws {
    let signed = try SignedServer()
    var server = signed.server
    server.databases.locks.transactionCount = 20
    try await RulesClient.with(server) { client, _ in
      func begin(as header: String? = nil) async throws -> Int {
        try await client.send(
          "POST", "\(RulesClient.documents):beginTransaction", "{}", as: header
        ).status
      }
      for _ in 0..<2 { #expect(try await begin() == 200) }
      #expect(try await begin() == 429)
      for _ in 0..<8 {
        let user = try await client.newUser()
        for _ in 0..<2 { #expect(try await begin(as: user.bearer) == 200) }
        #expect(try await begin(as: user.bearer) == 429)
      }
      let other = try await client.newUser()
      #expect(try await begin(as: other.bearer) == 429)
      for _ in 0..<2 { #expect(try await begin(as: SignedServer.administrator) == 200) }
    }
    withExtendedLifetime(signed) {}
  }

  @Test func aLimitOfOneTransactionLeavesOneToUsers() async throws {
    let signed = try SignedServer()
    var server = signed.server
    server.databases.locks.transactionCount = 1
    try await RulesClient.with(server) { client, _ in
      for status in [200, 429] {
        let answer = try await client.send(
          "POST", "\(RulesClient.documents):beginTransaction", "{}", as: nil)
        #expect(answer.status == status)
      }
    }
    withExtendedLifetime(signed) {}
  }

  @Test func aTokenIsForOneProject() async throws {
    try await SignedServer().with { client, _ in
      let ada = try await client.newUser()
      let path = "/v1/projects/demo-other/databases/(default)/documents/open/a"
      #expect(try await client.send("GET", path, as: ada.bearer).status == 401)
      #expect(try await client.send("GET", path).status == 404)
    }
  }

  @Test func administrationNeedsAToken() async throws {
    try await SignedServer().with { client, server in
      let user = try await client.newUser()
      for path in ["/v1/projects/demo-rules/databases", "/metrics"] {
        #expect(try await client.send("GET", path).status == 403)
        #expect(try await client.send("GET", path, as: user.bearer).status == 403)
        #expect(try await client.send("GET", path, as: "Bearer owner").status == 401)
        #expect(
          try await client.send("GET", path, as: SignedServer.administrator).status == 200)
      }
      let indexes = try await server.call(
        "google.firestore.admin.v1.FirestoreAdmin", "ListIndexes",
        "{\"parent\": \"\(RulesClient.database)/collectionGroups/c\"}",
        answer: "google.firestore.admin.v1.ListIndexesResponse")
      #expect(indexes.status == 7)
    }
  }

  @Test(arguments: [
    ("PUT", "v1/projects/demo-rules:securityRules"),
    ("GET", "v1/projects/demo-rules:securityRules"),
    ("DELETE", "v1/projects/demo-rules/databases/(default)/documents"),
    ("DELETE", "v1/projects/demo-rules/accounts"), ("GET", "v1/projects/demo-rules/oobCodes"),
    ("GET", "action?mode=signIn&oobCode=x"),
  ])
  func nothingOfTheEmulatorsIsServed(method: String, target: String) async throws {
    try await SignedServer().with { client, _ in
      for header in [nil, SignedServer.administrator] {
        let answer = try await client.send(method, "/emulator/\(target)", "{}", as: header)
        #expect(answer.status == 404)
      }
    }
  }

  /// A first message of `Listen`, and of `Write`.
  private static func firstMessage(_ method: String) throws -> [UInt8] {
    guard method == "Listen" else {
      let request = Google_Firestore_V1_WriteRequest.with { $0.database = RulesClient.database }
      return try request.serializedBytes()
    }
    let request = Google_Firestore_V1_ListenRequest.with { request in
      request.database = RulesClient.database
      request.addTarget.targetID = 2
      request.addTarget.documents.documents = ["\(RulesClient.database)/documents/open/a"]
    }
    return try request.serializedBytes()
  }

  @Test(arguments: ["Listen", "Write"])
  func aStreamEndsWithItsToken(method: String) async throws {
    let signed = try SignedServer()
    try await signed.with { client, server in
      let user = try await client.newUser()
      let stream = try await server.client.openCall(
        "/google.firestore.v1.Firestore/\(method)", headers: [("authorization", user.bearer)])
      try await stream.send(message: try Self.firstMessage(method))
      await signed.pauses.untilBegun()
      signed.clock.move(seconds: 3600)
      signed.pauses.endOne()
      #expect(await stream.answer().status == 16)
    }
  }

  /// The client is the connection's other end, regardless of its headers and of HTTP's version.
  @Test func aClientIsWhoHasOpenedTheConnection() async throws {
    try await SignedServer().with { client, server in
      for _ in 0..<100 { #expect(try await client.signIn("signUp").status == 200) }
      #expect(try await client.signIn("signUp").message == "TOO_MANY_ATTEMPTS_TRY_LATER")
      let forwarded = try await PlainConnection.exchange(
        "POST", "/v1/accounts:signUp?key=k", "{}",
        headers: ["X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1"], port: client.port)
      #expect(forwarded.status == 400)
      let stream = try await server.client.openCall(
        "/v1/accounts:signUp?key=k", contentType: "application/json")
      try await stream.send(bytes: Array("{}".utf8), isLast: true)
      #expect(await stream.answer().headers.first?[":status"] == "400")
      #expect(try await client.send("GET", "/v1/projects?key=k").status == 200)
    }
  }

  @Test(arguments: [true, false])
  func aRevocationEndsTokensIfItIsAskedFor(checks: Bool) async throws {
    try await SignedServer(checksRevocation: checks).with { client, _ in
      let (ada, bob) = (try await client.newUser(), try await client.newUser())
      #expect(try await client.get("open/a", as: ada.bearer) == 404)
      for (id, change) in [(ada.id, "delete"), (bob.id, "update")] {
        let answer = try await client.send(
          "POST", "/v1/projects/demo-rules/accounts:\(change)",
          "{\"localId\": \"\(id)\", \"disableUser\": true}", as: SignedServer.administrator)
        #expect(answer.status == 200)
      }
      for user in [ada, bob] {
        #expect(try await client.get("open/a", as: user.bearer) == (checks ? 401 : 404))
      }
    }
  }

  @Test func keysAreMadeOnceAndKept() async throws {
    let signed = try SignedServer()
    let path = try #require(signed.server.signing?.keyFile)
    var bearer = ""
    try await signed.with { client, _ in bearer = try await client.newUser().bearer }
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try await signed.with { client, _ in
      let status = try await client.get("open/a", as: bearer)
      #expect(status == 404)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: signed.folder.path)
    #expect(names.sorted() == ["firestore.rules", "keys.pem"])
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o666])
  func keysThatOthersMayReadAreRefused(mode: Int) async throws {
    let signed = try SignedServer()
    let path = try #require(signed.server.signing?.keyFile)
    try Data(try KeyRing.newKey().utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    let error = await #expect(throws: DatabaseError.self) {
      _ = try await signed.server.start(port: 0)
    }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains("chmod 600 \(path)") == true)
  }

  @Test func itNeedsKeysAndRules() async throws {
    let signed = try SignedServer()
    let path = try #require(signed.server.signing?.keyFile)
    try Data().write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let empty = await #expect(throws: DatabaseError.self) {
      _ = try await signed.server.start(port: 0)
    }
    #expect(empty?.code == .invalidArgument && empty?.message.contains(path) == true)
    var server = signed.server
    server.rulesFile = nil
    let withoutRules = server
    let open = await #expect(throws: DatabaseError.self) {
      _ = try await withoutRules.start(port: 0)
    }
    #expect(open?.code == .invalidArgument && open?.message.contains("rules") == true)
  }
}
