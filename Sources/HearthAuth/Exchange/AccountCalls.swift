import Foundation
import HearthFirestoreJSON

/// The calls on accounts, by their names (A§3).
struct AccountCalls: Sendable {
  let backend: any AccountsBackend

  /// Makes the call `accounts:NAME`.
  ///
  /// - Throws: the refusal by its code; `networkError` if the accounts can't be reached.
  @discardableResult
  func call(
    _ name: String, _ members: [(String, JSONValue)]
  ) async throws(AuthFailure) -> JSONValue {
    try await post("/identitytoolkit.googleapis.com/v1/accounts:\(name)", members)
  }

  /// Makes the call `accounts:NAME` of the second version.
  func secondCall(_ name: String, _ members: [(String, JSONValue)]) async throws(AuthFailure) {
    _ = try await post("/identitytoolkit.googleapis.com/v2/accounts:\(name)", members)
  }

  /// Exchanges a refresh token for new tokens.
  func renew(_ refreshToken: String) async throws(AuthFailure) -> JSONValue {
    try await post(
      "/securetoken.googleapis.com/v1/token",
      [
        ("grantType", .string("refresh_token")), ("refreshToken", .string(refreshToken)),
      ])
  }

  /// Returns the codes that wait at accounts that send no mail.
  func waitingCodes() async throws(AuthFailure) -> [JSONValue] {
    let project = backend.project ?? "demo-project"
    let request = AccountsRequest(
      method: "GET", target: "/emulator/v1/projects/\(AccountCalls.escaped(project))/oobCodes")
    return try await answer(request)["oobCodes"]?.elements ?? []
  }

  private func post(
    _ path: String, _ members: [(String, JSONValue)]
  ) async throws(AuthFailure) -> JSONValue {
    try await answer(
      AccountsRequest(
        target: "\(path)?key=\(AccountCalls.escaped(backend.key))", json: .object(members)))
  }

  private func answer(_ request: AccountsRequest) async throws(AuthFailure) -> JSONValue {
    let (status, json) = try await backend.answer(request)
    guard status == 200 else {
      let message = json["error"]?["message"]?.string
      throw AuthFailure(serverMessage: message ?? "HTTP status \(status)")
    }
    return json
  }

  /// Returns a text in the form that it has in an address or a form.
  static func escaped(_ text: String) -> String {
    let plain = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}
