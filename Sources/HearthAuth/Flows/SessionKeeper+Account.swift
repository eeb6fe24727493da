import Foundation
import HearthFirestoreJSON

extension SessionKeeper {
  /// Links a credential with a user's account.
  func link(
    _ user: UserSession, with credential: AuthCredential
  ) async throws(AuthFailure) -> SignInResult {
    guard !user.account.providers.contains(where: { $0.providerID == credential.provider }) else {
      throw AuthFailure(.providerAlreadyLinked)
    }
    let calls = calls
    let result: SignInResult
    let answer: JSONValue
    switch credential {
    case let credential as EmailCredential:
      let members = try credential.signIn().members
      answer = try await withToken(of: user) { token throws(AuthFailure) in
        try await calls.call(
          credential.linkingCall, members + [("idToken", .string(token))])
      }
      result = SignInResult(user: user, providerID: credential.provider)
    case let credential as OAuthCredential:
      answer = try await withToken(of: user) { token throws(AuthFailure) in
        let answer = try await calls.call(
          "signInWithIdp",
          credential.members + [("idToken", .string(token)), ("autoCreate", .boolean(true))])
        try credential.check(answer)
        return answer
      }
      result = SignInResult(user: user).with(answer, credential: credential)
    default: throw AuthFailure(.invalidCredential)
    }
    try await take(answer, for: user)
    return result
  }

  /// Changes a user's account.
  ///
  /// - Parameter changes: members of the call `update`.
  func update(
    _ user: UserSession, _ changes: [(String, JSONValue)]
  ) async throws(AuthFailure) {
    let calls = calls
    let answer = try await withToken(of: user) { token throws(AuthFailure) in
      try await calls.call(
        "update",
        changes + [("idToken", .string(token)), ("returnSecureToken", .boolean(true))])
    }
    try await take(answer, for: user)
  }

  /// Ends the link of a provider with a user's account.
  func unlink(_ user: UserSession, from provider: String) async throws(AuthFailure) {
    guard user.account.providers.contains(where: { $0.providerID == provider }) else {
      throw AuthFailure(.noSuchProvider)
    }
    try await update(user, [("deleteProvider", .array([.string(provider)]))])
  }

  /// Reads the data of a user's account anew.
  func reload(_ user: UserSession) async throws(AuthFailure) {
    let account = try await withToken(of: user) { token throws(AuthFailure) in
      try await details(by: token)
    }
    try change(user, isTold: false) { $0.account = account }
  }

  /// Deletes a user's account, and signs the user out.
  func delete(_ user: UserSession) async throws(AuthFailure) {
    let calls = calls
    try await withToken(of: user) { token throws(AuthFailure) in
      _ = try await calls.call(
        "delete", [("idToken", .string(token)), ("localId", .string(user.uid))])
    }
    try end(user)
  }

  /// Takes over the tokens of an answer, if it has some, and reads the account anew.
  private func take(_ answer: JSONValue, for user: UserSession) async throws(AuthFailure) {
    if let tokens = Session.Tokens(answer, now: now()) {
      try change(user, isTold: true) { $0.tokens = tokens }
    }
    try await reload(user)
  }
}
