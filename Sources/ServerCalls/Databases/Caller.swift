import HearthSecurityRules

/// The identity of a caller, of which only a hash is held.
///
/// A user stays the same caller with a new token. Callers without credentials and administrators
/// are one, as they are at emulators; the rights of each are decided for each call.
package struct Caller: Sendable, Hashable {
  private let hash: Int

  /// - Parameter authorization: the header of that name; `nil` for none.
  package init(authorization: String?) {
    // Each process has its own hashes. The credentials were checked, if they are to be.
    var hasher = Hasher()
    let identity =
      if let authorization {
        try? UncheckedCallers().identity(of: authorization, for: nil)
      } else {
        CallerIdentity?.some(.user(nil))
      }
    switch identity {
    case .administrator?, .user(nil, _)?: hasher.combine(Kind.noUser)
    case .user(let user?, _)?:
      hasher.combine(Kind.user)
      hasher.combine(user.uid)
    case nil:
      hasher.combine(Kind.other)
      hasher.combine(authorization)
    }
    hash = hasher.finalize()
  }

  private enum Kind {
    case noUser, user
    /// A caller whose credentials are no user's, such as an access token.
    case other
  }
}
