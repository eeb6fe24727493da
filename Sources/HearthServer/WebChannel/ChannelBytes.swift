import Synchronization

/// The bytes that all channels of a server hold.
final class ChannelBytes: Sendable {
  private let limit: Int
  private let count = Atomic(0)

  init(limit: Int) {
    self.limit = limit
  }

  var byteCount: Int { count.load(ordering: .relaxed) }

  /// Whether channels may hold no more.
  var isFull: Bool { byteCount >= limit }

  /// Records that a channel holds more, or less.
  func change(by difference: Int) {
    if difference != 0 { count.wrappingAdd(difference, ordering: .relaxed) }
  }
}
