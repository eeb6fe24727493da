/// The reason for which a token isn't taken, or can't be made.
package enum TokenError: Error, Equatable {
  /// It is no token: not three parts of base64url with JSON in the first two, or too long.
  case malformed
  /// The key of the server can't sign.
  case unusableKey
}

extension TokenError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed: "the token isn't three parts of base64url with objects of JSON"
    case .unusableKey: "the key can't sign"
    }
  }
}
