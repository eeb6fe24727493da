import HearthOrderedStore

/// A cache of kept counts that were read or written recently.
///
/// A count that was read at a commit is right up to the next commit that changes it. That commit
/// removes the count before the store is written, and inserts the new one afterwards. A count from
/// a slow reader is refused if any count was changed after the reader's commit.
final class CountCache: Sendable {
  private struct Entry {
    var count: Int
    /// The number of the first commit for which the count is right; it is right for every later one
    /// too.
    var since: UInt64
  }

  private struct State {
    var entries: [[UInt8]: Entry] = [:]
    var byteCount = 0
    /// The number of the last commit that changed a count.
    var lastChange: UInt64 = 0
    var byteCountLimit: Int

    mutating func insert(_ count: Int, _ key: [UInt8], readAt commitNumber: UInt64) {
      guard commitNumber >= lastChange else { return }
      let byteCountOfEntry = key.count + CountCache.entryByteCount
      guard byteCountOfEntry <= byteCountLimit else { return }
      if byteCount + byteCountOfEntry > byteCountLimit {
        entries.removeAll(keepingCapacity: true)
        byteCount = 0
      }
      let old = entries.updateValue(Entry(count: count, since: commitNumber), forKey: key)
      if old == nil { byteCount += byteCountOfEntry }
    }
  }

  /// The approximate number of bytes that an entry takes beside its key.
  private static let entryByteCount = 96

  private let state: StripedLock<State>

  /// Creates a cache; `nil` for a limit of no bytes.
  init?(byteCountLimit: Int) {
    guard byteCountLimit > 0 else { return nil }
    state = StripedLock(State(byteCountLimit: byteCountLimit))
  }

  /// Returns the count as a view of this commit has it; `nil` if it isn't kept.
  func count(_ key: [UInt8], at commitNumber: UInt64) -> Int? {
    state.read { state in
      guard let entry = state.pointee.entries[key], entry.since <= commitNumber else { return nil }
      return entry.count
    }
  }

  /// Keeps a count that a view of this commit read.
  func insert(_ count: Int, _ key: [UInt8], readAt commitNumber: UInt64) {
    state.withLock { $0.insert(count, key, readAt: commitNumber) }
  }

  /// Removes the counts that the commit with this number is about to change.
  func prepare(_ changes: [(key: [UInt8], count: Int)], at commitNumber: UInt64) {
    guard !changes.isEmpty else { return }
    state.withLock { state in
      state.lastChange = commitNumber
      for (key, _) in changes where state.entries.removeValue(forKey: key) != nil {
        state.byteCount -= key.count + CountCache.entryByteCount
      }
    }
  }

  /// Keeps the new counts of the commit with this number.
  func publish(_ changes: [(key: [UInt8], count: Int)], at commitNumber: UInt64) {
    guard !changes.isEmpty else { return }
    state.withLock { state in
      for (key, count) in changes { state.insert(count, key, readAt: commitNumber) }
    }
  }

  /// Removes all counts, and keeps none from now on.
  func close() {
    state.withLock { state in
      state.entries = [:]
      state.byteCount = 0
      state.byteCountLimit = 0
    }
  }
}
