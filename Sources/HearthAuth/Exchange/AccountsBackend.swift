package import HearthFirestoreJSON

/// A request to the accounts.
package struct AccountsRequest: Sendable {
  package let method: String
  /// The path and the parameters, as HTTP has them.
  package let target: String
  /// The body; `nil` for none.
  package let json: JSONValue?
  /// The header of that name; `nil` for none.
  package let authorization: String?

  package init(
    method: String = "POST", target: String, json: JSONValue? = nil, authorization: String? = nil
  ) {
    self.method = method
    self.target = target
    self.json = json
    self.authorization = authorization
  }
}

/// The place of the accounts: in the process, or at a server.
package protocol AccountsBackend: Sendable {
  /// The name of the place. A session that belongs to another is not used.
  var name: String { get }
  /// The key of the application.
  var key: String { get }
  /// The project, where it is known.
  var project: String? { get }

  /// Returns the answer to a request: the status of HTTP, and the body.
  ///
  /// - Throws: `networkError` if the accounts can't be reached.
  func answer(_ request: AccountsRequest) async throws(AuthFailure) -> (
    status: Int, json: JSONValue
  )
}

/// The accounts of an ``Auth`` that was given none.
package struct UnnamedAccounts: AccountsBackend {
  package let name = "none"
  package let key = ""
  package let project: String? = nil

  package init() {}

  package func answer(
    _ request: AccountsRequest
  ) async throws(AuthFailure) -> (status: Int, json: JSONValue) {
    throw AuthFailure(
      .internalError,
      "No accounts are named. Call Auth.configure(accountsAt:) or Auth.configure(server:) before "
        + "the first use of Auth.")
  }
}
