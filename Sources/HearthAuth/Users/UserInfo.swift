public import Foundation

/// The data of a user, at a provider or here.
public protocol UserInfo: Sendable {
  /// The provider's id; `Firebase` for the account itself.
  var providerID: String { get }
  /// The user's id at the provider.
  var uid: String { get }
  /// The name.
  var displayName: String? { get }
  /// The address of a photo.
  var photoURL: URL? { get }
  /// The e-mail address.
  var email: String? { get }
  /// The phone number.
  var phoneNumber: String? { get }
}

/// The data of a user at a provider.
struct ProviderInfo: UserInfo {
  let provider: AccountDetails.Provider

  var providerID: String { provider.providerID }
  var uid: String { provider.uid }
  var displayName: String? { provider.displayName }
  var photoURL: URL? { provider.photoURL }
  var email: String? { provider.email }
  var phoneNumber: String? { provider.phoneNumber }
}

/// The times of an account.
public final class UserMetadata: Sendable {
  /// The time at which the account was made.
  public let creationDate: Date?
  /// The time of the last sign-in.
  public let lastSignInDate: Date?

  init(_ account: AccountDetails) {
    creationDate = account.creationDate
    lastSignInDate = account.lastSignInDate
  }
}
