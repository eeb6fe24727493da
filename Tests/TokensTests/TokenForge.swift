import Crypto
import HearthDocumentModel
import HearthFirestoreJSON
import HearthTokens

/// Tokens of those who try to get in, and of the server itself.
enum TokenForge {
  static let now: Int64 = 1_800_000_000
  static let project = "demo-auth"

  /// Two servers' keys, which take long to make.
  static let rings: [KeyRing] = {
    let pems = (0..<2).compactMap { _ in try? KeyRing.newKey() }
    return pems.compactMap { try? KeyRing(pem: $0) }
  }()

  /// The claims of a good token, with some in the place of others; `.null` removes one.
  static func claims(_ changes: [String: JSONValue] = [:]) -> [(String, JSONValue)] {
    let good: [(String, JSONValue)] = [
      ("iss", .string(SignedTokens.issuer(ofProject: project))), ("aud", .string(project)),
      ("auth_time", .integer(now - 100)), ("user_id", .string("ada")), ("sub", .string("ada")),
      ("iat", .integer(now)), ("exp", .integer(now + 3600)),
    ]
    let names = Set(good.map(\.0))
    let added = changes.filter { !names.contains($0.key) }.map { ($0.key, $0.value) }
    return (good.map { ($0.0, changes[$0.0] ?? $0.1) } + added).filter {
      $0.1.text != Array("null".utf8)
    }
  }

  /// Returns a token with any header, and the signature that `sign` makes.
  static func token(
    _ header: [(String, JSONValue)], _ claims: [(String, JSONValue)] = claims(),
    signedBy sign: ([UInt8]) -> [UInt8] = { _ in [] }
  ) -> String {
    let parts = [header, claims].map { Base64.text(of: JSONValue.object($0).text, .url) }
    let text = parts.joined(separator: ".")
    return text + "." + Base64.text(of: sign(Array(text.utf8)), .url)
  }

  /// Returns a token that is signed with a text as the secret of HMAC.
  static func token(
    _ header: [(String, JSONValue)], bySecret secret: [UInt8]
  ) -> String {
    token(header) { bytes in
      Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: secret)))
    }
  }

  /// Returns the parts of a token.
  static func parts(_ token: String) -> [String] {
    token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  static func member(_ name: String, of json: JSONValue) -> JSONValue? {
    guard case .object(let members) = json else { return nil }
    return members.last { $0.0 == name }?.1
  }

  static func text(_ name: String, of json: JSONValue) -> String {
    if case .string(let text)? = member(name, of: json) { text } else { "" }
  }
}
