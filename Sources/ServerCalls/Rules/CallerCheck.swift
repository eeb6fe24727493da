package import HearthDocumentModel
import HearthFirestoreJSON

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
    let parts = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else {
      throw DatabaseError(
        .unauthenticated, "The header authorization must be of the form \"Bearer TOKEN\".")
    }
    guard parts[1] != "owner" else { return .administrator }
    let token = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    guard token.count == 3, let bytes = Base64.bytes(String(token[1])),
      let json = try? JSONValue(parsing: bytes), case .object(let members) = json
    else { throw .invalidArgument("invalid jwt") }
    return .user(claims: members)
  }

  package func confirm(_ identity: CallerIdentity) throws(DatabaseError) {}

  package func untilEnd(of identity: CallerIdentity) async throws {
    // It has no elements, and ends with the task.
    let (end, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in end {}
    continuation.finish()
  }
}
