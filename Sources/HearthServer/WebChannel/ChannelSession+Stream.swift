import HearthDocumentModel
import HearthFirestoreJSON
import Synchronization

/// The side of the stream.
extension ChannelSession {
  /// Returns the client's next message. Its last one is never known.
  ///
  /// - Throws: `CancellationError` once the session is closed, or the task is cancelled.
  func next() async throws -> String {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { reader in
        change { state in
          if Task.isCancelled { return reader.resume(throwing: CancellationError()) }
          state.reader = reader
        }
      }
    } onCancel: {
      let reader = state.withLock { state in
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume(throwing: CancellationError())
    }
  }

  /// Sends a message. Suspends while the client acknowledges too little.
  ///
  /// - Throws: `resourceExhausted` if the channels hold too much; `CancellationError` once the
  ///   session is closed, or the task is cancelled.
  func send(_ message: JSONValue) async throws {
    guard !held.isFull else {
      throw DatabaseError(
        .resourceExhausted, "The server holds too much for the pages that use it.")
    }
    let isFull = change { state in
      state.append(.array([message]), at: now())
      return state.isClosed || state.arrays.byteCount > limits.responseByteCount
    }
    if isFull { try await waitForRoom() }
  }

  private func waitForRoom() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (sender: CheckedContinuation<Void, any Error>) in
        change { state in
          if Task.isCancelled { return sender.resume(throwing: CancellationError()) }
          state.senders.append(sender)
        }
      }
    } onCancel: {
      let senders = state.withLock { state in
        defer { state.senders = [] }
        return state.senders
      }
      for sender in senders { sender.resume(throwing: CancellationError()) }
    }
  }

  /// Ends the stream with a last array.
  func finish(_ payload: JSONValue) {
    change { state in
      state.append(payload, at: now())
      state.isOver = true
    }
  }
}

extension ChannelSession.Delivery {
  /// Adds an array, unless the last one is there.
  mutating func append(_ payload: JSONValue, at instant: ContinuousClock.Instant) {
    guard !isClosed, !isOver else { return }
    arrays.append(payload)
    lastAdded = instant
  }
}
