import Foundation
import HearthFirestoreJSON

/// The data of an account, as a lookup tells it.
struct AccountDetails: Codable, Sendable {
  /// The account at a provider.
  struct Provider: Codable, Sendable {
    let providerID: String
    let uid: String
    var email: String?
    var displayName: String?
    var photoURL: URL?
    var phoneNumber: String?
  }

  let uid: String
  var email: String?
  var isEmailVerified = false
  var displayName: String?
  var photoURL: URL?
  var phoneNumber: String?
  var creationDate: Date?
  var lastSignInDate: Date?
  var providers: [Provider] = []

  /// Reads the answer to a lookup by a token.
  ///
  /// - Throws: `userNotFound` for one without an account.
  init(_ answer: JSONValue) throws(AuthFailure) {
    guard let user = answer["users"]?.elements.first, let uid = user["localId"]?.string else {
      throw AuthFailure(.userNotFound)
    }
    self.uid = uid
    email = user["email"]?.string
    isEmailVerified = user["emailVerified"]?.boolean ?? false
    displayName = user["displayName"]?.string
    photoURL = user["photoUrl"]?.string.flatMap { URL(string: $0) }
    phoneNumber = user["phoneNumber"]?.string
    creationDate = AccountDetails.date(user["createdAt"])
    lastSignInDate = AccountDetails.date(user["lastLoginAt"])
    providers = (user["providerUserInfo"]?.elements ?? []).compactMap { Provider($0) }
  }

  /// Returns the time of milliseconds since 1970.
  private static func date(_ milliseconds: JSONValue?) -> Date? {
    (milliseconds?.number).map { Date(timeIntervalSince1970: $0 / 1000) }
  }
}

extension AccountDetails.Provider {
  fileprivate init?(_ json: JSONValue) {
    guard let id = json["providerId"]?.string else { return nil }
    providerID = id
    uid = json["federatedId"]?.string ?? json["rawId"]?.string ?? ""
    email = json["email"]?.string
    displayName = json["displayName"]?.string
    photoURL = json["photoUrl"]?.string.flatMap { URL(string: $0) }
    phoneNumber = json["phoneNumber"]?.string
  }
}
