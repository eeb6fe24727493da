import DocumentModel
import OrderedStore

/// The result of one query, for all who listen to it.
///
/// The feed adds what becomes different. Once somebody takes it, it is listed: one snapshot for all
/// who were told the same before. Who is slower is told the difference of two lists, so that a slow
/// consumer costs no more than its result, and nobody waits for it. It then sees fewer snapshots,
/// never a false one. Snapshots are kept only while somebody is yet to be told.
final class SharedResult: Sendable {
  /// A list that somebody was told.
  struct Told {
    fileprivate let version: Int
    /// In the order of `sortKey`.
    fileprivate let documents: [ListedDocument]
  }

  fileprivate struct State {
    /// The latest list, as far as anybody has taken it.
    var told = Told(version: 0, documents: [])
    /// Changes since then.
    var pending: [ResourcePath: ListedChange] = [:]
    var readTime = Timestamp.minimum
    var commitNumber: UInt64 = 0
    /// Snapshots of the latest list, each for those who were told one of the versions before, or
    /// nothing yet; `nil` for no difference.
    var snapshots: [Int?: ListenerSnapshot?] = [:]
    var listenerCount = 0
    /// Number of listeners that know the latest list.
    var toldCount = 0
  }

  private let shape: ResultShape?
  /// Whether the query runs backwards: the last one is told first.
  private let isReversed: Bool
  private let state = Lock(State())

  init(projection: Projection?, isReversed: Bool) {
    shape = projection.map { ResultShape($0) }
    self.isReversed = isReversed
  }

  func join() { state.withLock { $0.listenerCount += 1 } }

  /// Removes a listener.
  ///
  /// - Parameter told: the list that it was told last.
  func leave(after told: Told?) {
    let released = state.withLock { state in
      state.listenerCount -= 1
      if let told, told.version == state.told.version, state.toldCount > 0 { state.toldCount -= 1 }
      return state.releaseIfAllAreTold()
    }
    _ = released
  }

  /// Adds what is different since the last call.
  func add(_ changes: [ListedChange], at readTime: Timestamp, _ commitNumber: UInt64) {
    state.withLock { state in
      state.readTime = readTime
      state.commitNumber = commitNumber
      for change in changes { state.merge(change) }
    }
  }

  /// Difference that a listener takes.
  struct Taken {
    /// `nil` if nothing is different.
    let snapshot: ListenerSnapshot?
    /// The list that the listener knows by that.
    let told: Told
    /// May hold the database with its end, so that it goes where nothing is locked.
    fileprivate let released: [ListenerSnapshot?]
  }

  /// Takes the difference from the list that the caller was told before.
  ///
  /// - Complexity: linear in the result, for the first of those who were told the same before.
  func take(after told: Told?) -> Taken {
    state.withLock { state in
      var released: [ListenerSnapshot?] = []
      if !state.pending.isEmpty { released += list(&state) }
      if let told, told.version == state.told.version {
        return Taken(snapshot: nil, told: told, released: released)
      }
      var snapshot = snapshot(after: told, &state)
      // The list may have been another meanwhile, and the same again: who was told nothing yet may
      // have begun in between, so it is told the list as that of now.
      if told == nil { snapshot = snapshot?.at(state.readTime, state.commitNumber) }
      state.toldCount += 1
      released += state.releaseIfAllAreTold()
      return Taken(snapshot: snapshot, told: state.told, released: released)
    }
  }

  /// Makes a new list of the pending changes.
  ///
  /// - Returns: snapshots that nobody needs any more.
  private func list(_ state: inout State) -> [ListenerSnapshot?] {
    let changes = state.pending.values.sorted { ListedChange.precedes($0, $1, isReversed) }
    state.pending.removeAll()
    var documents = state.told.documents
    let steps = documents.apply(changes, isReversed, fetched)
    let last = state.told.version
    state.told = Told(version: last + 1, documents: documents)
    state.toldCount = 0
    let released = state.releaseAll()
    let step = snapshot(of: state, steps)
    state.snapshots[last] = .some(step)
    // Before the first list there was nothing.
    if last == 0 { state.snapshots[nil] = .some(step) }
    return released
  }

  private func snapshot(after told: Told?, _ state: inout State) -> ListenerSnapshot? {
    if let snapshot = state.snapshots[told?.version] { return snapshot }
    let changes = state.told.documents.changes(since: told?.documents ?? [])
      .sorted { ListedChange.precedes($0, $1, isReversed) }
    var documents = told?.documents ?? []
    let steps = documents.apply(changes, isReversed, fetched)
    // A listener that was told nothing yet is told even an empty result.
    let snapshot = steps.isEmpty && told != nil ? nil : snapshot(of: state, steps)
    state.snapshots[told?.version] = .some(snapshot)
    return snapshot
  }

  private func snapshot(of state: State, _ steps: [ListenerSnapshot.Change]) -> ListenerSnapshot {
    let list = state.told.documents.map(fetched)
    return ListenerSnapshot(
      isReversed ? list.reversed() : list, steps, at: state.readTime, state.commitNumber)
  }

  private func fetched(_ document: ListedDocument) -> FetchedDocument {
    FetchedDocument(document.record, shape)
  }
}

extension SharedResult.State {
  fileprivate mutating func releaseIfAllAreTold() -> [ListenerSnapshot?] {
    toldCount >= listenerCount ? releaseAll() : []
  }

  fileprivate mutating func releaseAll() -> [ListenerSnapshot?] {
    defer { snapshots = [:] }
    return Array(snapshots.values)
  }

  /// Joins a change with what is pending of its document: what it was is what was listed of it
  /// (§8).
  fileprivate mutating func merge(_ change: ListedChange) {
    guard let path = (change.new ?? change.old)?.path else { return }
    let old = pending[path].map(\.old) ?? change.old
    let isNoChange =
      switch (old, change.new) {
      case (nil, nil): true
      case (let old?, let new?): old.isSameVersion(as: new)
      default: false
      }
    pending[path] = isNoChange ? nil : ListedChange(old: old, new: change.new)
  }
}
