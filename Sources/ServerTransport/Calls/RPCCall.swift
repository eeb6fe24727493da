import NIOConcurrencyHelpers
import NIOCore
import NIOHPACK

/// One call, as its handler sees it.
///
/// Messages in both directions wait here between the handler's thread and the event loop. The
/// client's wait in bounded number, since reading stops above the limit; a handler that sends more
/// than the client reads is suspended.
package final class RPCCall: Sendable {
  private struct State {
    var requests = CircularBuffer<[UInt8]>()
    var requestByteCount = 0
    var hasAllRequests = false
    var reader: CheckedContinuation<[UInt8]?, any Error>?
    /// Frames for the client that the event loop has not taken.
    var frames = ByteBuffer()
    var isAccepted = false
    var status: RPCStatus?
    var senders: [CheckedContinuation<Void, any Error>] = []
    /// Whether the event loop is about to look here.
    var isAwaited = false
    /// Whether the connection is done with the call.
    var isClosed = false
  }

  /// Bytes that a waiting message takes beside its own, about.
  private static let messageCost = 64

  /// Bytes that may wait in one direction.
  static let waitingByteCount = 256 << 10

  /// The moment at which the client stops waiting; `nil` for none.
  package let deadline: ContinuousClock.Instant?
  private let headers: HPACKHeaders
  private let state = NIOLockedValueBox(State())
  /// Makes the event loop look for frames, or read on.
  private let wake: @Sendable () -> Void

  init(
    headers: HPACKHeaders, deadline: ContinuousClock.Instant?,
    wake: @escaping @Sendable () -> Void
  ) {
    self.headers = headers
    self.deadline = deadline
    self.wake = wake
  }

  /// Returns the first value of a header, whose name is in lower case.
  package func header(_ name: String) -> String? { headers.first(name: name) }

  // MARK: The handler's side

  /// Returns the client's next message; `nil` after the last one.
  ///
  /// - Throws: `CancellationError` once the call is over.
  package func next() async throws -> [UInt8]? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isDrained = state.withLockedValue { state in
          if let message = state.requests.popFirst() {
            let wasFull = state.requestByteCount > RPCCall.waitingByteCount
            state.requestByteCount -= message.count + RPCCall.messageCost
            continuation.resume(returning: message)
            return wasFull && state.requestByteCount <= RPCCall.waitingByteCount
          }
          if state.isClosed || Task.isCancelled {
            continuation.resume(throwing: CancellationError())
          } else if state.hasAllRequests {
            continuation.resume(returning: nil)
          } else {
            state.reader = continuation
          }
          return false
        }
        if isDrained { wake() }
      }
    } onCancel: {
      let reader = state.withLockedValue { state in
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume(throwing: CancellationError())
    }
  }

  /// Sends the headers of the answer, if the call can't wait for its first message.
  package func accept() {
    update { $0.isAccepted = true }
  }

  /// Sends a message. Suspends while more than ``waitingByteCount`` wait for the client.
  ///
  /// - Throws: `CancellationError` once the call is over.
  package func send(_ message: [UInt8]) async throws {
    let isFull = update { state in
      state.frames.writeFrame(message)
      return state.frames.readableBytes > RPCCall.waitingByteCount
    }
    if isFull ?? true { try await waitForRoom() }
  }

  /// Sends the only message of an answer, and ends the call.
  package func reply(_ message: [UInt8]) {
    update { state in
      state.frames.writeFrame(message)
      state.status = .ok
    }
  }

  private func waitForRoom() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        state.withLockedValue { state in
          if state.isClosed || Task.isCancelled {
            continuation.resume(throwing: CancellationError())
          } else if state.frames.readableBytes <= RPCCall.waitingByteCount {
            continuation.resume()
          } else {
            state.senders.append(continuation)
          }
        }
      }
    } onCancel: {
      let senders = state.withLockedValue { state in
        defer { state.senders = [] }
        return state.senders
      }
      for sender in senders { sender.resume(throwing: CancellationError()) }
    }
  }

  /// Changes what the event loop takes, and wakes it.
  ///
  /// - Returns: `nil` once the call is over, or has its status.
  @discardableResult
  private func update<Result>(_ change: (inout State) -> Result) -> Result? {
    let (result, wakes): (Result?, Bool) = state.withLockedValue { state in
      guard !state.isClosed, state.status == nil else { return (nil, false) }
      defer { state.isAwaited = true }
      return (change(&state), !state.isAwaited)
    }
    if wakes { wake() }
    return result
  }

  /// Ends the call. The first status counts.
  func finish(_ status: RPCStatus) {
    update { $0.status = status }
  }
}

// MARK: - The event loop's side

extension RPCCall {
  /// Parts of the answer that the event loop has to write.
  struct Output {
    var isAccepted: Bool
    var frames: ByteBuffer
    var status: RPCStatus?
    /// Whether messages are left.
    var hasMore: Bool
  }

  /// Adds a message of the client.
  ///
  /// - Returns: whether the connection may read on.
  func append(_ message: [UInt8]) -> Bool {
    let (reader, mayReadOn) = state.withLockedValue { state in
      guard let reader = state.reader else {
        state.requests.append(message)
        state.requestByteCount += message.count + RPCCall.messageCost
        return (nil, state.requestByteCount <= RPCCall.waitingByteCount)
          as (CheckedContinuation<[UInt8]?, any Error>?, Bool)
      }
      state.reader = nil
      return (reader, true)
    }
    reader?.resume(returning: message)
    return mayReadOn
  }

  /// Bytes of the messages that the handler has not taken.
  var requestByteCount: Int { state.withLockedValue { $0.requestByteCount } }

  /// Whether the connection may read on.
  var mayReadOn: Bool {
    state.withLockedValue { $0.requestByteCount <= RPCCall.waitingByteCount }
  }

  /// Records that the client has sent all its messages.
  func noteEndOfRequests() {
    let reader = state.withLockedValue { state in
      state.hasAllRequests = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: nil)
  }

  /// Takes the parts of the answer that wait, but no more than ``waitingByteCount``. Leaves
  /// messages if `hasRoom` is `false`.
  func takeOutput(hasRoom: Bool) -> Output {
    let (output, senders) = state.withLockedValue { state in
      state.isAwaited = false
      var output = Output(isAccepted: state.isAccepted, frames: ByteBuffer(), hasMore: true)
      guard hasRoom || state.frames.readableBytes == 0 else {
        return (output, [CheckedContinuation<Void, any Error>]())
      }
      if let part = state.frames.readSlice(length: RPCCall.waitingByteCount) {
        output.frames = part
      } else {
        swap(&output.frames, &state.frames)
      }
      output.hasMore = state.frames.readableBytes > 0
      if !output.hasMore { output.status = state.status }
      guard state.frames.readableBytes <= RPCCall.waitingByteCount else { return (output, []) }
      defer { state.senders = [] }
      return (output, state.senders)
    }
    for sender in senders { sender.resume() }
    return output
  }

  /// Ends everything that the handler waits for.
  func close() {
    let (reader, senders) = state.withLockedValue { state in
      state.isClosed = true
      state.requests.removeAll()
      state.requestByteCount = 0
      state.frames = ByteBuffer()
      defer {
        state.reader = nil
        state.senders = []
      }
      return (state.reader, state.senders)
    }
    reader?.resume(throwing: CancellationError())
    for sender in senders { sender.resume(throwing: CancellationError()) }
  }
}
