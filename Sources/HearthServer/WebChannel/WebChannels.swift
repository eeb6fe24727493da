package import HearthDocumentModel
package import HearthServerTransport
import Synchronization

/// WebChannel, by which pages reach the methods whose clients send any number of messages (W§7).
package final class WebChannels: Sendable {
  /// Receives each stream that ends: the path of its method, its error if it has failed, and its
  /// duration.
  package typealias Noting = @Sendable (_ path: String, DatabaseError?, Duration) -> Void

  struct Sessions {
    var sessions: [String: ChannelSession] = [:]
    var streams: [String: Task<Void, Never>] = [:]
    var isStopping = false
  }

  let methods: [String: StreamMethod]
  let limits: ChannelLimits
  /// Whether a channel may be opened with some credentials.
  let admits: @Sendable (_ authorization: String?) -> Bool
  let now: @Sendable () -> ContinuousClock.Instant
  let noteEnd: Noting
  let held: ChannelBytes
  let threads: CallThreads
  let state = Mutex(Sessions())

  /// - Parameters:
  ///   - methods: the methods by the paths of their calls over gRPC.
  ///   - admits: whether a channel may be opened with some credentials.
  ///   - now: the time. Tests move it, and call ``look()``.
  ///   - noteEnd: receives the end of each stream.
  package init(
    _ methods: [String: StreamMethod], limits: ChannelLimits = ChannelLimits(),
    admits: @escaping @Sendable (_ authorization: String?) -> Bool = { _ in true },
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    noteEnd: @escaping Noting = { _, _, _ in }
  ) {
    (self.methods, self.limits, self.admits) = (methods, limits, admits)
    (self.now, self.noteEnd) = (now, noteEnd)
    held = ChannelBytes(limit: limits.totalByteCount)
    threads = CallThreads(count: limits.threadCount)
  }

  /// Number of open channels.
  package var count: Int { state.withLock { $0.sessions.count } }

  /// Number of bytes that all channels hold.
  package var heldByteCount: Int { held.byteCount }

  /// Whether a request is one on a channel. It carries its credentials in its body.
  package func serves(_ target: String) -> Bool {
    ChannelRequest.streamPath(of: target).map { methods[$0] != nil } ?? false
  }

  /// Answers a request.
  ///
  /// - Returns: the answer, or the rest of it; `nil` for another address than a channel's.
  package func answer(_ request: HTTPRequest, _ send: HTTPSending) async -> HTTPResponse? {
    guard serves(request.target) else { return nil }
    do throws(ChannelRefusal) {
      return try await answer(ChannelRequest(request), request, send)
    } catch {
      return error.response
    }
  }

  private func answer(
    _ asked: ChannelRequest, _ request: HTTPRequest, _ send: HTTPSending
  ) async throws(ChannelRefusal) -> HTTPResponse {
    switch asked.kind {
    case .open(let namesSession):
      let form = try ChannelForm(request.body, messageCount: limits.messageCount)
      return try open(asked, form, request, namesSession: namesSession)
    case .send(let id):
      let form = try ChannelForm(request.body, messageCount: limits.messageCount)
      return try session(id).receive(form, acknowledged: asked.acknowledged)
    case .follow(let id, let isLongPoll, let longest):
      return try await session(id).follow(
        after: asked.acknowledged ?? 0, isLongPoll: isLongPoll, longest: longest, send)
    case .terminate(let id):
      try remove(session(id))
      return WebChannels.response([])
    }
  }

  /// Returns an answer with some bytes, or a part of one.
  static func response(_ bytes: [UInt8]) -> HTTPResponse {
    HTTPResponse(
      200,
      headers: [
        ("content-type", "text/plain; charset=utf-8"), ("cache-control", "private, max-age=0"),
        // Without it a browser holds the first kilobyte back.
        ("x-content-type-options", "nosniff"),
      ], body: bytes)
  }
}
