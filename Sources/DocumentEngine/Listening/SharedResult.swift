import HearthDocumentModel
import HearthOrderedStore

/// The result of one query, shared by all its listeners.
///
/// The feed adds changes. The first listener that takes them makes a new list, and one snapshot for
/// all listeners that were told the same before. A slower listener is told the difference of two
/// lists. So a slow listener costs no more than its result, and no other waits for it. It sees
/// fewer snapshots, but never a false one. Snapshots are kept only while a listener still has to be
/// told.
final class SharedResult: Sendable {
  /// A version of the list that a listener was told.
  struct Told {
    fileprivate let version: Int
    /// The documents in the order of `sortKey`.
    fileprivate let documents: [ListedDocument]
  }

  fileprivate struct State {
    /// The latest list that a listener has taken.
    var told = Told(version: 0, documents: [])
    /// Changes since the latest list.
    var pending: [ResourcePath: ListedChange] = [:]
    var readTime = Timestamp.minimum
    var commitNumber: UInt64 = 0
    /// Snapshots of the latest list by the version that a listener was told before, `nil` for none;
    /// a `nil` snapshot if there is no difference.
    var snapshots: [Int?: ListenerSnapshot?] = [:]
    var listenerCount = 0
    /// Number of listeners that know the latest list.
    var toldCount = 0
  }

  private let shape: ResultShape?
  /// Whether the query runs backwards, so that its last document is told first.
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

  /// Adds the changes since the last call.
  func add(_ changes: [ListedChange], at readTime: Timestamp, _ commitNumber: UInt64) {
    state.withLock { state in
      state.readTime = readTime
      state.commitNumber = commitNumber
      for change in changes { state.merge(change) }
    }
  }

  /// The difference that a listener takes.
  struct Taken {
    /// The snapshot; `nil` if nothing is different.
    let snapshot: ListenerSnapshot?
    /// The list that the listener knows from now on.
    let told: Told
    /// Snapshots to release outside of the lock, since one may hold the last reference to the
    /// database.
    fileprivate let released: [ListenerSnapshot?]
  }

  /// Takes the difference from the list that the listener was told before.
  ///
  /// - Complexity: linear in the result for the first of the listeners that were told the same
  ///   before.
  func take(after told: Told?) -> Taken {
    state.withLock { state in
      var released: [ListenerSnapshot?] = []
      if !state.pending.isEmpty { released += list(&state) }
      if let told, told.version == state.told.version {
        return Taken(snapshot: nil, told: told, released: released)
      }
      var snapshot = snapshot(after: told, &state)
      // The result may have changed and changed back meanwhile. A listener that was told nothing
      // yet may have begun in between, so it is told the list with the present time.
      if told == nil { snapshot = snapshot?.at(state.readTime, state.commitNumber) }
      state.toldCount += 1
      released += state.releaseIfAllAreTold()
      return Taken(snapshot: snapshot, told: state.told, released: released)
    }
  }

  /// Makes a new list with the pending changes.
  ///
  /// - Returns: snapshots that no listener needs any more.
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

  /// Merges a change with the pending one of its document. The old version stays the one that was
  /// listed (§8).
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
