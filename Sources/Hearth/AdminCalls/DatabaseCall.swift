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

  /// Runs work that reports progress to a closure that can't throw. If `send` throws, the work
  /// still runs to its end, or until it checks whether the client still waits; then the error is
  /// thrown.
  func following<Result>(
    _ send: (Item) throws -> Void, _ work: ((Item) -> Void) throws -> Result
  ) throws -> Result {
    try withoutActuallyEscaping(send) { send in
      var failure: (any Error)?
      let result = try work { item in
        guard failure == nil else { return }
        do {
          try send(item)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      return result
    }
  }
}

extension Database {
  /// All calls that a running application answers.
  package static let calls: [any DatabaseCall.Type] = [
    QueryCall.self, WatchCall.self, CountCall.self, AggregateCall.self, ExplainCall.self,
    IndexesNotUsedCall.self, IndexListCall.self, IndexCreateCall.self, IndexDropCall.self,
    SingleFieldIndexesCall.self, IndexBuildCall.self, IndexBuildsCall.self,
    IndexBuildChangeCall.self, IndexFileCall.self, IndexApplyCall.self, IndexHideCall.self,
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
