import HearthFirestoreJSON

extension SessionKeeper {
  /// Sends a code to an address.
  func sendCode(_ kind: String, _ members: [(String, JSONValue)]) async throws(AuthFailure) {
    try await calls.call("sendOobCode", [("requestType", .string(kind))] + members)
  }

  /// Sends a code to a user.
  func sendCode(
    _ kind: String, to user: UserSession, _ members: [(String, JSONValue)]
  ) async throws(AuthFailure) {
    try await withToken(of: user) { token throws(AuthFailure) in
      try await sendCode(kind, members + [("idToken", .string(token))])
    }
  }

  /// Asks for the meaning of a code, or sets a password by it.
  func resetPassword(
    _ code: String, to password: String? = nil
  ) async throws(AuthFailure) -> JSONValue {
    var members = [("oobCode", JSONValue.string(code))]
    if let password { members.append(("newPassword", .string(password))) }
    return try await calls.call("resetPassword", members)
  }

  /// Asks for the ways in which an address can sign in.
  func signInMethods(of email: String) async throws(AuthFailure) -> [String] {
    let answer = try await calls.call(
      "createAuthUri",
      [("identifier", .string(email)), ("continueUri", .string("http://localhost"))])
    return (answer["signinMethods"]?.elements ?? []).compactMap(\.string)
  }

  /// Does what a code is for.
  func apply(_ code: String) async throws(AuthFailure) {
    try await calls.call("update", [("oobCode", .string(code))])
  }
}
