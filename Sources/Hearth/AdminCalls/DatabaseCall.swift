package import HearthAdminSocket
import HearthDocumentEngine
import HearthDocumentModel

/// A call that the tool makes on a database, either one that it opened itself or a running
/// application's.
///
/// Each call has a type with its parameters and its implementation. It is listed in
/// `Database.calls`.
package protocol DatabaseCall: AdminCall {
  /// Whether the call sends many items, which are then flushed together and not one by one.
  static var hasManyItems: Bool { get }

  /// Performs the call.
  ///
  /// - Parameter send: takes an item; it throws once the client no longer wants items.
  /// - Throws: the database's errors, and those of `send`.
  func perform(on database: Database, _ send: (Item) throws -> Void) throws -> Answer
}

extension DatabaseCall {
  package static var hasManyItems: Bool { false }
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

extension Database {
  /// All calls that a running application answers.
  package static let calls: [any DatabaseCall.Type] = [
    QueryCall.self, WatchCall.self, CountCall.self, AggregateCall.self, ExplainCall.self,
    IndexesNotUsedCall.self, IndexListCall.self, IndexChangeCall.self,
    SingleFieldIndexesCall.self, IndexBuildCall.self, IndexBuildsCall.self, IndexFileCall.self,
    IndexApplyCall.self,
    RedundantIndexesCall.self, CoveringCall.self, KeptCountsCall.self, CompactCall.self,
    VerifyCall.self, QuickVerifyCall.self, RepairCall.self, SumsCall.self,
    TimeToLiveListCall.self, TimeToLiveSetCall.self, TimeToLiveRemoveCall.self, SweepCall.self,
    StatisticsCall.self,
  ]

  /// Answers a call that came over the socket.
  func answer(_ request: AdminRequest, _ replies: AdminReplies) throws {
    guard let type = Database.calls.first(where: { $0.name.utf8Equal(request.name) }) else {
      throw DatabaseError(
        .unimplemented,
        "The application that has the database open does not know \"\(request.name)\": it is of "
          + "another release than the tool.")
    }
    try answer(type, request, replies)
  }

  private func answer<Call: DatabaseCall>(
    _ type: Call.Type, _ request: AdminRequest, _ replies: AdminReplies
  ) throws {
    let call = try AdminDecoder.read(type, from: request.parameters)
    let answer = try Audience.mayLeave(replies.isAbandoned) {
      try call.perform(on: self) { item in
        try replies.item(item, isFlushed: !Call.hasManyItems)
      }
    }
    try replies.answer(answer)
  }
}
