import DocumentModel
import OrderedStore
import StorageFormat

/// Where keys were deleted, and how many.
///
/// A store keeps what was deleted until it compacts, and reads that come by cross all of it. So the
/// committer notes each deletion under the part of the key that its index's entries of one place
/// begin with, and under the kind of key alone: the first finds the head of a queue, the second
/// many small collections that went together. Where enough of them lie, and no more come, the keys
/// from the first to the last are due to be compacted.
final class DeletedRanges: Sendable {
  struct Region: Sendable {
    var lower: [UInt8]
    /// The last key that was deleted.
    var last: [UInt8]
    var count = 0
    /// How many there were at the last look.
    fileprivate var lastCount = 0

    var range: KeyRange { KeyRange(lower: lower, upper: last + [0]) }
  }

  fileprivate struct State {
    /// By a hash of what their keys begin with.
    var regions: [UInt64: Region] = [:]
    /// The widest first.
    var due: [Region] = []
  }

  /// A region with fewer deletions is left to the store.
  static let threshold = 10_000
  private static let regionLimit = 1024

  private let state = Lock(State())

  /// Notes what a batch deletes, which the store has taken.
  func note(_ batch: StoreBatch) {
    guard batch.deleteCount > 0 else { return }
    state.withLock { [batch] state in
      batch.forEach { operation, key, _ in
        guard operation != .put, let part = StorageKey.indexPart(of: key) else { return }
        state.note(key, prefixByteCount: 1)
        if part.end > 1 { state.note(key, prefixByteCount: part.end) }
      }
      if state.regions.count > DeletedRanges.regionLimit { state.removeSmall() }
    }
  }

  /// Looks where deletions have come to an end, or are very many: what lies there is due now.
  ///
  /// - Parameter isFinal: whether no more are to be waited for.
  /// - Returns: whether anything is due.
  func look(isFinal: Bool = false) -> Bool {
    state.withLock { state in
      for (hash, region) in state.regions {
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

  /// The next region that is due.
  func takeDue() -> Region? {
    state.withLock { $0.due.isEmpty ? nil : $0.due.removeFirst() }
  }

  /// Forgets what lies in a range that was compacted.
  func remove(in range: KeyRange) {
    func isInside(_ region: Region) -> Bool {
      range.contains(region.lower.span.bytes) && range.contains(region.last.span.bytes)
    }
    state.withLock { state in
      state.regions = state.regions.filter { !isInside($0.value) }
      state.due.removeAll(where: isInside)
    }
  }
}

extension DeletedRanges.State {
  fileprivate mutating func note(_ key: RawSpan, prefixByteCount: Int) {
    var hash = ByteHash()
    hash.combine(key.extracting(0..<prefixByteCount))
    if regions[hash.value] == nil { regions[hash.value] = DeletedRanges.Region(key) }
    regions[hash.value]?.note(key)
  }

  /// Makes room: where least was deleted, least is missed.
  fileprivate mutating func removeSmall() {
    let counts = regions.values.map(\.count).sorted()
    let median = counts[counts.count / 2]
    regions = regions.filter { $0.value.count > median }
  }
}

extension DeletedRanges.Region {
  fileprivate init(_ key: RawSpan) {
    lower = [UInt8](copying: key)
    last = lower
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
