import Foundation
import Hearth
import HearthServer
import TestSupport
import Testing

/// The file with the configuration of sign-in.
@Suite(.timeLimit(.minutes(5))) struct SignInFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { "\(folder.path)/auth.json" }

  private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

  /// Returns the error of a server with the file; `nil` for none.
  private func startError() async -> DatabaseError? {
    var server = HearthServer(databases: .inMemory)
    server.signInFile = path
    do throws(DatabaseError) {
      let running = try await server.start(port: 0)
      await running.stop()
      return nil
    } catch {
      return error
    }
  }

  private func error(of text: String) async throws -> DatabaseError? {
    try write(text)
    return await startError()
  }

  /// Files, and what their errors say after the path.
  private static let mistakes: [(text: String, message: String)] = [
    ("[]", ": the file is a list: write an object with members of authorizedDomains, "),
    (
      "{\"passwordPolicy\": {},\n  \"x\" 1}", ", line 2, column 7: expected \":\", found \"1\""
    ),
    (
      "{\"domains\": []}",
      ": the file has the unknown member \"domains\": those that there are are "
    ),
    (
      "{\"oneAccountPerEmail\": true, \"oneAccountPerEmail\": false}",
      ": the file has the member \"oneAccountPerEmail\" twice: remove one."
    ),
    (
      "{\"emailEnumerationProtection\": \"on\"}",
      ": emailEnumerationProtection is \"on\": write true or false."
    ),
    (
      "{\"authorizedDomains\": \"app.example\"}",
      ": authorizedDomains is \"app.example\": write a list of domains, such as "
        + "[\"app.example.com\"]."
    ),
    (
      "{\"authorizedDomains\": [\"a.example\", \"https://b.example\"]}",
      ": authorizedDomains[1] is \"https://b.example\": write a domain without scheme, port and "
        + "path, such as \"app.example.com\"."
    ),
    (
      "{\"passwordPolicy\": {\"minPasswordLength\": 5}}",
      ": passwordPolicy.minPasswordLength is 5: write a whole number from 6 to 30."
    ),
    (
      "{\"passwordPolicy\": {\"minPasswordLength\": 12, \"maxPasswordLength\": 10}}",
      ": passwordPolicy.maxPasswordLength is 10: write a whole number from 12 to 4096."
    ),
    (
      "{\"passwordPolicy\": {\"containsDigit\": true}}",
      ": passwordPolicy has the unknown member \"containsDigit\": those that there are are "
        + "minPasswordLength, maxPasswordLength, containsLowercaseCharacter, "
    ),
    (
      "{\"passwordPolicy\": {\"containsNumericCharacter\": 1}}",
      ": passwordPolicy.containsNumericCharacter is 1: write true or false."
    ),
  ]

  @Test func eachMistakeIsToldWithItsPlace() async throws {
    for (text, message) in Self.mistakes {
      let error = try await error(of: text)
      #expect(error?.code == .invalidArgument)
      let told = error?.message ?? ""
      #expect(told.hasPrefix("\(path)\(message)"), "\(told)")
    }
  }

  @Test func aFileThatIsntThereIsTold() async throws {
    let error = await startError()
    #expect(error?.message == "The server can't read \(path): No such file or directory")
  }

  @Test(arguments: [false, true])
  func theFileHoldsInBothModes(isSigned: Bool) async throws {
    try write(
      """
      {
        "authorizedDomains": ["app.example.com"],
        "passwordPolicy": {"minPasswordLength": 8, "containsNumericCharacter": true},
        "emailEnumerationProtection": \(!isSigned),
        "oneAccountPerEmail": false
      }
      """)
    let signed = try SignedServer()
    var server = signed.server
    server.signInFile = path
    if !isSigned {
      server.signing = nil
      server.tokens = []
    }
    try await RulesClient.with(server) { client, _ in
      let weak = try await client.signIn(
        "signUp", #"{"email": "ada@example.com", "password": "secret"}"#)
      #expect(
        weak.message == "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: "
          + "[Password must contain at least 8 characters, "
          + "Password must contain a numeric character]")
      let unknown = try await client.signIn(
        "signInWithPassword", #"{"email": "ada@example.com", "password": "secret"}"#)
      #expect(unknown.message == (isSigned ? "EMAIL_NOT_FOUND" : "INVALID_LOGIN_CREDENTIALS"))
      let config = try await client.send(
        "GET", "/v2/projects/demo-rules/config",
        as: isSigned ? SignedServer.administrator : "Bearer owner")
      #expect(config["authorizedDomains"]?.line == #"["app.example.com"]"#)
      #expect(config["signIn"]?["allowDuplicateEmails"]?.line == "true")
    }
  }
}
