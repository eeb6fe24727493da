import FoundationEssentials
import HearthDocumentModel
import HearthProtocols
import SwiftProtobuf

extension DocumentCalls {
  /// Commits the writes of each message, and answers in the order of the messages (W§5).
  ///
  /// One commit is under way at a time; the messages behind it wait at the client. A commit that
  /// fails ends the stream with its error, and none behind it is applied.
  package func write(
    _ receive: Receiving<V1.WriteRequest>, _ context: CallContext,
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
    while let request = try await receive() {
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
      // Clients write nothing as their last message.
      if request.writes.isEmpty { return }
    }
  }
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
