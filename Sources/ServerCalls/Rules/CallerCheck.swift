package import HearthDocumentModel
import HearthTokens

/// The check of callers' credentials.
package protocol CallerCheck: Sendable {
  /// Reads and checks credentials. Those that are good are remembered.
  ///
  /// - Parameters:
  ///   - authorization: the header of that name.
  ///   - project: the project of the call; `nil` for one that names none.
  /// - Throws: `unauthenticated` or `invalidArgument` for credentials that aren't good.
  func identity(
    of authorization: String, for project: String?
  ) throws(DatabaseError) -> CallerIdentity

  /// Refuses credentials that were good, and are so no longer.
  ///
  /// - Throws: `unauthenticated`; the errors of the accounts.
  func confirm(_ identity: CallerIdentity) throws(DatabaseError)

  /// Returns when credentials are good no longer, which may be never.
  ///
  /// - Throws: `CancellationError`.
  func untilEnd(of identity: CallerIdentity) async throws
}

/// The check of emulators: a token needs no signature, and may have expired.
package struct UncheckedCallers: CallerCheck {
  package init() {}

  /// - Throws: `unauthenticated` for another scheme than `Bearer`; `invalidArgument` for a token
  ///   that can't be read.
  package func identity(
    of authorization: String, for project: String?
  ) throws(DatabaseError) -> CallerIdentity {
    let bearer = try BearerToken(authorization)
    guard bearer.text != "owner" else { return .administrator }
    guard let token = try? WebToken(bearer.text) else { throw .invalidArgument("invalid jwt") }
    return .user(claims: token.claims)
  }

  package func confirm(_ identity: CallerIdentity) throws(DatabaseError) {}

  package func untilEnd(of identity: CallerIdentity) async throws {
    // It has no elements, and ends with the task.
    let (end, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in end {}
    continuation.finish()
  }
}
