import NIOConcurrencyHelpers
import NIOCore

/// The open connections of a port.
final class Connections: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isClosing = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let limit: Int
  private let observer: any PortObserver
  private let state = NIOLockedValueBox(State())

  init(limit: Int, observer: any PortObserver) {
    self.limit = limit
    self.observer = observer
  }

  var count: Int { state.withLockedValue { $0.channels.count } }

  /// Adds a connection until it closes.
  ///
  /// - Returns: whether there is room for it.
  func add(_ channel: any Channel) -> Bool {
    let id = ObjectIdentifier(channel)
    let isAdded = state.withLockedValue { state in
      guard state.channels.count < limit, !state.isClosing else { return false }
      state.channels[id] = channel
      return true
    }
    if isAdded {
      observer.noteConnections(1)
      channel.closeFuture.whenComplete { _ in self.remove(id) }
    }
    return isAdded
  }

  private func remove(_ id: ObjectIdentifier) {
    observer.noteConnections(-1)
    let waiters = state.withLockedValue { state in
      state.channels[id] = nil
      guard state.isClosing, state.channels.isEmpty else {
        return [CheckedContinuation<Void, Never>]()
      }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Asks all connections to end when their calls have, and waits for that; after `grace` it closes
  /// those that are left.
  func close(after grace: Duration) async {
    let channels = state.withLockedValue { state in
      state.isClosing = true
      return Array(state.channels.values)
    }
    for channel in channels {
      channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }
    let limit = channels.first?.eventLoop.scheduleTask(in: TimeAmount(grace)) {
      for channel in channels { channel.close(promise: nil) }
    }
    await withCheckedContinuation { continuation in
      let isDone = state.withLockedValue { state in
        if !state.channels.isEmpty { state.waiters.append(continuation) }
        return state.channels.isEmpty
      }
      if isDone { continuation.resume() }
    }
    limit?.cancel()
  }
}
