import Foundation
import HearthDocumentModel
import HearthFirestoreJSON
import HearthTokens

/// The claims of an ID token. Nothing in it is checked: it comes from the accounts.
struct TokenClaims: Sendable {
  let members: [(String, JSONValue)]

  /// - Throws: `malformedJWT` for a text that is no token.
  init(_ token: String) throws(AuthFailure) {
    guard let token = try? WebToken(token) else { throw AuthFailure(.malformedJWT) }
    members = token.claims
  }

  subscript(name: String) -> JSONValue? { JSONValue.object(members)[name] }

  /// The way of the sign-in, such as `anonymous` or `apple.com`.
  var signInProvider: String { self["firebase"]?["sign_in_provider"]?.string ?? "" }

  func date(_ name: String) -> Date {
    Date(timeIntervalSince1970: self[name]?.number ?? 0)
  }

  /// The claims as security rules see them.
  var fields: MapValue { MapValue(plain: members) }
}
