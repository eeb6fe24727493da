import NIOConcurrencyHelpers

/// The bytes of all requests of a port that have begun and are not whole yet.
final class UnfinishedBytes: Sendable {
  private let limit: Int
  private let count = NIOLockedValueBox(0)

  init(limit: Int) {
    self.limit = limit
  }

  /// One request's part of the bytes. It gives them back at its end.
  struct Share: ~Copyable {
    private let all: UnfinishedBytes
    private var byteCount = 0

    init(of all: UnfinishedBytes) {
      self.all = all
    }

    deinit { all.add(-byteCount) }

    /// Sets the number of bytes that the request has now.
    ///
    /// - Returns: whether all requests together keep to the limit.
    mutating func set(_ byteCount: Int) -> Bool {
      defer { self.byteCount = byteCount }
      return all.add(byteCount - self.byteCount)
    }
  }

  @discardableResult
  private func add(_ change: Int) -> Bool {
    guard change != 0 else { return true }
    return count.withLockedValue { count in
      count += change
      return change < 0 || count <= limit
    }
  }
}
