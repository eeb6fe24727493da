import HearthSecurityRules

/// The identity of a caller, of which only a hash is held.
///
/// A user stays the same caller with a new token.
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
    case .administrator?: hasher.combine(Kind.administrator)
    case .user(nil, _)?: hasher.combine(Kind.anonymous)
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
    case administrator, anonymous, user
    /// A caller whose credentials are no user's, such as an access token.
    case other
  }
}
