package import HearthAdminSocket

/// A call that the tool makes on a database, either one that it opened itself or a running
/// application's.
///
/// Each call has a type with its parameters and its implementation. It is listed in
/// `Database.calls`.
package protocol DatabaseCall: AdminCall {
  /// Whether the call sends many items, which are then flushed together and not one by one.
  static var hasManyItems: Bool { get }
  /// Whether the call writes documents. An application answers it only with
  /// ``Database/Options/acceptsToolWrites``.
  static var writesDocuments: Bool { get }

  /// Performs the call.
  ///
  /// - Parameter send: takes an item; it throws once the client no longer wants items.
  /// - Throws: the database's errors, and those of `send`.
  func perform(on database: Database, _ send: (Item) throws -> Void) throws -> Answer
}

extension DatabaseCall {
  package static var hasManyItems: Bool { false }
  package static var writesDocuments: Bool { false }
}

/// A call without items.
package protocol AnsweredCall: DatabaseCall where Item == AdminNothing {
  /// Performs the call.
  ///
  /// - Throws: the database's errors.
  func answer(from database: Database) throws -> Answer
}

extension AnsweredCall {
  package func perform(
    on database: Database, _ send: (AdminNothing) throws -> Void
  ) throws -> Answer {
    try answer(from: database)
  }
}

/// A call whose items tell how far its work is.
package protocol FollowedCall: DatabaseCall {
  /// Performs the call.
  ///
  /// - Throws: the database's errors.
  func run(on database: Database, progress: (Item) -> Void) throws -> Answer
}

extension FollowedCall {
  /// Performs the call. If `send` throws, the work still runs to its end, or until it checks
  /// whether the client still waits; then the error is thrown.
  package func perform(on database: Database, _ send: (Item) throws -> Void) throws -> Answer {
    try withoutActuallyEscaping(send) { send in
      var failure: (any Error)?
      let answer = try run(on: database) { item in
        guard failure == nil else { return }
        do {
          try send(item)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      return answer
    }
  }
}
