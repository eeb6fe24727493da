import HearthDocumentModel
import HearthFirestoreJSON
import HearthSecurityRules
import Synchronization

/// The identity of a caller, as security rules see it.
enum CallerIdentity: Sendable {
  /// A caller whom no rules judge.
  case administrator
  /// A user; `nil` for one who isn't signed in.
  case user(RulesAuth?)

  /// Reads an identity as emulators do: a token needs no signature, and may have expired.
  ///
  /// - Parameter authorization: the header of that name; `nil` for none.
  /// - Throws: `unauthenticated` for another scheme than `Bearer`; `invalidArgument` for a token
  ///   that can't be read.
  init(authorization: String?) throws(DatabaseError) {
    guard let authorization else {
      self = .user(nil)
      return
    }
    let parts = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else {
      throw DatabaseError(
        .unauthenticated, "The header authorization must be of the form \"Bearer TOKEN\".")
    }
    guard parts[1] != "owner" else {
      self = .administrator
      return
    }
    self = .user(RulesAuth(claims: try CallerIdentity.claims(ofToken: parts[1])))
  }

  private static func claims(ofToken token: Substring) throws(DatabaseError) -> MapValue {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64.bytes(String(parts[1])),
      let json = try? JSONValue(parsing: bytes), case .object(let members) = json
    else { throw .invalidArgument("invalid jwt") }
    return MapValue(members.map { ($0.0, $0.1.claim) })
  }
}

extension JSONValue {
  /// The value of a claim.
  fileprivate var claim: Value {
    switch self {
    case .null: .null
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .array(let elements): .array(elements.map(\.claim))
    case .object(let members): .map(MapValue(members.map { ($0.0, $0.1.claim) }))
    }
  }
}

/// The identities of the latest tokens, so that the token of a client isn't read for each call.
final class KnownCallers: Sendable {
  private static let countLimit = 256
  /// The longest header that is remembered, in bytes.
  private static let lengthLimit = 8 << 10

  private let identities = Mutex<[String: CallerIdentity]>([:])

  /// Returns the identity of a caller.
  ///
  /// - Throws: the errors of ``CallerIdentity/init(authorization:)``.
  func identity(_ authorization: String?) throws(DatabaseError) -> CallerIdentity {
    guard let authorization else { return .user(nil) }
    if let known = identities.withLock({ $0[authorization] }) { return known }
    let identity = try CallerIdentity(authorization: authorization)
    if authorization.utf8.count <= KnownCallers.lengthLimit {
      identities.withLock { identities in
        if identities.count >= KnownCallers.countLimit { identities.removeAll() }
        identities[authorization] = identity
      }
    }
    return identity
  }
}
