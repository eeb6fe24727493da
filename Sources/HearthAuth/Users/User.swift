public import Foundation
import HearthFirestoreJSON

/// The account of a user who is or was signed in, as this program knows it.
///
/// Its data is that of the last call; ``reload()`` reads it anew. A user who was signed out
/// meanwhile can still make calls, until the accounts refuse the tokens.
public final class User: UserInfo, Sendable {
  let session: UserSession
  let keeper: SessionKeeper

  init(_ session: UserSession, _ keeper: SessionKeeper) {
    self.session = session
    self.keeper = keeper
  }

  /// The account's id.
  public var uid: String { session.uid }
  /// The provider's id of the account itself.
  public var providerID: String { "Firebase" }
  /// The name.
  public var displayName: String? { session.account.displayName }
  /// The address of the photo.
  public var photoURL: URL? { session.account.photoURL }
  /// The e-mail address.
  public var email: String? { session.account.email }
  /// The phone number.
  public var phoneNumber: String? { session.account.phoneNumber }
  /// Whether it was shown that the address is the user's.
  public var isEmailVerified: Bool { session.account.isEmailVerified }
  /// Whether the user has no way to sign in again.
  public var isAnonymous: Bool {
    (try? TokenClaims(session.session.tokens.idToken))?.isAnonymous ?? false
  }
  /// The user at each provider that is linked, the password among them.
  public var providerData: [any UserInfo] {
    session.account.providers.map { ProviderInfo(provider: $0) }
  }
  /// The times of the account.
  public var metadata: UserMetadata { UserMetadata(session.account) }
  /// The token for new ID tokens.
  public var refreshToken: String? { session.session.tokens.refreshToken }
}

extension User: Hashable {
  /// Whether both are the same sign-in.
  public static func == (left: User, right: User) -> Bool { left.session === right.session }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(session)) }
}

// MARK: - The account

extension User {
  /// Reads the account anew.
  public func reload() async throws {
    try await keeper.inOrder { [keeper, session] () async throws(AuthFailure) in
      try await keeper.reload(session)
    }
  }

  /// Does the same, and calls `completion` then.
  public func reload(completion: (((any Error)?) -> Void)? = nil) {
    keeper.inOrder(completion) { [keeper, session] () async throws(AuthFailure) in
      try await keeper.reload(session)
    }
  }

  /// Deletes the account, and signs the user out. Documents that are the user's stay.
  public func delete() async throws {
    try await keeper.inOrder { [keeper, session] () async throws(AuthFailure) in
      try await keeper.delete(session)
    }
  }

  /// Does the same, and calls `completion` then.
  public func delete(completion: (((any Error)?) -> Void)? = nil) {
    keeper.inOrder(completion) { [keeper, session] () async throws(AuthFailure) in
      try await keeper.delete(session)
    }
  }

  /// Changes the e-mail address.
  public func updateEmail(to email: String) async throws {
    try await update([("email", .string(email))])
  }

  /// Does the same, and calls `completion` then.
  public func updateEmail(to email: String, completion: (((any Error)?) -> Void)? = nil) {
    update([("email", .string(email))], completion)
  }

  /// Changes the password. Earlier sign-ins elsewhere end.
  public func updatePassword(to password: String) async throws {
    try await update([("password", .string(password))])
  }

  /// Does the same, and calls `completion` then.
  public func updatePassword(to password: String, completion: (((any Error)?) -> Void)? = nil) {
    update([("password", .string(password))], completion)
  }
}
