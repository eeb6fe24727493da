import HearthAdminSocket
import HearthDocumentEngine
import HearthDocumentModel

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
    StatisticsCall.self, DocumentCall.self, CollectionsCall.self, CountBelowCall.self,
    CommitCall.self, BatchWriteCall.self, RecursiveDeleteCall.self,
  ]

  /// Answers a call that came over the socket.
  ///
  /// - Parameter acceptsWrites: whether it may write documents.
  func answer(
    _ request: AdminRequest, _ replies: AdminReplies, acceptsWrites: Bool
  ) throws {
    guard let type = Database.calls.first(where: { $0.name.utf8Equal(request.name) }) else {
      throw DatabaseError(
        .unimplemented,
        "The application that has the database open does not know \"\(request.name)\": it is of "
          + "another release than the tool.")
    }
    guard acceptsWrites || !type.writesDocuments else {
      throw DatabaseError(
        .permissionDenied,
        "The application that has the database open answers the tool's reads, but not its writes.",
        details: RefusedToolWrite())
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
