import HearthDocumentModel
import HearthServerCalls

/// The tokens of which each request must bear one; none if everyone may call.
struct AccessTokens: Sendable {
  /// The shortest token, in characters. Shorter ones could be guessed.
  private static let shortest = 16

  private let tokens: [[UInt8]]

  /// - Throws: `invalidArgument` for a token that a header can't carry, or that is too short.
  init(_ tokens: Set<String>) throws(DatabaseError) {
    for token in tokens {
      guard token.utf8.count >= AccessTokens.shortest,
        token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else {
        throw .invalidArgument(
          "An access token has at least \(AccessTokens.shortest) characters, all of them visible "
            + "ones of ASCII.")
      }
    }
    self.tokens = tokens.map { Array($0.utf8) }
  }

  /// Whether a request with this header `Authorization` may be answered.
  func admit(_ authorization: String?) -> Bool {
    guard !tokens.isEmpty else { return true }
    return authorization.map(contains) ?? false
  }

  /// Whether a header `Authorization` bears one of the tokens.
  func contains(_ authorization: String) -> Bool {
    guard let bearer = try? BearerToken(authorization) else { return false }
    let offered = Array(bearer.text.utf8)
    var isKnown = false
    for token in tokens {
      let isEqual = token.isEqualInConstantTime(to: offered)
      isKnown = isEqual || isKnown
    }
    return isKnown
  }
}

extension [UInt8] {
  /// Compares in a time that depends on the length of `offered` alone, so that a token isn't found
  /// byte by byte. The receiver must not be empty.
  fileprivate func isEqualInConstantTime(to offered: [UInt8]) -> Bool {
    var difference = count ^ offered.count
    for index in offered.indices { difference |= Int(self[index % count] ^ offered[index]) }
    return difference == 0
  }
}
