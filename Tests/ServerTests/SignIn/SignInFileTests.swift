import Foundation
import Hearth
import HearthFirestoreJSON
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
    ("[]", ": the file is a list: write an object with members of providers, "),
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

  private static let audiences =
    "write a list of the ids that your applications have at the provider, such as "
    + "[\"com.example.app\"]."
  private static let keys =
    "write the address of its key set, such as \"https://accounts.example.com/keys\", or the path "
    + "of a file with it."
  /// Members of one provider, and what their errors say after its place.
  private static let providerMistakes: [(id: String, text: String, message: String)] = [
    ("apple.com", "[]", " is a list: write an object with members of audiences, issuers, keys."),
    ("apple.com", "{}", " has no audiences: \(audiences)"),
    ("apple.com", #"{"audiences": []}"#, ".audiences is empty: \(audiences)"),
    ("apple.com", #"{"audiences": "a"}"#, #".audiences is "a": \#(audiences)"#),
    ("apple.com", #"{"audiences": ["a", 1]}"#, ".audiences[1] is 1: write a text."),
    (
      "apple.com", #"{"audience": ["a"]}"#,
      " has the unknown member \"audience\": those that there are are audiences, issuers, keys."
    ),
    (
      "oidc.work", #"{"audiences": ["a"]}"#,
      " has no issuers: write a list of the names that the provider's tokens have as iss, such as "
        + "[\"https://accounts.example.com\"]."
    ),
    (
      "oidc.work", #"{"audiences": ["a"], "issuers": ["b"]}"#, " has no keys: \(keys)"
    ),
    ("apple.com", #"{"audiences": ["a"], "keys": 1}"#, ".keys is 1: \(keys)"),
  ]

  @Test func eachMistakeInAProviderIsToldWithItsPlace() async throws {
    for (id, text, message) in Self.providerMistakes {
      let error = try await error(of: "{\"providers\": {\"\(id)\": \(text)}}")
      #expect(error?.message == "\(path): providers[\"\(id)\"]\(message)")
    }
    for address in ["http://a.example/keys", "https://", "https://u@a.example", "ftp://a/b"] {
      let text = "{\"audiences\": [\"a\"], \"keys\": \"\(address)\"}"
      let error = try await error(of: "{\"providers\": {\"apple.com\": \(text)}}")
      #expect(
        error?.message
          == "\(path): providers[\"apple.com\"].keys is \"\(address)\": \(Self.keys)")
    }
    try Data("{}".utf8).write(to: URL(filePath: "\(folder.path)/none.json"))
    for (file, reason) in [
      ("missing.json", "\(folder.path)/missing.json can't be read: No such file or directory"),
      (
        "none.json",
        "in \(folder.path)/none.json, there is no set of keys of the form {\"keys\": […]} with one "
          + "of RSA for signatures"
      ),
    ] {
      let text = "{\"audiences\": [\"a\"], \"keys\": \"\(file)\"}"
      let error = try await error(of: "{\"providers\": {\"apple.com\": \(text)}}")
      #expect(
        error?.message == "\(path): providers[\"apple.com\"].keys is of no use: \(reason).")
    }
  }

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
