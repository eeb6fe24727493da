import HearthDocumentModel
import HearthFirestoreJSON
import Synchronization

/// One channel: a stream whose messages come in short requests and leave in long answers.
///
/// Arrays are held until the client acknowledges them. A client that has lost its connection gets
/// them again.
final class ChannelSession: Sendable {
  /// The answer that is open.
  struct Follower {
    let turn: Int
    /// Whether it ends with its first part.
    let isLongPoll: Bool
    /// The moment at which it ends even without a part.
    let end: ContinuousClock.Instant
    /// Bytes of its parts.
    var byteCount = 0
    /// Whether it ends with its next part.
    var isDue = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  struct Delivery {
    var messages = ChannelMessages()
    var arrays = ChannelArrays()
    var reader: CheckedContinuation<String, any Error>?
    var senders: [CheckedContinuation<Void, any Error>] = []
    var follower: Follower?
    var lastTurn = 0
    /// The moment of the client's last sign of life.
    var lastSeen: ContinuousClock.Instant
    /// The moment at which the last array was added.
    var lastAdded: ContinuousClock.Instant
    /// Bytes that the server's account has of the session.
    var countedByteCount = 0
    /// Whether no array follows.
    var isOver = false
    /// Whether the session is forgotten.
    var isClosed = false
  }

  /// The opaque id, which no one can guess.
  let id: String
  let limits: ChannelLimits
  let held: ChannelBytes
  let now: @Sendable () -> ContinuousClock.Instant
  let state: Mutex<Delivery>

  init(
    _ id: String, _ limits: ChannelLimits, _ held: ChannelBytes,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    (self.id, self.limits, self.held, self.now) = (id, limits, held, now)
    let instant = now()
    state = Mutex(Delivery(lastSeen: instant, lastAdded: instant))
  }

  /// Changes the state, and then wakes those who wait for that.
  func change<Result: Sendable>(_ body: (inout Delivery) -> Result) -> Result {
    let (result, wakes) = state.withLock { state in
      let result = body(&state)
      let byteCount = state.messages.byteCount + state.arrays.byteCount
      held.change(by: byteCount - state.countedByteCount)
      state.countedByteCount = byteCount
      return (result, takeWakes(&state))
    }
    for wake in wakes { wake() }
    return result
  }

  /// Takes the functions that resume those whose wait is over.
  private func takeWakes(_ state: inout Delivery) -> [@Sendable () -> Void] {
    var wakes: [@Sendable () -> Void] = []
    if let reader = state.reader {
      if state.isClosed {
        state.reader = nil
        wakes.append { reader.resume(throwing: CancellationError()) }
      } else if let message = state.messages.takeNext() {
        state.reader = nil
        held.change(by: -message.utf8.count)
        state.countedByteCount -= message.utf8.count
        wakes.append { reader.resume(returning: message) }
      }
    }
    if state.isClosed || state.arrays.byteCount <= limits.responseByteCount {
      let (senders, isClosed) = (state.senders, state.isClosed)
      state.senders = []
      for sender in senders {
        wakes.append {
          if isClosed { sender.resume(throwing: CancellationError()) } else { sender.resume() }
        }
      }
    }
    if let waiter = state.follower?.waiter, !state.isWaiting {
      state.follower?.waiter = nil
      wakes.append { waiter.resume() }
    }
    return wakes
  }

  /// Forgets the session, and ends its stream.
  func close() {
    change { state in
      state.isClosed = true
      state.messages = ChannelMessages()
      state.arrays = ChannelArrays()
    }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }
}

extension ChannelSession.Delivery {
  /// Whether the open answer has nothing to send, and goes on.
  var isWaiting: Bool {
    guard let follower else { return false }
    return !isClosed && !isOver && !follower.isDue && !arrays.hasUnsent
  }
}
