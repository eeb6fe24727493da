import Foundation
import HearthDocumentModel
import HearthFirestoreJSON

/// The claims of an ID token. Nothing in it is checked: it comes from the accounts.
struct TokenClaims: Sendable {
  let members: [(String, JSONValue)]

  /// - Throws: `malformedJWT` for a text that is no token.
  init(_ token: String) throws(AuthFailure) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64.bytes(String(parts[1])),
      let json = try? JSONValue(parsing: bytes), case .object(let members) = json
    else { throw AuthFailure(.malformedJWT) }
    self.members = members
  }

  subscript(name: String) -> JSONValue? { JSONValue.object(members)[name] }

  /// The way of the sign-in, such as `anonymous` or `apple.com`.
  var signInProvider: String { self["firebase"]?["sign_in_provider"]?.string ?? "" }

  func date(_ name: String) -> Date {
    Date(timeIntervalSince1970: self[name]?.number ?? 0)
  }

  /// The claims as security rules see them.
  var fields: MapValue { MapValue(members.map { ($0.0, $0.1.value) }) }
}

extension JSONValue {
  fileprivate var value: Value {
    switch self {
    case .null: .null
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .double(let number): .double(number)
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members): .map(MapValue(members.map { ($0.0, $0.1.value) }))
    }
  }
}
