import HearthDocumentModel
import HearthFirestoreJSON

/// The public keys that an issuer of tokens publishes (RFC 7517).
package struct KeySet: Sendable {
  /// The keys that verify signatures by RS256. Others are left out.
  package let keys: [VerificationKey]

  /// - Parameter bytes: JSON of the form `{"keys": […]}`.
  /// - Throws: `noKeySet` for other bytes, and for a set without a key that can be used.
  package init(_ bytes: [UInt8]) throws(KeyError) {
    guard let json = try? JSONValue(parsing: bytes),
      case .array(let members)? = KeySet.member("keys", of: json)
    else { throw .noKeySet }
    keys = members.compactMap(KeySet.key)
    guard !keys.isEmpty else { throw .noKeySet }
  }

  /// Returns the key of a member; `nil` for one of another kind or use, and one that is too short.
  private static func key(_ member: JSONValue) -> VerificationKey? {
    guard text("kty", of: member) == "RSA", (text("use", of: member) ?? "sig") == "sig",
      (text("alg", of: member) ?? "RS256") == "RS256", let name = text("kid", of: member),
      let modulus = text("n", of: member).flatMap({ Base64.bytes($0) }),
      let exponent = text("e", of: member).flatMap({ Base64.bytes($0) })
    else { return nil }
    return try? VerificationKey(name: name, modulus: modulus, exponent: exponent)
  }

  private static func member(_ name: String, of json: JSONValue) -> JSONValue? {
    guard case .object(let members) = json else { return nil }
    return members.last { $0.0 == name }?.1
  }

  private static func text(_ name: String, of json: JSONValue) -> String? {
    if case .string(let text)? = member(name, of: json) { text } else { nil }
  }
}
