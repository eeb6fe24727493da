import HearthFirestoreJSON

/// The result of a sign-in or a link.
struct SignInResult: Sendable {
  let user: UserSession
  var isNewUser = false
  /// The provider of the credential; `nil` for none.
  var providerID: String?
  /// The user at the provider, as the provider describes it: JSON of an object.
  var profile: JSONValue?
  var username: String?
  /// The credential of a provider, by which the sign-in can be repeated.
  var credential: AuthCredential?
}

extension SignInResult {
  /// Adds the user at the provider that an answer tells of.
  func with(_ answer: JSONValue, credential: OAuthCredential) -> SignInResult {
    var result = self
    result.isNewUser = answer["isNewUser"]?.boolean ?? false
    result.providerID = answer["providerId"]?.string ?? credential.provider
    result.username = answer["screenName"]?.string
    result.profile = (answer["rawUserInfo"]?.string).flatMap {
      try? JSONValue(parsing: Array($0.utf8))
    }
    result.credential = credential.updated(by: answer)
    return result
  }
}
