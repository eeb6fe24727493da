import OrderedStore

/// Kept counts that were read or written lately.
///
/// A count that was read at some commit is right for every later one up to the commit that changes
/// it, which removes it before the store knows of that, and puts the new one in its place behind.
/// What a slow reader brings is refused if some count was changed since its commit.
final class CountCache: Sendable {
  private struct Entry {
    var count: Int
    /// The count is right for this commit and every later one.
    var since: UInt64
  }

  private struct State {
    var entries: [[UInt8]: Entry] = [:]
    var byteCount = 0
    /// The last commit that changed a count.
    var lastChange: UInt64 = 0
    var byteCountLimit: Int
  }

  /// What an entry takes beside its key, about.
  private static let entryByteCount = 96

  private let state: Lock<State>

  /// `nil` for no memory at all.
  init?(byteCountLimit: Int) {
    guard byteCountLimit > 0 else { return nil }
    state = Lock(State(byteCountLimit: byteCountLimit))
  }

  /// The count, if it is kept, as a view of this commit has it.
  func count(_ key: [UInt8], at commitNumber: UInt64) -> Int? {
    state.withLock { state in
      guard let entry = state.entries[key], entry.since <= commitNumber else { return nil }
      return entry.count
    }
  }

  /// Keeps a count that a view of this commit read.
  func insert(_ count: Int, _ key: [UInt8], readAt commitNumber: UInt64) {
    state.withLock { state in
      guard commitNumber >= state.lastChange else { return }
      let byteCount = key.count + CountCache.entryByteCount
      guard byteCount <= state.byteCountLimit else { return }
      if state.byteCount + byteCount > state.byteCountLimit {
        state.entries.removeAll(keepingCapacity: true)
        state.byteCount = 0
      }
      let old = state.entries.updateValue(Entry(count: count, since: commitNumber), forKey: key)
      if old == nil { state.byteCount += byteCount }
    }
  }

  /// Gives up the counts that the commit with this number is about to change.
  func prepare(_ changes: [(key: [UInt8], count: Int)], at commitNumber: UInt64) {
    guard !changes.isEmpty else { return }
    state.withLock { state in
      state.lastChange = commitNumber
      for (key, _) in changes where state.entries.removeValue(forKey: key) != nil {
        state.byteCount -= key.count + CountCache.entryByteCount
      }
    }
  }

  /// Keeps the counts that the commit with this number has left.
  func publish(_ changes: [(key: [UInt8], count: Int)], at commitNumber: UInt64) {
    for (key, count) in changes { insert(count, key, readAt: commitNumber) }
  }

  /// Gives up everything, and keeps nothing any more.
  func close() {
    state.withLock { state in
      state.entries = [:]
      state.byteCount = 0
      state.byteCountLimit = 0
    }
  }
}
