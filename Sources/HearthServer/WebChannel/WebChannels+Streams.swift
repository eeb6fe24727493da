import HearthDocumentModel
import HearthFirestoreJSON
import HearthServerCalls
import HearthServerTransport
import Synchronization

/// The streams of the channels, and their ends.
extension WebChannels {
  /// Begins to answer the messages of a session.
  func run(
    _ method: StreamMethod, of session: ChannelSession, at path: String, _ context: CallContext
  ) {
    let begun = ContinuousClock.now
    state.withLock { state in
      // It may be closed already, at the end of the server.
      guard state.sessions[session.id] != nil else { return }
      state.streams[session.id] = Task(executorPreference: threads) {
        let error = await WebChannels.answer(session, by: method, context)
        self.noteEnd(path, error, .now - begun)
        self.state.withLock { $0.streams[session.id] = nil }
      }
    }
  }

  /// Answers the messages of a session up to the end of its stream.
  ///
  /// - Returns: the error that the stream has ended with; `nil` for none.
  private static func answer(
    _ session: ChannelSession, by method: StreamMethod, _ context: CallContext
  ) async -> DatabaseError? {
    do {
      try await method.answer({ try await request(of: session, method) }, context) { bytes in
        try await session.send(JSONMessageWriter().json(of: bytes, as: method.responseType))
      }
      session.finish(.array([.string("close")]))
      return nil
    } catch {
      let error = DatabaseError(ending: error)
      session.finish(.array([RESTService.errorBody(error)]))
      return error
    }
  }

  /// Returns the next request of a session, as bytes.
  private static func request(
    of session: ChannelSession, _ method: StreamMethod
  ) async throws -> [UInt8]? {
    let text = try await session.next()
    let json: JSONValue
    do {
      json = try JSONValue(parsing: Array(text.utf8))
    } catch {
      throw DatabaseError.invalidArgument("A message is no JSON: \(error.message).")
    }
    var reader = JSONMessageReader()
    return try reader.bytes(of: json, as: method.requestType)
  }

  /// Does what the time asks for. It is called each second.
  package func look() {
    let instant = now()
    for session in state.withLock({ Array($0.sessions.values) }) where session.look(at: instant) {
      remove(session)
    }
  }

  /// Takes no new channels, and tells the clients of the open ones.
  package func end() {
    let sessions = state.withLock { state in
      state.isStopping = true
      return Array(state.sessions.values)
    }
    let error = DatabaseError(.unavailable, "The server is shutting down.")
    for session in sessions { session.finish(.array([RESTService.errorBody(error)])) }
  }

  /// Closes all channels, and waits for the end of their streams.
  package func close() async {
    end()
    let (sessions, streams) = state.withLock { state in
      (Array(state.sessions.values), Array(state.streams.values))
    }
    for session in sessions { remove(session) }
    for stream in streams { await stream.value }
    try? await threads.stop()
  }
}
