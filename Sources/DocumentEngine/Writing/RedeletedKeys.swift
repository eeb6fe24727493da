import OrderedStore
import StorageFormat

/// What the store has deleted again (`OrderedStore.keepDeleted`).
///
/// A view that is older than that may show a key of it, though it was deleted before. So a build of
/// an index leaves documents out that came in here while it read.
final class RedeletedKeys: Sendable {
  private struct State {
    /// How many there were so far.
    var count = 0
    /// The last of them.
    var keys: [[UInt8]] = []
  }

  private static let capacity = 10_000

  private let state = Lock(State())

  /// How many there were so far.
  var count: Int { state.withLock { $0.count } }

  /// Those behind the first `count`, and how many there were so far; `nil` where some of them are
  /// forgotten.
  func keys(after count: Int) -> (keys: [[UInt8]], count: Int)? {
    state.withLock { state in
      let newCount = state.count - count
      guard newCount <= state.keys.count else { return nil }
      return (Array(state.keys.suffix(newCount)), state.count)
    }
  }

  /// Adds what `find` returns. Whoever asks meanwhile waits for its end.
  func add(_ find: () throws -> [[UInt8]]) throws {
    try state.withLock { state in
      let keys = try find()
      state.count += keys.count
      state.keys += keys
      let excess = state.keys.count - Self.capacity
      if excess > 0 { state.keys.removeFirst(excess) }
    }
  }
}

extension [[UInt8]] {
  /// The numbers of the documents whose keys are among these.
  var documentNumbers: [UInt64] {
    compactMap { try? StorageKey.documentNumber(of: $0.span.bytes) }
  }
}
