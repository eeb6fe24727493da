import Foundation
import HearthFirestoreJSON

/// A user who is signed in, with the tokens that prove it.
struct Session: Codable, Sendable {
  /// The tokens of a session.
  struct Tokens: Codable, Sendable {
    var idToken: String
    var refreshToken: String
    /// The end of the ID token, by the clock of this machine.
    var expiration: Date
  }

  var tokens: Tokens
  var account: AccountDetails
}

extension Session.Tokens {
  /// Reads the tokens of an answer.
  ///
  /// - Parameter now: the time of the answer.
  /// - Returns: `nil` for an answer without tokens.
  init?(_ answer: JSONValue, now: Date) {
    guard let idToken = (answer["idToken"] ?? answer["id_token"])?.string, !idToken.isEmpty,
      let refreshToken = (answer["refreshToken"] ?? answer["refresh_token"])?.string
    else { return nil }
    let lifetime = (answer["expiresIn"] ?? answer["expires_in"])?.number ?? 0
    self.init(
      idToken: idToken, refreshToken: refreshToken,
      expiration: now.addingTimeInterval(lifetime))
  }
}
