import FoundationEssentials
import HearthDocumentModel
import HearthProtocols
import SwiftProtobuf

extension DocumentCalls {
  /// Commits the writes of each message, and answers in the order of the messages (W§5).
  ///
  /// One commit is under way at a time; the messages behind it wait at the client. A commit that
  /// fails ends the stream with its error, and none behind it is applied. A stream whose
  /// credentials are good no longer ends, without a wait for the next message.
  package func write(
    _ receive: @escaping Receiving<V1.WriteRequest>, _ context: CallContext,
    send: Sending<V1.WriteResponse>
  ) async throws {
    guard let handshake = try await receive() else { return }
    let id = try context.streamDatabase(handshake.database)
    try handshake.checkHandshake()
    // Credentials that can't be read end the stream.
    _ = try judge(of: id, context)
    _ = try await database(id, context)
    var answerCount = 0
    // Nothing depends on the tokens: a stream can't be resumed.
    func nextToken() -> Data {
      answerCount += 1
      return Data("\(answerCount)".utf8)
    }
    try await send(
      .with { response in
        response.streamID = String(UInt64.random(in: 1 ... .max))
        response.streamToken = nextToken()
      })
    try await forEach(receive, until: id, context) { request in
      let result = try await commit(
        .with { commit in
          commit.database = id.description
          commit.writes = request.writes
        }, context)
      try await send(
        .with { response in
          response.streamToken = nextToken()
          response.writeResults = result.writeResults
          response.commitTime = result.commitTime
        })
    }
  }

  /// Runs `body` for each message of a stream, up to the last one, which writes nothing.
  ///
  /// - Throws: `unauthenticated` at the end of the credentials; the errors of `body`.
  private func forEach(
    _ receive: @escaping Receiving<V1.WriteRequest>, until id: DatabaseID, _ context: CallContext,
    _ body: (V1.WriteRequest) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: WriteStreamEvent.self) { group in
      defer { group.cancelAll() }
      group.addTask { [rules] in
        try await rules.untilEnd(of: context.authorization, in: id)
        return .expiry
      }
      group.addTask { .message(try await receive()) }
      while let event = try await group.next() {
        switch event {
        // The credentials are looked at again, and refused.
        case .expiry: _ = try judge(of: id, context)
        case .message(let request?):
          try await body(request)
          if request.writes.isEmpty { return }
          group.addTask { .message(try await receive()) }
        case .message(nil): return
        }
      }
    }
  }
}

/// A cause for which a stream of `Write` goes on.
private enum WriteStreamEvent: Sendable {
  /// The client's next message; `nil` after the last one.
  case message(V1.WriteRequest?)
  /// The credentials of the client are good no longer.
  case expiry
}

extension V1.WriteRequest {
  /// Checks that the first message of a stream only opens it.
  ///
  /// - Throws: `invalidArgument`.
  fileprivate func checkHandshake() throws(DatabaseError) {
    guard writes.isEmpty else {
      throw .invalidArgument("'writes' must not be set on an initial write request.")
    }
    guard streamID.isEmpty else {
      throw .invalidArgument("Resuming streams is not supported, do not set stream ID.")
    }
    guard streamToken.isEmpty else {
      throw .invalidArgument(
        "Resuming streams is not supported, 'stream_token' must not be set on an initial write "
          + "request.")
    }
  }
}
