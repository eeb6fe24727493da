public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of the errors of sign-in.
///
/// They are `NSError`s, whose code is one of ``AuthErrorCode``.
public let AuthErrorDomain = "FIRAuthErrorDomain"

/// The codes of the errors of sign-in, with Firebase's numbers.
public enum AuthErrorCode: Int, Error, Sendable, CaseIterable {
  /// The name that code for earlier versions has.
  public typealias Code = AuthErrorCode

  /// The custom token can't be taken.
  case invalidCustomToken = 17000
  /// The custom token is of another project.
  case customTokenMismatch = 17002
  /// The credential isn't good, or no account has the address with this password.
  case invalidCredential = 17004
  /// The account is disabled.
  case userDisabled = 17005
  /// The way of signing in is switched off.
  case operationNotAllowed = 17006
  /// Another account has the address.
  case emailAlreadyInUse = 17007
  /// The address is none.
  case invalidEmail = 17008
  /// The password is wrong.
  case wrongPassword = 17009
  /// There were too many calls.
  case tooManyRequests = 17010
  /// There is no such account.
  case userNotFound = 17011
  /// The address belongs to an account that signs in another way.
  case accountExistsWithDifferentCredential = 17012
  /// The change needs a new sign-in.
  case requiresRecentLogin = 17014
  /// The account is linked with the provider already.
  case providerAlreadyLinked = 17015
  /// The account isn't linked with the provider.
  case noSuchProvider = 17016
  /// The user's token can't be read.
  case invalidUserToken = 17017
  /// The accounts can't be reached.
  case networkError = 17020
  /// The user's token was revoked.
  case userTokenExpired = 17021
  /// The key of the application isn't good.
  case invalidAPIKey = 17023
  /// The credential is of another user.
  case userMismatch = 17024
  /// The credential belongs to another account.
  case credentialAlreadyInUse = 17025
  /// The password is too weak.
  case weakPassword = 17026
  /// The code was sent too long ago.
  case expiredActionCode = 17029
  /// The code isn't good, or was used.
  case invalidActionCode = 17030
  /// The address is missing.
  case missingEmail = 17034
  /// The domain of the link's target isn't allowed.
  case unauthorizedDomain = 17038
  /// The link's target is no address.
  case invalidContinueURI = 17039
  /// The link's target is missing.
  case missingContinueURI = 17040
  /// A user is needed, and there is none.
  case nullUser = 17067
  /// The provider isn't known.
  case invalidProviderID = 17071
  /// There are no tenants.
  case unsupportedTenantOperation = 17073
  /// Only administrators may make the call.
  case adminRestrictedOperation = 17085
  /// A change of the address needs its verification.
  case emailChangeNeedsVerification = 17090
  /// The nonce is missing, or isn't that of the token.
  case missingOrInvalidNonce = 17094
  /// The password lacks required characters.
  case passwordDoesNotMeetRequirements = 17211
  /// The session can't be written to its file, or removed from it.
  case keychainError = 17995
  /// An answer that can't be understood, or a call before the accounts were named.
  case internalError = 17999
  /// A token that can't be read.
  case malformedJWT = 18000

  /// The code itself, for code that takes the error apart.
  public var code: AuthErrorCode { self }

  /// Creates the code of an error; `nil` for an error of another domain.
  public init?(_bridgedNSError error: NSError) {
    guard error.domain == AuthErrorDomain else { return nil }
    self.init(rawValue: error.code)
  }
}

/// The keys of an error's `userInfo`.
public enum AuthErrors {
  /// The key of the name of the code, such as `ERROR_WEAK_PASSWORD`.
  public static let userInfoNameKey = "FIRAuthErrorUserInfoNameKey"
  /// The key of the address that the error is about.
  public static let userInfoEmailKey = "FIRAuthErrorUserInfoEmailKey"
  /// The key of the ``AuthCredential`` by which the other account can be signed in to.
  public static let userInfoUpdatedCredentialKey = "FIRAuthErrorUserInfoUpdatedCredentialKey"
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the name of the code in an error's `userInfo`.
public let AuthErrorUserInfoNameKey = AuthErrors.userInfoNameKey
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the address in an error's `userInfo`.
public let AuthErrorUserInfoEmailKey = AuthErrors.userInfoEmailKey
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the ``AuthCredential`` in an error's `userInfo`.
public let AuthErrorUserInfoUpdatedCredentialKey = AuthErrors.userInfoUpdatedCredentialKey
