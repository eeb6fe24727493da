import Hearth
import HearthDocumentModel
import HearthTokens

/// The collections of a project's accounts. Each document's id begins with `=`, so that every text
/// can be a part of an id.
enum StoredKind: String, CaseIterable {
  /// The accounts by their ids.
  case users
  /// The ids of accounts, by their address, number, or identity at a provider.
  case emails, phones, identities
  /// Records by the digests of refresh tokens.
  case refreshTokens
  /// Records by the digests of codes, and the digest of the latest code of each purpose.
  case codes, latestCodes
  /// Users of providers by the digests of pending tokens.
  case pendingTokens
  /// Nonces of credentials that were used.
  case nonces
  /// The one document with the switches.
  case settings
}

/// The place of one thing among a project's accounts.
struct StoredPlace: Hashable {
  let kind: StoredKind
  let id: String

  private static let longestName = 600

  static let settings = StoredPlace(.settings, documentID: "=settings")

  init(_ kind: StoredKind, documentID id: String) {
    (self.kind, self.id) = (kind, id)
  }

  init(_ kind: StoredKind, _ name: String) {
    // Only what no account has is longer, and ids have a limit.
    let isLong = name.utf8.count > StoredPlace.longestName
    let id = isLong ? "~\(Secret.digest(name))" : StoredPlace.documentID(of: name)
    self.init(kind, documentID: id)
  }

  /// The place of the account that has an identity. Ids of providers have any length and
  /// characters, which digests don't.
  init(_ identity: Account.Identity) {
    self.init(providerID: identity.providerID, rawID: identity.rawID)
  }

  init(providerID: String, rawID: String) {
    self.init(.identities, Secret.digest("\(providerID)\0\(rawID)"))
  }

  /// The place of a record that belongs to a secret.
  init(_ kind: StoredKind, secret: String) {
    self.init(kind, Secret.digest(secret))
  }

  /// Returns the id of a document that stands for a name.
  static func documentID(of name: String) -> String {
    var id = "="
    for character in name.unicodeScalars {
      switch character {
      case "/": id += "%2F"
      case "%": id += "%25"
      default: id.unicodeScalars.append(character)
      }
    }
    return id
  }

  /// Returns the name that an id of a document stands for; `nil` for another id.
  static func name(ofDocumentID id: String) -> String? {
    guard id.hasPrefix("=") else { return nil }
    return String(id.dropFirst()).percentDecodedName
  }
}

extension String {
  fileprivate var percentDecodedName: String {
    replacing("%2F", with: "/").replacing("%25", with: "%")
  }
}
