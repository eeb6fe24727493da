/// The reason for which a token isn't taken, or can't be made.
package enum TokenError: Error, Equatable {
  /// It is no token: not three parts of base64url with JSON in the first two, or too long.
  case malformed
  /// It isn't signed by RS256.
  case wrongAlgorithm
  /// It is signed by a key that isn't one of the known ones.
  case unknownKey
  /// The signature isn't that of the key.
  case wrongSignature
  /// It is of another issuer.
  case wrongIssuer
  /// It is for another project.
  case wrongAudience
  /// It is for no user.
  case noSubject
  /// It has expired, or doesn't say when it does.
  case expired
  /// It is of a time to come, or doesn't say of which.
  case notYetGood
  /// The key of the server can't sign.
  case unusableKey
}

extension TokenError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed: "the token isn't three parts of base64url with objects of JSON"
    case .wrongAlgorithm: "the token isn't signed by RS256"
    case .unknownKey: "the token is signed by a key that is unknown here"
    case .wrongSignature: "the signature of the token is wrong"
    case .wrongIssuer: "the token is of another issuer"
    case .wrongAudience: "the token is for another project"
    case .noSubject: "the token is for no user"
    case .expired: "the token has expired"
    case .notYetGood: "the token is of a time to come"
    case .unusableKey: "the key can't sign"
    }
  }
}
