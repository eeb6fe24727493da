import Foundation
import ServerTestClient
import TestSupport
import Testing

/// `hearth serve` with signed tokens, as a process of its own.
@Suite(.timeLimit(.minutes(5))) struct SignedServeTests {
  private static let administrator = "administrators-token-0123"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Notice: Decodable {
    let port: Int
    let authTokens: String
  }

  private struct Answer: Decodable {
    struct Failure: Decodable {
      let message: String
    }
    let idToken: String?
    let emailVerified: Bool?
    let email: String?
    let error: Failure?
  }

  /// Writes a file of the folder, and returns its path.
  private func file(_ name: String, _ text: String) throws -> String {
    let path = folder.path(of: name)
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  private func options(mail command: String? = nil) throws -> [String] {
    let rules = try file(
      "firestore.rules",
      "service cloud.firestore { match /none/{id} { allow read: if false; } }")
    let mail = command.map { ["--mail-command", $0] } ?? []
    return [
      "serve", "--in-memory", "--port", "0", "--json", "--rules", rules, "--auth-tokens", "signed",
      "--auth-keys", folder.path(of: "keys.pem"),
      "--token-file", try file("tokens", Self.administrator),
    ] + mail
  }

  /// Runs `body` with the port of a server, and ends the server.
  private func withServer(
    _ options: [String], _ body: (_ port: Int) async throws -> Void
  ) async throws {
    let run = try RunningWriter(options, program: "hearth", errors: folder.path(of: "errors"))
    let line = try #require(run.nextLine())
    let notice = try JSONDecoder().decode(Notice.self, from: Data(line.utf8))
    #expect(notice.authTokens == "signed")
    try await body(notice.port)
    run.send(SIGTERM)
    _ = run.finish()
    #expect(run.exitStatus == 0)
  }

  private func call(_ name: String, _ body: String, port: Int) async throws -> Answer {
    let answer = try await PlainConnection.exchange(
      "POST", "/v1/accounts:\(name)?key=k", body, port: port)
    return try JSONDecoder().decode(Answer.self, from: Data(answer.body.utf8))
  }

  /// Returns the code in the message of a kind, once it was sent.
  private func code(_ kind: String) async -> String {
    while true {
      if let link = try? String(contentsOfFile: folder.path(of: kind), encoding: .utf8),
        let code = URLComponents(string: link)?.queryItems?.first(where: { $0.name == "oobCode" })
      {
        return code.value ?? ""
      }
      await Task.yield()
    }
  }

  @Test func accountsAreVerifiedAndRecoveredByMail() async throws {
    let command = """
      cat >'\(folder.path(of: "message"))' && \
      printf %s "$HEARTH_MAIL_LINK" >'\(folder.path(of: ""))'"$HEARTH_MAIL_KIND"
      """
    try await withServer(try options(mail: command)) { port in
      let ada = #""email": "ada@example.com""#
      let user = try await call("signUp", "{\(ada), \"password\": \"secret1\"}", port: port)
      let token = #""idToken": "\#(user.idToken ?? "")""#
      _ = try await call("sendOobCode", "{\"requestType\": \"VERIFY_EMAIL\", \(token)}", port: port)
      let verification = await code("VERIFY_EMAIL")
      let verified = try await call("update", "{\"oobCode\": \"\(verification)\"}", port: port)
      #expect(verified.emailVerified == true)
      _ = try await call("sendOobCode", "{\"requestType\": \"PASSWORD_RESET\", \(ada)}", port: port)
      let reset = await code("PASSWORD_RESET")
      let message = try String(contentsOfFile: folder.path(of: "message"), encoding: .utf8)
      #expect(message.hasPrefix("To: ada@example.com\nSubject: Reset your password\nDate: "))
      _ = try await call(
        "resetPassword",
        "{\"oobCode\": \"\(reset)\", \"newPassword\": \"secret2\"}", port: port)
      let old = try await call(
        "signInWithPassword", "{\(ada), \"password\": \"secret1\"}", port: port)
      #expect(old.error?.message == "INVALID_LOGIN_CREDENTIALS")
      let new = try await call(
        "signInWithPassword", "{\(ada), \"password\": \"secret2\"}", port: port)
      #expect(new.email == "ada@example.com" && new.idToken != nil)
    }
    #expect(
      try String(contentsOfFile: folder.path(of: "errors"), encoding: .utf8).dropLast()
        == "Stopping: running calls have a moment to end.")
  }

  @Test func tokensThatOthersCanReadAreToldOf() async throws {
    let options = try options()
    let tokens = folder.path(of: "tokens")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: tokens)
    try await withServer(options) { _ in }
    let log = try String(contentsOfFile: folder.path(of: "errors"), encoding: .utf8)
    #expect(log.hasPrefix("Warning: other users can read") && log.contains("chmod 600 \(tokens)\n"))
  }

  @Test func aFailureOfTheCommandIsInTheLog() async throws {
    try await withServer(try options(mail: "echo 'no\u{1B}[31mway' >&2; exit 75")) { port in
      let answer = try await call(
        "sendOobCode", #"{"requestType": "EMAIL_SIGNIN", "email": "ada@example.com"}"#, port: port)
      #expect(answer.error?.message.hasPrefix("The message with the code can't be sent") == true)
    }
    let log = try String(contentsOfFile: folder.path(of: "errors"), encoding: .utf8)
    #expect(
      log.hasPrefix("Error: a message with a code (EMAIL_SIGNIN) isn't sent: exit status 75\n"))
    #expect(log.contains("way\n") && !log.contains("\u{1B}"))
  }

  /// The command gets nothing of the server's but the message and the variables.
  @Test func theCommandHasNoFilesOfTheServer() async throws {
    let list = folder.path(of: "files")
    let command = "for file in /proc/$$/fd/*; do readlink $file; done >'\(list)'"
    try await withServer(try options(mail: command)) { port in
      _ = try await call(
        "sendOobCode", #"{"requestType": "EMAIL_SIGNIN", "email": "ada@example.com"}"#, port: port)
    }
    let files = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
    let others = files.filter { $0.hasPrefix("socket:") || $0.hasPrefix("anon_inode:") }
    #expect(!files.isEmpty && others.isEmpty, "\(files)")
  }

  @Test(arguments: [
    (["--mail-from", "a@example.com"], "--mail-from needs --mail-command."),
    (["--mail-command", ""], "--mail-command takes a command"),
  ])
  func optionsThatCannotHoldAreRefused(more: [String], words: String) async throws {
    let run = try await ToolRun.run(try options() + more)
    #expect(run.status == 64 && run.errors.contains(words), "\(run.errors)")
  }

  @Test(arguments: ["--mail-command", "--action-page"])
  func anEmulatorSendsNoMail(option: String) async throws {
    let run = try await ToolRun.run(["serve", "--in-memory", option, "true"])
    #expect(run.status == 64 && run.errors.contains("--auth-tokens signed"), "\(run.errors)")
  }
}
