package import HearthFirestoreJSON
import HearthDocumentModel

/// A JSON web token, taken apart. Nothing in it is checked.
package struct WebToken: Sendable {
  /// The longest token that is read, in bytes.
  package static let lengthLimit = 16 << 10

  package let header: [(String, JSONValue)]
  package let claims: [(String, JSONValue)]
  /// The bytes that a signature is for.
  private let signedBytes: [UInt8]
  /// The bytes of the signature; `nil` for a text that is none.
  private let signature: [UInt8]?

  /// - Throws: `malformed`.
  package init(_ text: String) throws(TokenError) {
    guard text.utf8.count <= WebToken.lengthLimit else { throw .malformed }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .malformed }
    header = try WebToken.members(parts[0])
    claims = try WebToken.members(parts[1])
    signedBytes = Array("\(parts[0]).\(parts[1])".utf8)
    signature = Base64.bytes(String(parts[2]))
  }

  /// Checks that one of these keys has signed the token by RS256, regardless of the
  /// algorithm that its header names.
  ///
  /// - Throws: `wrongAlgorithm`, `unknownKey`, `wrongSignature`.
  package func checkSignature(by keys: [VerificationKey]) throws(TokenError) {
    guard case .string("RS256")? = headerMember("alg") else { throw .wrongAlgorithm }
    guard case .string(let name)? = headerMember("kid"),
      let key = keys.first(where: { $0.name == name })
    else { throw .unknownKey }
    guard let signature, key.isSignature(signature, of: signedBytes) else { throw .wrongSignature }
  }

  private func headerMember(_ name: String) -> JSONValue? { header.last { $0.0 == name }?.1 }

  private static func members(_ part: Substring) throws(TokenError) -> [(String, JSONValue)] {
    guard let bytes = Base64.bytes(String(part)), let members = JSONValue.members(parsing: bytes)
    else { throw .malformed }
    return members
  }

  /// Returns the part of a token that holds these members.
  static func part(_ members: [(String, JSONValue)]) -> String {
    Base64.text(of: JSONValue.object(members).text, .url)
  }
}
