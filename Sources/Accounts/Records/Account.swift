/// A user as the accounts have it (A§11).
package struct Account: Sendable, Equatable {
  /// The user's id, which never changes.
  package let id: String
  /// A random text that tells an account from an earlier one of the same id.
  var incarnation: String
  /// The address in lower case; `nil` for a user without one.
  package var email: String?
  package var isEmailVerified = false
  /// The first address that the account had.
  var initialEmail: String?
  package var displayName: String?
  package var photoURL: String?
  package var phoneNumber: String?
  package var isDisabled = false
  /// Claims that administrators have set: JSON of an object.
  package var customAttributes: String?
  /// Milliseconds since 1970, as are the other times but for `validSince`.
  package var createdAt: Int64
  package var lastLoginAt: Int64?
  package var lastRefreshAt: Int64?
  /// The second from which tokens are good.
  package var validSince: Int64
  /// Number of revocations. A refresh token of before one is refused.
  var revocationCount: Int64 = 0
  package var password: Password?
  /// The identities at providers, in the order in which they came.
  package var identities: [Identity] = []
  /// Whether the account was made by a custom token.
  var isCustom = false
  /// Whether the user has signed in by a link in an e-mail.
  var usesEmailLinks = false

  /// A password, as it is stored.
  package struct Password: Sendable, Equatable {
    /// The hash with its parameters.
    var hash: String
    package var updatedAt: Int64
  }

  /// An identity at a provider.
  package struct Identity: Sendable, Equatable {
    package var providerID: String
    /// The user's id at the provider.
    package var rawID: String
    package var email: String?
    package var displayName: String?
    package var photoURL: String?
  }

  /// Makes a new account.
  ///
  /// - Parameter now: milliseconds since 1970.
  init(id: String, incarnation: String, now: Int64) {
    self.id = id
    self.incarnation = incarnation
    createdAt = now
    validSince = now / 1000
  }

  /// Returns the identity at a provider; `nil` for none.
  func identity(at providerID: String) -> Identity? {
    identities.first { $0.providerID == providerID }
  }

  /// Ends all tokens that the user has.
  mutating func revokeTokens(now: Int64) {
    validSince = max(validSince, now / 1000)
    revocationCount += 1
  }

  /// Gives the account an address. Another one than it had isn't verified.
  mutating func setEmail(_ email: String) {
    if self.email != email { isEmailVerified = false }
    self.email = email
    initialEmail = initialEmail ?? email
  }

  /// Takes away all by which the account could be entered. Its address was never verified, so that
  /// a stranger may have made it before the address's owner came.
  mutating func takeOver(now: Int64) {
    password = nil
    phoneNumber = nil
    usesEmailLinks = false
    identities = []
    revokeTokens(now: now)
  }

  /// The providers by which the user can sign in, as SDKs call them.
  var providerIDs: [String] {
    var ids = identities.map(\.providerID)
    if password != nil || usesEmailLinks { ids.append("password") }
    if phoneNumber != nil { ids.append("phone") }
    return ids
  }

  /// The methods of signing in, where a link in an e-mail is one of its own.
  var signInMethods: [String] {
    var methods = identities.map(\.providerID)
    if password != nil { methods.append("password") }
    if usesEmailLinks { methods.append("emailLink") }
    return methods
  }
}
