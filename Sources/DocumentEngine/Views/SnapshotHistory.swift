import HearthDocumentModel
import HearthOrderedStore

/// The moments that commits have superseded, as far back as they are kept (§7.5).
///
/// Each moment is the view that a commit found. It stands for the times from the commit that made
/// it up to the commit that ended it. Moments follow each other without gaps, since the earliest is
/// always removed first. So a read at some time gets the data of just that time, or none.
final class SnapshotHistory: Sendable {
  fileprivate struct Moment {
    let view: ReadView
    let start: Timestamp
    let end: Timestamp
    /// The bytes of the commit that ended it.
    let byteCount: Int
  }

  fileprivate struct State {
    var moments: [Moment] = []
    var byteCount = 0
    var isClosed = false
  }

  private let limits: HistoryLimits
  private let observer: (any EngineObserver)?
  private let state = Lock(State())

  /// - Parameter observer: told whenever moments were appended or trimmed.
  init(_ limits: HistoryLimits, _ observer: (any EngineObserver)?) {
    self.limits = limits
    self.observer = observer
  }

  /// Keeps `view`, which is right since `start` and is superseded at `end` by a commit of
  /// `byteCount` bytes. Moments are appended in their order.
  func append(_ view: ReadView, from start: Timestamp, to end: Timestamp, byteCount: Int) {
    let released = state.withLock { [limits] state -> [ReadView] in
      guard !state.isClosed else { return [] }
      state.moments.append(Moment(view: view, start: start, end: end, byteCount: byteCount))
      state.byteCount += byteCount
      return state.trim(to: limits, now: end)
    }
    // The store's snapshots are released here, after the lock.
    _ = released
    tellObserver()
  }

  /// Returns the view as of `time`; `nil` if it isn't kept.
  func view(at time: Timestamp, now: Timestamp) -> ReadView? {
    let (view, released) = state.withLock { [limits] state -> (ReadView?, [ReadView]) in
      let released = state.trim(to: limits, now: now)
      guard time >= limits.horizon(at: now) else { return (nil, released) }
      return (state.view(at: time), released)
    }
    _ = released
    return view
  }

  /// Removes the moments that are too old.
  func trim(now: Timestamp) {
    let released = state.withLock { [limits] in $0.trim(to: limits, now: now) }
    _ = released
    tellObserver()
  }

  private func tellObserver() {
    guard let observer else { return }
    let (momentCount, byteCount) = extent
    observer.observe(.historyChanged(momentCount: momentCount, byteCount: byteCount))
  }

  /// Removes everything and keeps nothing any more.
  func close() {
    let released = state.withLock { state -> [ReadView] in
      defer { state = State(isClosed: true) }
      return state.moments.map(\.view)
    }
    _ = released
  }

  /// The number of kept moments, and the number of bytes written since the earliest of them.
  var extent: (momentCount: Int, byteCount: Int) {
    state.withLock { ($0.moments.count, $0.byteCount) }
  }
}

extension SnapshotHistory.State {
  /// Removes the earliest moments until the rest is within `limits`.
  fileprivate mutating func trim(to limits: HistoryLimits, now: Timestamp) -> [ReadView] {
    let horizon = limits.horizon(at: now)
    var count = 0
    while count < moments.count,
      moments.count - count > limits.snapshotCount || byteCount > limits.byteCount
        || moments[count].end <= horizon
    {
      byteCount -= moments[count].byteCount
      count += 1
    }
    defer { moments.removeFirst(count) }
    return moments.prefix(count).map(\.view)
  }

  fileprivate func view(at time: Timestamp) -> ReadView? {
    let index = moments.indices.first(reaching: { moments[$0].end > time })
    guard index < moments.count, moments[index].start <= time else { return nil }
    return moments[index].view
  }
}
