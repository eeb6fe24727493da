import Foundation
import Hearth
import HearthFirestoreJSON
import HearthServer
import TestSupport
import Testing

/// The mail with codes, which a server with signed tokens hands to a command.
@Suite(.timeLimit(.minutes(5))) struct MailTests {
  private static let ada = "ada@example.com"
  private static let page = "https://app.example/action?from=mail"

  private let mail: SentMail
  private let failures = MailFailures()

  init() throws { mail = try SentMail() }

  /// Runs `body` with a server that sends its mail by a command; `nil` for one that keeps it.
  ///
  /// - Parameter protects: whether answers keep silent about addresses.
  private func withServer(
    _ command: String? = nil, within limit: Duration? = nil, protects: Bool = false,
    _ body: (RulesClient, SignedServer) async throws -> Void
  ) async throws {
    var signed = try SignedServer()
    signed.server.signing?.mail = MailCommand(command ?? mail.command)
    signed.server.signing?.mail?.sender = "noreply@app.example"
    if let limit { signed.server.signing?.mail?.timeLimit = limit }
    signed.server.signing?.actionPage = Self.page
    signed.server.note = failures.note
    signed.server.signInFile = "\(signed.folder.path)/auth.json"
    let configuration = """
      {"authorizedDomains": ["app.example", "a.example"], "emailEnumerationProtection": \(protects)}
      """
    try Data(configuration.utf8).write(to: URL(filePath: "\(signed.folder.path)/auth.json"))
    try await signed.with { [signed] client, _ in try await body(client, signed) }
  }

  private func signUp(
    _ client: RulesClient, _ email: String = ada
  ) async throws -> JSONAnswer {
    try await client.signIn("signUp", #"{"email": "\#(email)", "password": "secret1"}"#)
  }

  private func ask(
    _ client: RulesClient, _ type: String, _ members: [String: String]
  ) async throws -> JSONAnswer {
    let members = members.map { ", \"\($0.key)\": \"\($0.value)\"" }.joined()
    return try await client.signIn("sendOobCode", "{\"requestType\": \"\(type)\"\(members)}")
  }

  @Test func anAddressIsVerifiedByMail() async throws {
    try await withServer { client, _ in
      let user = try await signUp(client)
      let token = user["idToken"]?.string ?? ""
      let sent = try await ask(
        client, "VERIFY_EMAIL", ["idToken": token, "continueUrl": "https://app.example/?a=1&b=2"])
      #expect(sent.status == 200 && sent["oobLink"] == nil && sent["oobCode"] == nil)
      let message = try await mail.message("VERIFY_EMAIL")
      #expect(message.to == Self.ada && message.headers["To"] == Self.ada)
      #expect(message.headers["From"] == "noreply@app.example")
      #expect(message.headers["Subject"] == "Verify your e-mail address")
      #expect(message.headers["Date"] == "Fri, 15 Jan 2027 08:00:00 +0000")
      #expect(message.headers["Message-ID"]?.hasSuffix("@app.example>") == true)
      #expect(message.link.hasPrefix("\(Self.page)&mode=verifyEmail&"))
      #expect(message.parameter("continueUrl") == "https://app.example/?a=1&b=2")
      #expect(message.body.contains("\n\(message.link)\n"))
      let applied = try await client.signIn("update", "{\"oobCode\": \"\(message.code)\"}")
      #expect(applied["emailVerified"] == .boolean(true))
    }
  }

  @Test func aPasswordIsResetByMail() async throws {
    try await withServer { client, _ in
      _ = try await signUp(client)
      #expect(try await ask(client, "PASSWORD_RESET", ["email": Self.ada]).status == 200)
      let code = try await mail.message("PASSWORD_RESET").code
      let reset = try await client.signIn(
        "resetPassword", #"{"oobCode": "\#(code)", "newPassword": "secret2"}"#)
      #expect(reset.status == 200)
      let signedIn = try await client.signIn(
        "signInWithPassword", #"{"email": "\#(Self.ada)", "password": "secret2"}"#)
      #expect(signedIn.status == 200)
    }
  }

  @Test func aLinkSignsIn() async throws {
    try await withServer { client, _ in
      let members = ["email": Self.ada, "continueUrl": "https://app.example", "a": "b"]
      #expect(try await ask(client, "EMAIL_SIGNIN", members).status == 200)
      let code = try await mail.message("EMAIL_SIGNIN").code
      let signedIn = try await client.signIn(
        "signInWithEmailLink", #"{"oobCode": "\#(code)", "email": "\#(Self.ada)"}"#)
      #expect(signedIn["isNewUser"] == .boolean(true))
    }
  }

  /// The new address vouches for its owner, and the old one hears of the change.
  @Test func aChangeOfAddressAsksTheNewOneAndTellsTheOldOne() async throws {
    try await withServer { client, _ in
      let token = try await signUp(client)["idToken"]?.string ?? ""
      _ = try await ask(
        client, "VERIFY_AND_CHANGE_EMAIL", ["idToken": token, "newEmail": "new@example.com"])
      let message = try await mail.message("VERIFY_AND_CHANGE_EMAIL")
      #expect(message.to == "new@example.com")
      let changed = try await client.signIn(
        "update", #"{"idToken": "\#(token)", "email": "other@example.com"}"#)
      #expect(changed["email"]?.string == "other@example.com")
      let recovery = try await mail.message("RECOVER_EMAIL")
      #expect(recovery.to == Self.ada)
      let recovered = try await client.signIn("update", "{\"oobCode\": \"\(recovery.code)\"}")
      #expect(recovered["email"]?.string == Self.ada)
    }
  }

  @Test func anAdministratorGetsTheLinkInstead() async throws {
    try await withServer("exit 1") { client, _ in
      _ = try await signUp(client)
      let path = "/v1/projects/\(RulesClient.project)/accounts:sendOobCode"
      let body = #"{"requestType": "PASSWORD_RESET", "email": "\#(Self.ada)""#
      let link = try await client.send(
        "POST", path, body + #", "returnOobLink": true}"#, as: SignedServer.administrator)
      #expect(link["oobLink"]?.string?.hasPrefix("\(Self.page)&mode=resetPassword&") == true)
      #expect(failures.all.isEmpty)
      let refused = try await ask(
        client, "PASSWORD_RESET", ["email": Self.ada, "returnOobLink": "true"])
      #expect(refused.status == 400 && refused.message == "INSUFFICIENT_PERMISSION")
    }
  }

  // MARK: Failures

  @Test func aFailureIsToldWithoutTheCode() async throws {
    try await withServer(#"echo "no way to $HEARTH_MAIL_LINK" >&2; exit 3"#) { client, _ in
      _ = try await signUp(client)
      let answer = try await ask(client, "PASSWORD_RESET", ["email": Self.ada])
      #expect(answer.status == 503 && answer.message.hasPrefix("The message with the code can't"))
      let failure = try #require(failures.all.first)
      #expect(failures.all.count == 1)
      #expect(failure.kind == "PASSWORD_RESET" && failure.reason == "exit status 3")
      #expect(failure.errors.hasPrefix("no way to \(Self.page)&mode=resetPassword&"))
      #expect(failure.errors.contains("&oobCode=CODE&"))
    }
  }

  @Test func aCommandThatDoesNotEndIsEnded() async throws {
    let command = "sleep 1000 & echo $! >'\(mail.folder.path)/child'; wait"
    try await withServer(command, within: .milliseconds(300)) { client, _ in
      _ = try await signUp(client)
      #expect(try await ask(client, "PASSWORD_RESET", ["email": Self.ada]).status == 503)
      #expect(failures.all.map(\.reason) == ["it has taken longer than 0.3 seconds"])
      // What the command has started is ended too.
      let child = try String(contentsOfFile: "\(mail.folder.path)/child", encoding: .utf8)
      let number = try #require(Int32(child.trimmingCharacters(in: .newlines)))
      while kill(number, 0) == 0 { await Task.yield() }
    }
  }

  @Test func aMessageThatWaitsTooLongIsGivenUp() async throws {
    var signed = try SignedServer()
    signed.server.signing?.mail = MailCommand(mail.command)
    signed.server.signing?.mail?.waitLimit = .zero
    signed.server.note = failures.note
    try await signed.with { client, _ in
      let answer = try await ask(client, "EMAIL_SIGNIN", ["email": Self.ada])
      #expect(answer.status == 503)
    }
    #expect(failures.all.map(\.reason) == ["it has waited longer than 0.0 seconds"])
  }

  @Test func aProtectedAddressIsNotGivenAwayByItsMail() async throws {
    try await withServer("exit 1", protects: true) { client, _ in
      _ = try await signUp(client)
      for email in [Self.ada, "nobody@example.com"] {
        let answer = try await ask(client, "PASSWORD_RESET", ["email": email])
        #expect(answer.status == 200 && answer["email"]?.string == email)
      }
      while failures.all.isEmpty { await Task.yield() }
    }
    #expect(failures.all.count == 1)
  }

  @Test func aMessageHasTheHeadersOfTheServerAlone() async throws {
    try await withServer { client, _ in
      let project = "demo%0ABcc:%20eve@example.com"
      let path = "/v1/projects/\(project)/accounts:sendOobCode"
      let sent = try await client.send(
        "POST", path,
        #"{"requestType": "EMAIL_SIGNIN", "email": "\#(Self.ada)", "#
          + #""continueUrl": "https://a.example/\r\nBcc: eve@example.com"}"#,
        as: SignedServer.administrator)
      #expect(sent.status == 200, "\(sent.message)")
      let message = try await mail.message("EMAIL_SIGNIN")
      #expect(
        message.headers.keys.sorted() == [
          "Auto-Submitted", "Content-Transfer-Encoding", "Content-Type", "Date", "From",
          "MIME-Version", "Message-ID", "Subject", "To",
        ])
      #expect(!message.body.contains("\nBcc"))
      #expect(message.parameter("continueUrl") == "https://a.example/\r\nBcc: eve@example.com")
    }
  }

  @Test(arguments: ["ada@example.com\nBcc: eve@example.com", "a,b@example.com", "a b@example.com"])
  func aTextThatIsNoAddressGetsNone(email: String) async throws {
    try await withServer { client, _ in
      let body = JSONValue.object([
        ("requestType", .string("EMAIL_SIGNIN")), ("email", .string(email)),
      ])
      let answer = try await client.signIn("sendOobCode", body.line)
      #expect(answer.status == 400 && answer.message == "INVALID_EMAIL")
    }
  }

  /// Programs could take it for an option.
  @Test func anAddressLikeAnOptionIsNotWrittenTo() async throws {
    try await withServer { client, _ in
      let answer = try await ask(client, "EMAIL_SIGNIN", ["email": "-x@example.com"])
      #expect(answer.status == 400 && answer.message == "INVALID_RECIPIENT_EMAIL")
      #expect(failures.all.map(\.reason) == ["the address can't be written to"])
    }
  }

  @Test func messagesWaitInBoundedNumber() async throws {
    let gate = "\(mail.folder.path)/gate"
    let command = "while ! [ -e '\(gate)' ]; do sleep 0.01; done"
    try await withServer(command, within: .seconds(300)) { client, _ in
      let path = "/v1/projects/\(RulesClient.project)/accounts:sendOobCode"
      let statuses = try await withThrowingTaskGroup(of: JSONAnswer.self) { group in
        for number in 0..<70 {
          let body = #"{"requestType": "EMAIL_SIGNIN", "email": "ada\#(number)@example.com"}"#
          group.addTask {
            try await client.send("POST", path, body, as: SignedServer.administrator)
          }
        }
        var statuses: [Int] = []
        while let answer = try await group.next() {
          statuses.append(answer.status)
          if answer.status == 400 {
            #expect(answer.message.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER : "))
          }
          // Those that wait go on once all others are refused.
          if statuses.count == 6 { try Data().write(to: URL(filePath: gate)) }
        }
        return statuses
      }
      #expect(statuses.filter { $0 == 400 }.count == 6)
      #expect(statuses.filter { $0 == 200 }.count == 64)
    }
  }

  @Test(arguments: ["app", "a@b, c@d", "Ada <ada@example.com>", "-x@example.com"])
  func aSenderIsAnAddress(sender: String) async throws {
    let signed = try SignedServer()
    var server = signed.server
    server.signing?.mail = MailCommand("true")
    server.signing?.mail?.sender = sender
    try await refused(server, naming: sender)
  }

  @Test(arguments: ["app.example", "javascript:x", "https://a b", "https://a.example/#x"])
  func theActionPageIsAPage(page: String) async throws {
    let signed = try SignedServer()
    var server = signed.server
    server.signing?.actionPage = page
    try await refused(server, naming: page)
  }

  private func refused(_ server: HearthServer, naming text: String) async throws {
    let error = await #expect(throws: DatabaseError.self) { _ = try await server.start(port: 0) }
    #expect(error?.code == .invalidArgument && error?.message.contains(text) == true)
  }
}
