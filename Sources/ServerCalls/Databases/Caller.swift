/// The identity of a caller: its credentials, of which only a hash is held.
package struct Caller: Sendable, Hashable {
  private let hash: Int

  /// The caller who may do everything: one without credentials, or with those by which the clients
  /// of emulators call (W§9.2).
  package static let owner = Caller(hash: 0)

  private init(hash: Int) {
    self.hash = hash
  }

  /// - Parameter authorization: the header of that name; `nil` for none.
  package init(authorization: String?) {
    guard let authorization, !authorization.isOfOwner else {
      self = .owner
      return
    }
    // Each process has its own hashes.
    hash = authorization.hashValue
  }
}

extension String {
  /// Whether the header is that of the emulators' owner, whose scheme may have any case.
  fileprivate var isOfOwner: Bool {
    let owner = "bearer owner"
    return utf8.count == owner.utf8.count && lowercased() == owner && hasSuffix("owner")
  }
}
