package import HearthFirestoreJSON
import HearthDocumentModel

/// A JSON web token, taken apart. Nothing in it is checked.
package struct WebToken: Sendable {
  /// The longest token that is read, in bytes.
  package static let lengthLimit = 16 << 10

  package let header: [(String, JSONValue)]
  package let claims: [(String, JSONValue)]

  /// - Throws: `malformed`.
  package init(_ text: String) throws(TokenError) {
    guard text.utf8.count <= WebToken.lengthLimit else { throw .malformed }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .malformed }
    header = try WebToken.members(parts[0])
    claims = try WebToken.members(parts[1])
  }

  private static func members(_ part: Substring) throws(TokenError) -> [(String, JSONValue)] {
    guard let bytes = Base64.bytes(String(part)), let json = try? JSONValue(parsing: bytes),
      case .object(let members) = json
    else { throw .malformed }
    return members
  }

  /// Returns the part of a token that holds these members.
  static func part(_ members: [(String, JSONValue)]) -> String {
    Base64.text(of: JSONValue.object(members).text, .url)
  }
}
