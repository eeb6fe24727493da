import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The regions of keys in which much was deleted.
///
/// A store keeps deleted keys until it compacts, and reads that pass cross all of them. So the
/// follower notes each deletion twice. The first note is under the part of the key that the
/// entries of one index in one place begin with: it finds the head of a queue. The second is under
/// the kind of key alone: it finds many small collections that were deleted together. Once a region
/// has enough deletions, and no new ones, its keys from the first to the last are due to be
/// compacted.
final class DeletedRanges: CommitFollower {
  struct Region: Sendable {
    var lower: [UInt8]
    /// The last of the deleted keys.
    var last: [UInt8]
    var count = 0
    /// The number of deletions at the last look.
    fileprivate var lastCount = 0
    /// The hash of the prefix that its keys share, under which it is found.
    fileprivate var hash: UInt64 = 0
    /// Number of looks that pass until it may be due again, and how many it last had to wait.
    fileprivate var lookCount = 0
    fileprivate var lastLookCount = 0

    var range: KeyRange { KeyRange(lower: lower, upper: last + [0]) }
  }

  fileprivate struct State {
    /// The regions, by a hash of the prefix that their keys share.
    var regions: [UInt64: Region] = [:]
    /// The regions to compact, the one with the most deletions first.
    var due: [Region] = []
  }

  /// The number of deletions below which a region is left to the store.
  static let threshold = 10_000
  private static let regionLimit = 1024
  /// Number of looks after which a region is compacted again, at the latest.
  private static let lookLimit = 63

  private let state = Lock(State())

  func follow(_ commit: PublishedCommit) {
    guard commit.batch.deleteCount > 0 else { return }
    state.withLock { [batch = commit.batch] state in
      batch.forEach { operation, key, _ in
        guard operation != .put, let part = StorageKey.indexPart(of: key) else { return }
        state.note(key, prefixByteCount: 1)
        if part.end > 1 { state.note(key, prefixByteCount: part.end) }
      }
      if state.regions.count > DeletedRanges.regionLimit { state.removeSmall() }
    }
  }

  /// Finds the regions in which deletions have ended or are very many, and makes them due.
  ///
  /// - Parameter isFinal: whether to take every region with enough deletions, without waiting for
  ///   their end.
  /// - Returns: whether any region is due.
  func look(isFinal: Bool = false) -> Bool {
    state.withLock { state in
      for (hash, region) in state.regions {
        guard region.lookCount == 0 else {
          if !isFinal { state.regions[hash]?.lookCount -= 1 }
          continue
        }
        let isQuiet = isFinal || region.count == region.lastCount
        let isDue = isQuiet || region.count >= 10 * DeletedRanges.threshold
        if region.count >= DeletedRanges.threshold, isDue {
          state.regions[hash] = nil
          state.due.append(region)
        } else {
          state.regions[hash]?.lastCount = region.count
        }
      }
      state.due.sort { $0.count > $1.count }
      return !state.due.isEmpty
    }
  }

  /// Removes the next region that is due and returns it; `nil` if there is none.
  func takeDue() -> Region? {
    state.withLock { $0.due.isEmpty ? nil : $0.due.removeFirst() }
  }

  /// Forgets the regions in a range that is compacted, and returns them.
  func remove(in range: KeyRange) -> [Region] {
    func isInside(_ region: Region) -> Bool {
      range.contains(region.lower.span.bytes) && range.contains(region.last.span.bytes)
    }
    return state.withLock { state in
      let regions = (state.regions.values + state.due).filter(isInside)
      state.regions = state.regions.filter { !isInside($0.value) }
      state.due.removeAll(where: isInside)
      return regions
    }
  }

  /// Notes regions again whose compaction has left deleted keys. Each time they wait for twice as
  /// many looks, since what keeps these keys may be held for long.
  func postpone(_ regions: [Region]) {
    state.withLock { state in
      for var region in regions {
        region.lastLookCount = min(2 * region.lastLookCount + 1, DeletedRanges.lookLimit)
        region.lookCount = region.lastLookCount
        if let other = state.regions[region.hash] { region.add(other) }
        state.regions[region.hash] = region
      }
    }
  }
}

extension DeletedRanges.State {
  fileprivate mutating func note(_ key: RawSpan, prefixByteCount: Int) {
    var hash = ByteHash()
    hash.combine(key.extracting(0..<prefixByteCount))
    guard regions[hash.value]?.note(key) == nil else { return }
    var region = DeletedRanges.Region(key, hash.value)
    region.note(key)
    regions[hash.value] = region
  }

  /// Makes room by removing the regions with the fewest deletions, which matter least.
  fileprivate mutating func removeSmall() {
    let counts = regions.values.map(\.count).sorted()
    let median = counts[counts.count / 2]
    regions = regions.filter { $0.value.count > median }
  }
}

extension DeletedRanges.Region {
  fileprivate init(_ key: RawSpan, _ hash: UInt64) {
    lower = [UInt8](copying: key)
    last = lower
    self.hash = hash
  }

  fileprivate mutating func add(_ other: Self) {
    count += other.count
    if other.lower.precedes(lower) { lower = other.lower }
    if last.precedes(other.last) { last = other.last }
  }

  fileprivate mutating func note(_ key: RawSpan) {
    count += 1
    if key.compare(last.span.bytes) == .greater {
      last = [UInt8](copying: key)
    } else if key.compare(lower.span.bytes) == .less {
      lower = [UInt8](copying: key)
    }
  }
}

extension Engine {
  /// The regions in which much was deleted since the upkeep began.
  var deletedRanges: DeletedRanges { follower { _, _ in DeletedRanges() } }
}
