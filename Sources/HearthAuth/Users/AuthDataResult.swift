import HearthFirestoreJSON

/// The result of a sign-in or a link.
public final class AuthDataResult: Sendable {
  /// The user who is signed in.
  public let user: User
  /// The data of the sign-in that the account doesn't have; `nil` for a sign-in that gives none.
  public let additionalUserInfo: AdditionalUserInfo?
  /// The credential by which the sign-in can be repeated; `nil` for a sign-in that gives none.
  public let credential: AuthCredential?

  init(_ result: SignInResult, _ keeper: SessionKeeper) {
    user = User(result.user, keeper)
    additionalUserInfo = AdditionalUserInfo(result)
    credential = result.credential
  }
}

/// The data of a sign-in that the account doesn't have.
public final class AdditionalUserInfo: Sendable {
  /// The provider; empty for none.
  public let providerID: String
  /// The user's name at the provider; `nil` if it gives none.
  public let username: String?
  /// Whether the sign-in has made the account.
  public let isNewUser: Bool
  private let claims: JSONValue?

  init(_ result: SignInResult) {
    providerID = result.providerID ?? ""
    username = result.username
    isNewUser = result.isNewUser
    claims = result.profile
  }

  /// The user as the provider describes it; `nil` if it doesn't.
  public var profile: [String: Any]? { claims?.any as? [String: Any] }
}
