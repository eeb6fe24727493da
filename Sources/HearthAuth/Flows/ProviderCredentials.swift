import Foundation
import HearthFirestoreJSON

extension OAuthCredential {
  /// The members of a request with this credential (A§2.3).
  var members: [(String, JSONValue)] {
    var fields = [("providerId", provider)]
    if let idToken { fields.append(("id_token", idToken)) }
    if let accessToken { fields.append(("access_token", accessToken)) }
    if let rawNonce { fields.append(("nonce", rawNonce)) }
    if let name = fullName?.json { fields.append(("user", name)) }
    let body = fields.map { "\($0)=\(AccountCalls.escaped($1))" }.joined(separator: "&")
    var members: [(String, JSONValue)] = [
      ("requestUri", .string("http://localhost")), ("postBody", .string(body)),
      ("returnSecureToken", .boolean(true)), ("returnIdpCredential", .boolean(true)),
    ]
    if let pendingToken { members.append(("pendingToken", .string(pendingToken))) }
    return members
  }

  /// Returns the credential that an answer gives in place of this one, which can't be used again;
  /// `nil` if it gives none.
  func updated(by answer: JSONValue) -> OAuthCredential? {
    let idToken = answer["oauthIdToken"]?.string
    let accessToken = answer["oauthAccessToken"]?.string
    let pendingToken = answer["pendingToken"]?.string
    guard idToken != nil || accessToken != nil || pendingToken != nil else { return nil }
    return OAuthCredential(
      provider: answer["providerId"]?.string ?? provider, idToken: idToken,
      accessToken: accessToken, pendingToken: pendingToken)
  }

  /// Checks that an answer isn't a refusal.
  ///
  /// - Throws: the refusal, with the credential for a sign-in to the other account.
  func check(_ answer: JSONValue) throws(AuthFailure) {
    var failure: AuthFailure
    if let message = answer["errorMessage"]?.string {
      failure = AuthFailure(serverMessage: message)
    } else if answer["needConfirmation"]?.boolean == true {
      failure = AuthFailure(.accountExistsWithDifferentCredential)
    } else {
      return
    }
    failure.email = answer["email"]?.string
    failure.credential = updated(by: answer)
    throw failure
  }
}

extension PersonNameComponents {
  /// The name in Apple's form; `nil` for an empty one.
  fileprivate var json: String? {
    var members: [(String, JSONValue)] = []
    if let givenName { members.append(("firstName", .string(givenName))) }
    if let familyName { members.append(("lastName", .string(familyName))) }
    guard !members.isEmpty else { return nil }
    return String(decoding: JSONValue.object([("name", .object(members))]).text, as: UTF8.self)
  }
}
