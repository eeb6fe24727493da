import HearthFirestoreJSON
import HearthServer
import ServerTestClient

/// The streams of one recorded exchange by their names there.
struct ReplayedStreams {
  private struct Stream {
    let stream: ClientStream
    let method: String
    var answer: ClientMessages
  }

  /// The id of a target that no recording has.
  private static let lastTarget: Int64 = 1_000

  private var streams: [String: Stream] = [:]

  /// Does one step of the kinds that concern streams.
  ///
  /// - Parameters:
  ///   - expected: the number of messages that a step receives.
  ///   - upToEnd: whether the stream is to end with them.
  /// - Returns: the messages and, where the recording has one, the status; `nil` for a step without
  ///   an answer.
  mutating func answer(
    to step: JSONValue, _ message: JSONValue?, on server: TestServer, expecting expected: Int,
    upToEnd: Bool, _ metadata: [(String, String)]
  ) async throws -> JSONValue? {
    if let name = step["open"]?.string, let method = step["method"]?.string {
      let stream = try await server.client.openCall(
        "/google.firestore.v1.Firestore/\(method)", headers: metadata)
      streams[name] = Stream(
        stream: stream, method: method, answer: ClientMessages(of: stream))
    } else if let name = step["send"]?.string, let message {
      try await send(message, to: name)
    } else if let name = step["halfClose"]?.string {
      try await streams[name]?.stream.end()
    } else if let name = step["cancel"]?.string {
      try await streams.removeValue(forKey: name)?.stream.reset()
    } else if let name = step["receive"]?.string {
      return await receive(expected, from: name, upToEnd: upToEnd)
    }
    return nil
  }

  private func send(_ message: JSONValue, to name: String) async throws {
    guard let stream = streams[name] else { return }
    var reader = JSONMessageReader()
    let bytes = try reader.bytes(
      of: message, as: "google.firestore.v1.\(stream.method)Request")
    // The server may end the call at once.
    try? await stream.stream.send(message: bytes)
  }

  private mutating func receive(
    _ count: Int, from name: String, upToEnd: Bool
  ) async -> JSONValue {
    var messages: [JSONValue] = []
    while upToEnd || messages.count < count, let message = await next(of: name) {
      messages.append(message)
    }
    var members = [("messages", JSONValue.array(messages))]
    if let status = streams[name]?.answer.status {
      var end = [("code", JSONValue.integer(Int64(status)))]
      if let message = streams[name]?.answer.message {
        end.append(("message", .string(message.percentDecoded)))
      }
      members.append(("status", .object(end)))
    }
    return .object(members)
  }

  private mutating func next(of name: String) async -> JSONValue? {
    guard let method = streams[name]?.method, let bytes = await streams[name]?.answer.next() else {
      return nil
    }
    return JSONMessageWriter().json(of: bytes, as: "google.firestore.v1.\(method)Response")
  }

  /// Ends the streams that are open.
  ///
  /// - Returns: the messages that no step has received.
  mutating func rest() async throws -> [JSONValue] {
    var rest: [JSONValue] = []
    for (name, stream) in streams where stream.answer.status == nil {
      if stream.method == "Listen" {
        // The news of all commits so far come with the answer.
        let target = JSONValue.object([
          ("targetId", .integer(ReplayedStreams.lastTarget)), ("documents", .object([])),
        ])
        try await send(.object([("addTarget", target)]), to: name)
      }
      try? await stream.stream.end()
      while let message = await next(of: name) {
        let ids = message["targetChange"]?["targetIds"]?.elements.map(\.number) ?? []
        // Its own three messages: the last one belongs to all targets.
        guard ids != [Int(ReplayedStreams.lastTarget)] else { continue }
        rest.append(message)
      }
      if let last = rest.last?["targetChange"], last["targetIds"] == nil { rest.removeLast() }
    }
    return rest
  }
}
