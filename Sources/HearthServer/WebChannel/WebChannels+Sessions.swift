import HearthFirestoreJSON
import HearthServerCalls
import HearthServerTransport
import Synchronization

/// The sessions of the channels.
extension WebChannels {
  func session(_ id: String) throws(ChannelRefusal) -> ChannelSession {
    guard let session = state.withLock({ $0.sessions[id] }) else { throw .unknownSession }
    return session
  }

  func remove(_ session: ChannelSession) {
    let stream = state.withLock { state in
      state.sessions[session.id] = nil
      return state.streams[session.id]
    }
    session.close()
    stream?.cancel()
  }

  func open(
    _ asked: ChannelRequest, _ form: ChannelForm, _ request: HTTPRequest, namesSession: Bool
  ) throws(ChannelRefusal) -> HTTPResponse {
    let headers = asked.headers.merging(form.headers) { _, inBody in inBody }
    let authorization = request.header("authorization") ?? headers["authorization"]
    guard admits(authorization) else { throw .missingToken }
    guard let method = methods[asked.path] else { throw .unknownSession }
    let context = CallContext(
      resourcePrefix: headers["google-cloud-resource-prefix"] ?? asked.database,
      authorization: authorization)
    // No one can guess the id, which is all that the other requests of the channel bear.
    let id = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    let session = ChannelSession(id, limits, held, now: now)
    guard !held.isFull, add(session) else {
      throw .tooMuch("The server has too many open channels.")
    }
    do throws(ChannelRefusal) {
      _ = try session.receive(form, acknowledged: nil)
    } catch {
      remove(session)
      throw error
    }
    run(method, of: session, at: asked.path, context)
    return WebChannels.opened(session, limits, namesSession: namesSession)
  }

  func add(_ session: ChannelSession) -> Bool {
    state.withLock { state in
      guard !state.isStopping, state.sessions.count < limits.channelCount else { return false }
      state.sessions[session.id] = session
      return true
    }
  }

  /// Returns the answer to a request that has opened a channel.
  private static func opened(
    _ session: ChannelSession, _ limits: ChannelLimits, namesSession: Bool
  ) -> HTTPResponse {
    let keepAlive = limits.keepAlive / .milliseconds(1)
    let array = JSONValue.array([
      .array([
        .integer(0),
        .array([
          .string("c"), .string(session.id), .string(""), .integer(8), .integer(12),
          .integer(Int64(keepAlive)),
        ]),
      ])
    ])
    var response = response(ChannelPart.bytes(of: array.text))
    if namesSession {
      response.headers += [
        ("x-http-session-id", session.id),
        ("access-control-expose-headers", "x-http-session-id"),
      ]
    }
    return response
  }
}
