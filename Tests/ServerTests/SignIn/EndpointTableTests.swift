import Foundation
import HearthFirestoreJSON
import HearthServer
import TestSupport
import Testing

/// The tables of what each caller may do in each mode of a server, which stand in the page
/// CallersByMode. With `HEARTH_REWRITE=1` they are written there.
@Suite(.serialized, .timeLimit(.minutes(5))) struct EndpointTableTests {
  private static let pages = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/Hearth/Hearth.docc")

  @Test func unsignedTokens() async throws {
    let signed = try SignedServer()
    var server = signed.server
    (server.signing, server.tokens) = (nil, [])
    try await compare(server, under: "Unsigned tokens", administrator: "Bearer owner")
    withExtendedLifetime(signed) {}
  }

  @Test func unsignedTokensAndAccessTokens() async throws {
    let signed = try SignedServer()
    var server = signed.server
    (server.signing, server.rulesFile) = (nil, nil)
    try await compare(
      server, under: "Access tokens", administrator: SignedServer.administrator)
    withExtendedLifetime(signed) {}
  }

  @Test func signedTokens() async throws {
    let signed = try SignedServer()
    try await compare(
      signed.server, under: "Signed tokens", administrator: SignedServer.administrator)
    withExtendedLifetime(signed) {}
  }

  /// Compares the table under a heading with what the server answers.
  private func compare(
    _ server: HearthServer, under heading: String, administrator: String
  ) async throws {
    // Without access tokens, one is like any other text.
    let areOpen = server.tokens.isEmpty
    try await RulesClient.with(server) { client, server in
      for path in ["open/a", "closed/a"] {
        _ = try await client.send(
          "PATCH", "\(RulesClient.documents)/\(path)", "{\"fields\": {}}", as: administrator)
      }
      let user = try await newUser(client, administrator)
      let table = EndpointTable(
        callers: [
          .init(name: "no header", authorization: nil),
          .init(name: "user's token", authorization: "Bearer \(user.idToken)"),
          .init(name: "`Bearer owner`", authorization: "Bearer owner"),
          .init(name: "token of `--token-file`", authorization: SignedServer.administrator),
          .init(name: "other token", authorization: "Bearer no-token-of-this-server"),
        ].filter { !areOpen || $0.authorization != SignedServer.administrator },
        rows: try EndpointTable.rows(for: user))
      try expect(try await table.lines(from: client, server), under: heading)
    }
  }

  private func newUser(
    _ client: RulesClient, _ administrator: String
  ) async throws -> EndpointTable.User {
    let body = """
      {"email": "\(EndpointTable.User.email)", "password": "\(EndpointTable.User.password)"}
      """
    var answer: JSONAnswer?
    for name in ["signUp", "signInWithPassword"] {
      answer = try await client.send(
        "POST", "/v1/accounts:\(name)?key=k", body, as: administrator)
    }
    return EndpointTable.User(
      id: answer?["localId"]?.string ?? "", idToken: answer?["idToken"]?.string ?? "",
      refreshToken: answer?["refreshToken"]?.string ?? "")
  }

  /// Expects that the page has a table under a heading.
  private func expect(_ table: [String], under heading: String) throws {
    let path = "CallersByMode.md"
    let text = try String(contentsOf: Self.pages.appending(path: path), encoding: .utf8)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = try #require(lines.firstIndex(of: "## \(heading)"))
    let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("## ") } ?? lines.count
    let first = lines[start..<end].firstIndex { $0.hasPrefix("|") } ?? end
    let last = lines[first..<end].firstIndex { !$0.hasPrefix("|") } ?? end
    lines.replaceSubrange(first..<last, with: table)
    let difference = try Golden.difference(
      of: lines.joined(separator: "\n"), from: path, in: Self.pages)
    #expect(difference == nil, "the table under \(heading) is:\n\(table.joined(separator: "\n"))")
  }
}
