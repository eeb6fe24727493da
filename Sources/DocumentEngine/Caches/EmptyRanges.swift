import HearthDocumentModel
import HearthOrderedStore
import Synchronization

/// Empty ranges of keys that are slow to cross.
///
/// A store keeps deleted keys until it compacts, and a seek passes all of them. At the head of a
/// queue, whose oldest documents are deleted, every query would pass more than the one before it.
/// So a scan whose first seek passed deleted keys records where it began and where it arrived. The
/// next scan that begins in between goes there at once.
///
/// A store can count only the keys that were deleted lately, and LevelDB none of those that it has
/// deleted itself. So there are two signs of deleted keys: those that were counted, and a seek that
/// arrives elsewhere than the last one from the same place.
///
/// A range that was empty at some commit is empty for every later one up to the commit that puts a
/// key there, which shortens the range first. Readers of an earlier commit go the long way. A range
/// from a slow reader is refused if anything was committed since.
final class EmptyRanges: Sendable {
  private static let countLimit = 64

  fileprivate struct Range: Sendable {
    var lower: [UInt8]
    /// The first key after the range.
    var end: [UInt8]
    /// The first commit from which on the range is empty.
    var since: UInt64
    /// Time of the last use, in steps of `State.clock`.
    var lastUse = 0
  }

  fileprivate struct State {
    /// The ranges in the order of their keys. No two overlap.
    var ranges: [Range] = []
    var lastCommit: UInt64
    var clock = 0
  }

  private let interval: Int
  /// Number of deleted keys that first seeks have stepped over.
  ///
  /// It begins so that the first of them is enough. Around it may lie all those that were deleted
  /// before the database was opened, which no store counts.
  private let passedCount: Atomic<Int>
  private let arrivals = SeekArrivals()
  private let state: Lock<State>

  /// Returns `nil` if no range is to be remembered.
  ///
  /// - Parameter commitNumber: the number of the last commit so far.
  init?(_ settings: EngineSettings, after commitNumber: UInt64) {
    guard let interval = settings.emptyRangeInterval else { return nil }
    self.interval = interval
    passedCount = Atomic(max(interval - 1, 0))
    state = Lock(State(lastCommit: commitNumber))
  }

  // MARK: Reading

  /// Returns the end of the empty range that contains `key`, as of `commitNumber`; `nil` if there
  /// is none.
  func end(behind key: [UInt8], at commitNumber: UInt64) -> [UInt8]? {
    state.withLock { state in
      let index = state.count(from: key) - 1
      guard index >= 0, key.byteCompare(state.ranges[index].end) == .less else { return nil }
      return state.use(index, at: commitNumber)?.end
    }
  }

  /// Returns the lower bound of the empty range that contains `key` or ends at it, as of
  /// `commitNumber`; `nil` if there is none.
  func lower(before key: [UInt8], at commitNumber: UInt64) -> [UInt8]? {
    state.withLock { state in
      let index = state.count(endingBefore: key)
      guard index < state.ranges.count, state.ranges[index].lower.byteCompare(key) == .less
      else { return nil }
      return state.use(index, at: commitNumber)?.lower
    }
  }

  /// Returns whether the range that a first seek has crossed is to be remembered. Counts the
  /// deleted keys that it has stepped over, since a range pays only for many of them.
  ///
  /// - Parameters:
  ///   - known: the end of the known empty range that the seek went to; `nil` if there was none.
  func isDue(
    from begin: [UInt8], to found: RawSpan, known: [UInt8]?, afterPassing count: Int
  ) -> Bool {
    guard interval > 0 else { return true }
    if let known {
      // The key at the end of the range was deleted.
      return found.compare(known.span.bytes) != .equal
    }
    let hasMoved = arrivals.note(begin.span.bytes, found)
    guard count > 0 else { return hasMoved }
    let (before, after) = passedCount.wrappingAdd(count, ordering: .relaxed)
    return hasMoved || before / interval != after / interval
  }

  /// Records that a view of this commit has no keys from `lower` up to `end`.
  func insert(from lower: [UInt8], to end: [UInt8], seenAt commitNumber: UInt64) {
    guard lower.byteCompare(end) == .less else { return }
    state.withLock { state in
      guard commitNumber >= state.lastCommit else { return }
      state.insert(Range(lower: lower, end: end, since: commitNumber))
      if state.ranges.count > EmptyRanges.countLimit { state.removeLeastUsed() }
    }
  }

  // MARK: Commits

  /// Shortens the ranges into which the commit with this number puts keys. Called before the store
  /// writes the batch.
  func prepare(_ batch: StoreBatch, at commitNumber: UInt64) {
    state.withLock { state in
      state.lastCommit = commitNumber
      guard !state.ranges.isEmpty else { return }
      batch.forEach { operation, key, _ in
        guard operation == .put else { return }
        state.put([UInt8](copying: key))
      }
    }
  }
}

extension EmptyRanges.State {
  /// Returns the number of ranges that begin at or before `key`.
  fileprivate func count(from key: [UInt8]) -> Int {
    ranges.indices.first(reaching: { ranges[$0].lower.byteCompare(key) == .greater })
  }

  /// Returns the number of ranges that end before `key`.
  fileprivate func count(endingBefore key: [UInt8]) -> Int {
    ranges.indices.first(reaching: { ranges[$0].end.byteCompare(key) != .less })
  }

  /// Returns the range if it is empty as of `commitNumber`.
  fileprivate mutating func use(_ index: Int, at commitNumber: UInt64) -> EmptyRanges.Range? {
    guard ranges[index].since <= commitNumber else { return nil }
    clock += 1
    ranges[index].lastUse = clock
    return ranges[index]
  }

  /// Adds a range, merged with the ranges that it meets.
  fileprivate mutating func insert(_ new: EmptyRanges.Range) {
    var new = new
    clock += 1
    new.lastUse = clock
    var first = count(from: new.lower)
    if first > 0, ranges[first - 1].end.byteCompare(new.lower) != .less { first -= 1 }
    var last = first
    while last < ranges.count, ranges[last].lower.byteCompare(new.end) != .greater {
      let met = ranges[last]
      if met.lower.byteCompare(new.lower) == .less { new.lower = met.lower }
      if met.end.byteCompare(new.end) == .greater { new.end = met.end }
      new.since = max(new.since, met.since)
      last += 1
    }
    ranges.replaceSubrange(first..<last, with: [new])
  }

  /// Takes a new key into account. The range before the key stays empty.
  fileprivate mutating func put(_ key: [UInt8]) {
    let index = count(from: key) - 1
    guard index >= 0, key.byteCompare(ranges[index].end) == .less else { return }
    if ranges[index].lower.byteCompare(key) == .less {
      ranges[index].end = key
    } else {
      ranges.remove(at: index)
    }
  }

  fileprivate mutating func removeLeastUsed() {
    guard let index = ranges.indices.min(by: { ranges[$0].lastUse < ranges[$1].lastUse }) else {
      return
    }
    ranges.remove(at: index)
  }
}
