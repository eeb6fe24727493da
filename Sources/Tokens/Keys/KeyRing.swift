package import HearthFirestoreJSON

/// The keys of a server: the first one signs, and the signatures of all are good.
package struct KeyRing: Sendable {
  private let first: SigningKey
  private let others: [SigningKey]

  /// - Parameter pem: private keys in PEM form, one after another. Text between them is skipped.
  /// - Throws: `noKey`, `unusable`.
  package init(pem: String) throws(KeyError) {
    var keys: [SigningKey] = []
    for block in KeyRing.blocks(in: pem) { keys.append(try SigningKey(pem: block)) }
    guard let first = keys.first else { throw .noKey }
    self.first = first
    others = Array(keys.dropFirst())
  }

  /// Returns the PEM form of a new key.
  ///
  /// - Throws: `unusable` if the library can't make one.
  package static func newKey() throws(KeyError) -> String { try SigningKey.newPEM() + "\n" }

  /// The name of the key that signs.
  package var signingName: String { first.verification.name }

  /// The public keys, that of the signing one first.
  package var verification: [VerificationKey] { ([first] + others).map(\.verification) }

  /// Returns the key set that is published: `{"keys": […]}`.
  ///
  /// - Throws: `unusableKey` if a key doesn't tell its numbers.
  package func keySet() throws(TokenError) -> JSONValue {
    var members: [JSONValue] = []
    for key in verification { members.append(try key.member()) }
    return .object([("keys", .array(members))])
  }

  func signature(of bytes: [UInt8]) throws(TokenError) -> [UInt8] {
    try first.signature(of: bytes)
  }

  private static func blocks(in pem: String) -> [String] {
    var blocks: [String] = []
    var block: [Substring]?
    for line in pem.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("-----BEGIN"), line.contains("PRIVATE KEY-----") { block = [] }
      block?.append(line)
      if line.hasPrefix("-----END"), let lines = block {
        blocks.append(lines.joined(separator: "\n"))
        block = nil
      }
    }
    return blocks
  }
}
