import HearthFirestoreJSON
import HearthServerTransport
import Synchronization

/// The side of the client.
extension ChannelSession {
  private static let noop = JSONValue.array([.string("noop")])

  /// Takes the messages of a request.
  ///
  /// - Parameter acknowledged: the id of the last array that the client has; `nil` if unknown.
  /// - Returns: the answer: whether an answer is open, and the last array that was sent.
  /// - Throws: ``ChannelRefusal``.
  func receive(
    _ form: ChannelForm, acknowledged: Int?
  ) throws(ChannelRefusal) -> HTTPResponse {
    let instant = now()
    let result = change { state -> Result<[UInt8], ChannelRefusal> in
      guard !state.isClosed else { return .failure(.unknownSession) }
      guard acknowledged ?? 0 <= state.arrays.lastID else {
        return .failure(.badRequest("AID is beyond the last array."))
      }
      let byteCount = form.messages.reduce(0) { $0 + $1.utf8.count }
      guard state.messages.byteCount + byteCount <= limits.requestByteCount, !held.isFull else {
        return .failure(.tooMuch("Too many messages wait to be taken."))
      }
      state.lastSeen = instant
      if let acknowledged { state.arrays.acknowledge(upTo: acknowledged) }
      if !state.isOver { state.messages.add(form.messages, from: form.first) }
      let hasFollower = Int64(state.follower == nil ? 0 : 1)
      let answer = JSONValue.array([
        .integer(hasFollower), .integer(Int64(state.arrays.lastSentID)), .integer(0),
      ])
      return .success(ChannelPart.bytes(of: answer.text))
    }
    return WebChannels.response(try result.get())
  }

  /// Sends the arrays after the last one that the client has, and goes on with new ones. Another
  /// answer that is open ends.
  ///
  /// - Parameters:
  ///   - acknowledged: the id of the last array that the client has.
  ///   - isLongPoll: whether the answer ends with its first part.
  ///   - longest: the time after which an answer without a part ends; `nil` for the usual one.
  /// - Throws: ``ChannelRefusal``.
  func follow(
    after acknowledged: Int, isLongPoll: Bool, longest: Duration?, _ send: HTTPSending
  ) async throws(ChannelRefusal) -> HTTPResponse {
    let instant = now()
    let usual = isLongPoll ? limits.keepAlive : limits.answerTime
    let end = instant + min(longest ?? usual, usual)
    let opened = change { state -> Result<Int, ChannelRefusal> in
      guard !state.isClosed else { return .failure(.unknownSession) }
      guard acknowledged <= state.arrays.lastID else {
        return .failure(.badRequest("AID is beyond the last array."))
      }
      state.arrays.acknowledge(upTo: acknowledged)
      guard !state.isOver || state.arrays.byteCount > 0 else { return .failure(.unknownSession) }
      state.arrays.startAgain()
      state.lastTurn += 1
      state.lastSeen = instant
      // Something comes at once, by which the client sees that nothing holds the answer back.
      if !isLongPoll { state.append(ChannelSession.noop, at: instant) }
      let waiter = state.follower?.waiter
      state.follower = Follower(turn: state.lastTurn, isLongPoll: isLongPoll, end: end)
      // It finds another answer in its place.
      waiter?.resume()
      return .success(state.lastTurn)
    }
    return await sendParts(of: try opened.get(), send)
  }

  private func sendParts(of turn: Int, _ send: HTTPSending) async -> HTTPResponse {
    defer { leave(turn) }
    while true {
      let (part, isLast) = takePart(of: turn)
      if isLast || Task.isCancelled { return WebChannels.response(part) }
      if part.isEmpty {
        await waitForNews(turn)
      } else {
        // A client that has gone gets the part again with its next request.
        guard (try? await send(WebChannels.response(part))) != nil else {
          return WebChannels.response([])
        }
      }
    }
  }

  /// Takes what is to be sent on an answer.
  private func takePart(of turn: Int) -> (bytes: [UInt8], isLast: Bool) {
    change { state in
      guard !state.isClosed, state.follower?.turn == turn, var follower = state.follower else {
        return ([], true)
      }
      let part = state.arrays.takePart(upTo: limits.partByteCount) ?? []
      follower.byteCount += part.count
      state.follower = follower
      let isDone = state.isOver || follower.isDue || follower.isLongPoll && !part.isEmpty
      return (
        part,
        isDone && !state.arrays.hasUnsent || follower.byteCount >= limits.answerByteCount
      )
    }
  }

  private func waitForNews(_ turn: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        change { state in
          guard state.follower?.turn == turn, !Task.isCancelled else { return waiter.resume() }
          state.follower?.waiter = waiter
        }
      }
    } onCancel: {
      leave(turn)
    }
  }

  /// Ends an answer, unless another one has taken its place.
  private func leave(_ turn: Int) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.follower?.turn == turn else { return nil }
      defer { state.follower = nil }
      state.lastSeen = now()
      return state.follower?.waiter
    }
    waiter?.resume()
  }

  /// Does what the time asks for: says that the channel lives, and ends an answer that is old.
  ///
  /// - Returns: whether the client has been silent longer than the limit, which closes the session.
  func look(at instant: ContinuousClock.Instant) -> Bool {
    change { state in
      guard let follower = state.follower else {
        return state.lastSeen + limits.idleTime <= instant
      }
      let isDue = follower.end <= instant
      if isDue { state.follower?.isDue = true }
      if isDue || state.lastAdded + limits.keepAlive <= instant, !state.arrays.hasUnsent {
        state.append(ChannelSession.noop, at: instant)
      }
      return false
    }
  }
}
