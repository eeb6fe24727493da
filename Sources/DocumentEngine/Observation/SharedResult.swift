import DocumentModel
import OrderedStore

/// The result of one query, for all who listen to it.
///
/// The feed adds what becomes different. Once somebody takes it, it is listed: one snapshot for all
/// who were told the one before. Who is slower is told the difference of two lists, so that a slow
/// consumer costs no more than its result, and nobody waits for it. It then sees fewer snapshots,
/// never a false one.
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
    var fetched: [FetchedDocument] = []
    /// What became different since.
    var pending: [ResourcePath: ListedChange] = [:]
    var readTime = Timestamp.minimum
    var commitNumber: UInt64 = 0
    /// For those who were told the list before.
    var step: ListenerSnapshot?
    /// For those who were told nothing yet.
    var whole: ListenerSnapshot?
    var listenerCount = 0
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

  /// What listeners share may hold the database: it goes with the last of them.
  func leave() {
    let released = state.withLock { state -> [ListenerSnapshot?] in
      state.listenerCount -= 1
      guard state.listenerCount == 0 else { return [] }
      defer { (state.step, state.whole) = (nil, nil) }
      return [state.step, state.whole]
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

  /// What is different from what the caller was told before, `nil` if nothing is; and what it is
  /// told by that.
  ///
  /// - Complexity: linear in the result, for the first that takes it.
  func take(after told: Told?) -> (snapshot: ListenerSnapshot?, told: Told) {
    state.withLock { state in
      if !state.pending.isEmpty { list(&state) }
      guard let told else { return (whole(&state), state.told) }
      if told.version == state.told.version { return (nil, told) }
      if told.version + 1 == state.told.version, let step = state.step {
        return (step, state.told)
      }
      return (difference(from: told, state), state.told)
    }
  }

  private func list(_ state: inout State) {
    let changes = state.pending.values.sorted { ListedChange.precedes($0, $1, isReversed) }
    state.pending.removeAll()
    var documents = state.told.documents
    let steps = documents.apply(changes, isReversed, fetched)
    let isFirst = state.told.version == 0
    state.told = Told(version: state.told.version + 1, documents: documents)
    let list = documents.map(fetched)
    state.fetched = isReversed ? list.reversed() : list
    state.step = ListenerSnapshot(state.fetched, steps, at: state.readTime, state.commitNumber)
    state.whole = isFirst ? state.step : nil
  }

  private func whole(_ state: inout State) -> ListenerSnapshot {
    if let whole = state.whole { return whole }
    let changes = state.fetched.enumerated().map { index, document in
      ListenerSnapshot.Change(kind: .added, document: document, oldIndex: nil, newIndex: index)
    }
    let whole = ListenerSnapshot(state.fetched, changes, at: state.readTime, state.commitNumber)
    state.whole = whole
    return whole
  }

  private func difference(from told: Told, _ state: State) -> ListenerSnapshot? {
    var documents = told.documents
    let changes = state.told.documents.changes(since: documents)
      .sorted { ListedChange.precedes($0, $1, isReversed) }
    guard !changes.isEmpty else { return nil }
    let steps = documents.apply(changes, isReversed, fetched)
    return ListenerSnapshot(state.fetched, steps, at: state.readTime, state.commitNumber)
  }

  private func fetched(_ document: ListedDocument) -> FetchedDocument {
    FetchedDocument(document.record, shape)
  }
}

extension SharedResult.State {
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
