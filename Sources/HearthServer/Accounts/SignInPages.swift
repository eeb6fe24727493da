import HearthAccounts
import HearthDocumentModel
import HearthFirestoreJSON
import HearthServerTransport

/// The addresses of sign-in on a port.
struct SignInPages: Sendable {
  private let accounts: ServedAccounts
  /// Whether the port speaks TLS alone.
  private let isSecure: Bool
  /// Whether the server is an emulator's.
  private let isEmulator: Bool

  /// The answer to tools that look at the root to see that the server is up.
  static let ready = HTTPResponse(200, body: Array("Ok\n".utf8))

  init(_ accounts: ServedAccounts, isSecure: Bool, isEmulator: Bool) {
    self.accounts = accounts
    self.isSecure = isSecure
    self.isEmulator = isEmulator
  }

  /// Answers a request.
  ///
  /// - Returns: `nil` for an address that none of sign-in's calls has.
  func answer(_ request: HTTPRequest) async -> HTTPResponse? {
    do throws(DatabaseError) {
      guard let answer = try await accounts.answer(accountRequest(of: request)) else { return nil }
      var response = RESTService.response(answer.status, answer.json)
      // Most answers have tokens, and are good for no other request.
      let caching = answer.cacheTime > 0 ? "public, max-age=\(answer.cacheTime)" : "no-store"
      response.headers.append(("cache-control", caching))
      if let location = answer.location { response.headers.append(("location", location)) }
      return response
    } catch {
      return RESTService.refusal(error, streams: false)
    }
  }

  /// Answers a request at a port for sign-in alone, where tools look at the root to see that it is
  /// up (A§1.1).
  func aloneAnswer(_ request: HTTPRequest) async -> HTTPResponse {
    if request.method == "GET", request.target == "/" {
      return isEmulator ? RESTService.response(200, SignInPages.root) : SignInPages.ready
    }
    return await answer(request) ?? HTTPResponse(404, text: "Not Found\n")
  }

  private static let root = JSONValue.object([
    (
      "authEmulator",
      .object([
        ("ready", .boolean(true)),
        ("docs", .string("https://firebase.google.com/docs/emulator-suite")),
        ("apiSpec", .string("/emulator/openapi.json")),
      ])
    )
  ])

  private func accountRequest(of request: HTTPRequest) -> AccountRequest {
    var result = AccountRequest(
      request.method, request.target, authorization: request.header("authorization"),
      contentType: request.header("content-type"), body: request.body)
    result.clientAddress = request.clientAddress
    if let origin = request.ownOrigin(isSecure: isSecure) { result.origin = origin }
    return result
  }
}
