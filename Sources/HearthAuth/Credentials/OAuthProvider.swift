public import Foundation

/// The ids of providers.
public enum AuthProviderID: Sendable, Hashable {
  /// Apple.
  case apple
  /// An address with a password or a link.
  case email
  /// Facebook.
  case facebook
  /// GitHub.
  case gitHub
  /// Google.
  case google
  /// Microsoft.
  case microsoft
  /// Twitter.
  case twitter
  /// Yahoo.
  case yahoo
  /// Another provider, such as `oidc.example`.
  case custom(String)

  /// The id as accounts have it.
  public var rawValue: String {
    switch self {
    case .apple: "apple.com"
    case .email: "password"
    case .facebook: "facebook.com"
    case .gitHub: "github.com"
    case .google: "google.com"
    case .microsoft: "microsoft.com"
    case .twitter: "twitter.com"
    case .yahoo: "yahoo.com"
    case .custom(let id): id
    }
  }
}

/// The provider of credentials from the tokens of Apple and others, which the application gets from
/// them.
public enum OAuthProvider {
  /// Returns the credential of a provider's ID token.
  ///
  /// - Parameters:
  ///   - providerID: the provider, such as `.apple`.
  ///   - idToken: the provider's ID token.
  ///   - rawNonce: the nonce, whose SHA-256 digest the provider was asked to put into the token;
  ///     `nil` for none.
  ///   - accessToken: the provider's access token; `nil` for none.
  public static func credential(
    providerID: AuthProviderID, idToken: String, rawNonce: String? = nil, accessToken: String? = nil
  ) -> OAuthCredential {
    OAuthCredential(
      provider: providerID.rawValue, idToken: idToken, accessToken: accessToken,
      rawNonce: rawNonce)
  }

  /// Returns the credential of a provider's access token.
  public static func credential(
    providerID: AuthProviderID, accessToken: String
  ) -> OAuthCredential {
    OAuthCredential(provider: providerID.rawValue, idToken: nil, accessToken: accessToken)
  }

  /// Returns the credential of a provider's ID token, with the older spelling.
  public static func credential(
    withProviderID providerID: String, idToken: String, rawNonce: String?
  ) -> OAuthCredential {
    OAuthCredential(provider: providerID, idToken: idToken, rawNonce: rawNonce)
  }

  /// Returns the credential of a provider's ID token and access token, with the older spelling.
  public static func credential(
    withProviderID providerID: String, idToken: String, rawNonce: String?, accessToken: String?
  ) -> OAuthCredential {
    OAuthCredential(
      provider: providerID, idToken: idToken, accessToken: accessToken, rawNonce: rawNonce)
  }

  /// Returns the credential of a provider's ID token and access token, with the older spelling.
  public static func credential(
    withProviderID providerID: String, idToken: String, accessToken: String?
  ) -> OAuthCredential {
    OAuthCredential(provider: providerID, idToken: idToken, accessToken: accessToken)
  }

  /// Returns the credential of a provider's access token, with the older spelling.
  public static func credential(
    withProviderID providerID: String, accessToken: String
  ) -> OAuthCredential {
    OAuthCredential(provider: providerID, idToken: nil, accessToken: accessToken)
  }

  /// Returns the credential of Apple's ID token.
  ///
  /// - Parameters:
  ///   - idToken: Apple's ID token.
  ///   - rawNonce: the nonce, whose SHA-256 digest Apple was asked to put into the token.
  ///   - fullName: the user's name, which Apple gives at the first sign-in only. A new account
  ///     gets it.
  public static func appleCredential(
    withIDToken idToken: String, rawNonce: String?, fullName: PersonNameComponents?
  ) -> OAuthCredential {
    OAuthCredential(
      provider: AuthProviderID.apple.rawValue, idToken: idToken, rawNonce: rawNonce,
      fullName: fullName)
  }
}

/// The provider of credentials from Google's tokens.
public enum GoogleAuthProvider {
  /// The id of the provider in an account's data.
  public static let id = "google.com"

  /// Returns the credential of Google's tokens.
  public static func credential(
    withIDToken idToken: String, accessToken: String
  ) -> OAuthCredential {
    OAuthCredential(provider: id, idToken: idToken, accessToken: accessToken)
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The id of the provider Google.
public let GoogleAuthProviderID = GoogleAuthProvider.id
