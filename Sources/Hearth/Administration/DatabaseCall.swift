package import AdminSocket
import DocumentEngine
import DocumentModel
package import FirestoreJSON

/// A call that the tool makes on a database, be it its own or a running application's.
///
/// Each has a file: its parameters and answer with their JSON, and how it is performed. It is
/// listed in `Database.calls`.
package protocol DatabaseCall: AdminCall {
  /// Whether items come faster than anybody reads them one by one, so that they go together.
  static var hasManyItems: Bool { get }

  /// Does what is asked.
  ///
  /// - Parameter send: takes an item; it throws where nobody wants it any more.
  /// - Throws: what the database refuses, and what `send` throws.
  func perform(on database: Database, _ send: (Item) throws -> Void) throws -> Answer
}

extension DatabaseCall {
  package static var hasManyItems: Bool { false }

  /// Runs work that tells its progress and can't be told that nobody wants to know: it goes on to
  /// its end, or until it looks whether anybody still waits for it.
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

/// A call without parameters.
package protocol BareCall: DatabaseCall {
  init()
}

extension BareCall {
  package init(_ json: JSONValue) { self.init() }
  package var json: JSONValue { .object([]) }
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
    let call = try Call(request.parameters)
    let answer = try Audience.mayLeave(replies.isAbandoned) {
      try call.perform(on: self) { item in
        try replies.item(item, isFlushed: !Call.hasManyItems)
      }
    }
    try replies.answer(answer)
  }
}
