import HearthFirestoreJSON

extension User {
  /// Changes the account.
  ///
  /// - Parameter changes: members of the call `update`.
  func update(_ changes: [(String, JSONValue)]) async throws {
    try await keeper.inOrder { [keeper, session] () async throws(AuthFailure) in
      try await keeper.update(session, changes)
    }
  }

  func update(_ changes: [(String, JSONValue)], _ completion: (((any Error)?) -> Void)?) {
    keeper.inOrder(completion) { [keeper, session] () async throws(AuthFailure) in
      try await keeper.update(session, changes)
    }
  }
}
