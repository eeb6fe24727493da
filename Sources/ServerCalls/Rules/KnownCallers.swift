package import HearthDocumentModel
import Synchronization

/// The identities of the latest tokens, so that the token of a client isn't read for each call.
package final class KnownCallers: Sendable {
  private static let countLimit = 256
  /// The longest header that is remembered, in bytes.
  private static let lengthLimit = 8 << 10

  private struct Key: Hashable {
    let authorization: String
    let project: String?
  }

  private let check: any CallerCheck
  private let identities = Mutex<[Key: CallerIdentity]>([:])

  package init(_ check: any CallerCheck = UncheckedCallers()) {
    self.check = check
  }

  /// Returns the identity of a caller.
  ///
  /// - Parameters:
  ///   - authorization: the header of that name; `nil` for none.
  ///   - project: the project of the call; `nil` for one that names none.
  /// - Throws: the errors of ``CallerCheck``.
  package func identity(
    _ authorization: String?, for project: String?
  ) throws(DatabaseError) -> CallerIdentity {
    guard let authorization else { return .user(nil) }
    let key = Key(authorization: authorization, project: project)
    if let known = identities.withLock({ $0[key] }) {
      try check.confirm(known)
      return known
    }
    let identity = try check.identity(of: authorization, for: project)
    try check.confirm(identity)
    if authorization.utf8.count <= KnownCallers.lengthLimit {
      identities.withLock { identities in
        if identities.count >= KnownCallers.countLimit { identities.removeAll() }
        identities[key] = identity
      }
    }
    return identity
  }

  /// Returns when the credentials of a caller are good no longer, which may be never.
  ///
  /// - Throws: `CancellationError`; the errors of ``CallerCheck``.
  func untilEnd(of authorization: String?, for project: String?) async throws {
    try await check.untilEnd(of: try identity(authorization, for: project))
  }
}
