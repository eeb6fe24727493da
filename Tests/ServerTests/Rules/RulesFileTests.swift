import Foundation
import HearthDocumentModel
import HearthSecurityRules
import HearthServer
import HearthServerCalls
import ServerTestClient
import TestSupport
import Testing

/// A file of rules, whose changes are followed.
@Suite(.timeLimit(.minutes(5))) struct RulesFileTests {
  private static let open = "service cloud.firestore { match /{p=**} { allow read; } }"
  private static let shut =
    "service cloud.firestore { match /{p=**} {\nallow read: if request.auth.uid == 'bob'; } }"

  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "firestore.rules")
  }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
  }

  @Test func aChangeHoldsAndAFaultLeavesTheRules() throws {
    let file = RulesFile(path: path)
    let missing = #expect(throws: DatabaseError.self) { try file.read() }
    #expect(missing?.code == .unavailable)
    try write("service")
    let broken = #expect(throws: DatabaseError.self) { try file.read() }
    #expect(broken?.code == .invalidArgument)
    #expect(broken?.message.contains("\(path): Error compiling rules:\nL1:") == true)
    try write(Self.open)
    let rules = ServedRules(try file.read())
    func look() -> String {
      switch file.look(replacingIn: rules) {
      case .unchanged: "unchanged"
      case .replaced: "replaced"
      case .refused(let error): "refused \(error.code.name)"
      }
    }
    func present() throws -> String? { try rules.ruleset(ofProject: "p")?.source }
    #expect(look() == "unchanged")
    try write(Self.shut)
    #expect(look() == "replaced")
    #expect(try present() == Self.shut)
    try write("service")
    #expect(look() == "refused INVALID_ARGUMENT")
    #expect(look() == "unchanged")
    #expect(try present() == Self.shut)
    try FileManager.default.removeItem(atPath: path)
    #expect(look() == "refused UNAVAILABLE")
    #expect(look() == "unchanged")
    try write(Self.open)
    #expect(look() == "replaced")
    // A project with rules of its own keeps them.
    try rules.replace(try Ruleset(compiling: Self.shut), ofProject: "p")
    try write(Self.open + " ")
    #expect(look() == "replaced")
    #expect(try present() == Self.shut)
    #expect(try rules.ruleset(ofProject: "q")?.source == Self.open + " ")
  }

  @Test func theCommandFollowsItsFileAndTellsOfRefusals() async throws {
    try write(Self.shut)
    let folder = folder
    let path = path
    try await Turns.run {
      let server = try await ServerProcess.start(
        ["--in-memory", "--rules", path, "--log-values", "--explain-denials"], in: folder)
      let address = "/v1/projects/demo/databases/(default)/documents/c/secret"
      func errors() -> String {
        (try? String(contentsOfFile: folder.path(of: "errors"), encoding: .utf8)) ?? ""
      }
      let denial = try await server.send("GET", address)
      #expect(denial.hasPrefix("HTTP/1.1 403 "))
      #expect(denial.contains("Null value error. for 'get' @ L2"))
      #expect(
        errors().contains(
          "Denied in projects/demo/databases/(default): get c/secret. line 2: Null value error."))
      #expect(errors().contains("request.auth") == false && errors().contains(" is null"))
      try Data("service".utf8).write(to: URL(filePath: path), options: .atomic)
      while !errors().contains("the earlier rules hold on") { await Task.yield() }
      #expect(try await server.send("GET", address).hasPrefix("HTTP/1.1 403 "))
      try Data(Self.open.utf8).write(to: URL(filePath: path), options: .atomic)
      while !errors().contains("hold now") { await Task.yield() }
      #expect(try await server.send("GET", address).hasPrefix("HTTP/1.1 404 "))
      try await server.kill()
    }
  }

  @Test func privateValuesAreNotTold() async throws {
    try write(Self.shut)
    let folder = folder
    let path = path
    try await Turns.run {
      let server = try await ServerProcess.start(["--in-memory", "--rules", path], in: folder)
      let address = "/v1/projects/demo/databases/(default)/documents/c/secret"
      #expect(try await server.send("GET", address).contains("Missing or insufficient"))
      let errors = try String(contentsOfFile: folder.path(of: "errors"), encoding: .utf8)
      #expect(errors.contains("get c/?. line 2: Null value error"))
      #expect(!errors.contains("secret"))
      try await server.kill()
    }
  }
}
