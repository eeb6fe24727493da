package import DocumentModel
import OrderedStore

/// What one listener is to be told next.
package enum ListenerEvent: Sendable {
  case snapshot(ListenerSnapshot)
  /// Terminal, as `end` is (§8).
  case failure(DatabaseError)
  /// The listener was removed, or the database closed.
  case end
}

/// A result as it was right behind one commit, and what is different since the last one that was
/// taken.
package struct ListenerSnapshot: Sendable {
  package struct Change: Sendable {
    package enum Kind: Sendable {
      case removed, added, modified
    }

    package let kind: Kind
    package let document: FetchedDocument
    /// Where the document stood in the list as it was after the changes before this one; `nil` for
    /// one that is added.
    package let oldIndex: Int?
    /// Where it stands then; `nil` for one that is removed.
    package let newIndex: Int?
  }

  package let documents: [FetchedDocument]
  /// Removed, added and modified documents, in this order; each kind in the order of the query.
  package let changes: [Change]
  package let readTime: Timestamp
  package let commitNumber: UInt64
}

/// Where the feed leaves what is new for one listener, until the listener takes it.
///
/// Changes that aren't taken yet are merged with later ones, so that a slow consumer costs no more
/// than its result, and nobody waits for it. It then sees fewer snapshots, never a false one.
package final class ListenerMailbox: Sendable {
  fileprivate enum Phase {
    /// Before the first result.
    case starting
    case listening
    case failed(DatabaseError)
    /// Everything was told.
    case ended
  }

  fileprivate struct State {
    var phase = Phase.starting
    /// What was told last, in the order of `sortKey`.
    var told: [ListedDocument] = []
    var pending: [ResourcePath: ListedChange] = [:]
    /// Whether there is a snapshot to take: the first one may be empty.
    var isFull = false
    var readTime = Timestamp.minimum
    var commitNumber: UInt64 = 0
    /// Called whenever there may be something to take; `nil` once the end was announced, since
    /// nobody knows how long the mailbox is held then.
    var notify: (@Sendable (ListenerMailbox) -> Void)?
  }

  let id: UInt64
  private let shape: ResultShape?
  /// Whether the query runs backwards: the last one is told first.
  private let isReversed: Bool
  private let state: Lock<State>

  init(
    id: UInt64, projection: Projection?, isReversed: Bool,
    notify: @escaping @Sendable (ListenerMailbox) -> Void
  ) {
    self.id = id
    shape = projection.map { ResultShape($0) }
    self.isReversed = isReversed
    state = Lock(State(notify: notify))
  }

  // MARK: The feed's side

  /// Adds what is different since the last call. The first call is the first result, even an empty
  /// one.
  func post(_ changes: [ListedChange], at readTime: Timestamp, _ commitNumber: UInt64) {
    let notify = state.withLock { state -> (@Sendable (ListenerMailbox) -> Void)? in
      switch state.phase {
      case .starting:
        state.phase = .listening
        state.isFull = true
      case .listening where !changes.isEmpty: break
      case .listening, .failed, .ended: return nil
      }
      state.readTime = readTime
      state.commitNumber = commitNumber
      for change in changes { state.merge(change) }
      return state.notify
    }
    notify?(self)
  }

  /// Ends the listener. What wasn't taken yet is dropped.
  func fail(_ error: DatabaseError) {
    end(as: .failed(error))
  }

  package func end() {
    end(as: .ended)
  }

  private func end(as phase: Phase) {
    let last = state.withLock { state -> State? in
      switch state.phase {
      case .starting, .listening: break
      case .failed, .ended: return nil
      }
      defer { state = State(phase: phase) }
      return state
    }
    // Documents and the closure end here, after the lock.
    last?.notify?(self)
  }

  var hasEnded: Bool {
    state.withLock { state in
      switch state.phase {
      case .starting, .listening: false
      case .failed, .ended: true
      }
    }
  }

  // MARK: The listener's side

  /// What is new, or `nil` if nothing is.
  ///
  /// - Complexity: linear in the result.
  package func take() -> ListenerEvent? {
    state.withLock { state in
      switch state.phase {
      case .failed(let error):
        state.phase = .ended
        return .failure(error)
      case .ended: return .end
      case .starting, .listening: break
      }
      let isFirst = state.isFull
      state.isFull = false
      guard isFirst || !state.pending.isEmpty else { return nil }
      let changes = state.told.apply(state.takePending(isReversed), isReversed, fetched)
      let documents = state.told.map(fetched)
      return .snapshot(
        ListenerSnapshot(
          documents: isReversed ? documents.reversed() : documents, changes: changes,
          readTime: state.readTime, commitNumber: state.commitNumber))
    }
  }

  private func fetched(_ document: ListedDocument) -> FetchedDocument {
    FetchedDocument(document.record, shape)
  }
}

extension ListenerMailbox.State {
  /// Joins a change with what is pending of its document: what it was is what was told of it (§8).
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

  /// The pending changes in the order in which they are told: by kind, then as the query sorts.
  fileprivate mutating func takePending(_ isReversed: Bool) -> [ListedChange] {
    defer { pending.removeAll() }
    return pending.values.sorted { left, right in
      if left.rank != right.rank { return left.rank < right.rank }
      let order = left.sortKey.byteCompare(right.sortKey)
      return order == (isReversed ? .greater : .less)
    }
  }
}

extension ListedChange {
  fileprivate var kind: ListenerSnapshot.Change.Kind {
    if new == nil { return .removed }
    return old == nil ? .added : .modified
  }

  fileprivate var rank: Int {
    switch kind {
    case .removed: 0
    case .added: 1
    case .modified: 2
    }
  }

  fileprivate var sortKey: [UInt8] { (new ?? old)?.sortKey ?? [] }
}

extension [ListedDocument] {
  /// Applies the changes one after the other, and says where each document stood and stands then.
  fileprivate mutating func apply(
    _ changes: [ListedChange], _ isReversed: Bool,
    _ fetched: (ListedDocument) -> FetchedDocument
  ) -> [ListenerSnapshot.Change] {
    if isEmpty { return fill(changes, isReversed, fetched) }
    return changes.compactMap { change in
      var oldIndex: Int?
      var newIndex: Int?
      if let old = change.old {
        let (index, isThere) = place(of: old.sortKey)
        if isThere {
          oldIndex = isReversed ? count - 1 - index : index
          remove(at: index)
        }
      }
      if let new = change.new {
        let index = place(of: new.sortKey).index
        insert(new, at: index)
        newIndex = isReversed ? count - 1 - index : index
      }
      guard let document = change.new ?? change.old else { return nil }
      return ListenerSnapshot.Change(
        kind: change.kind, document: fetched(document), oldIndex: oldIndex, newIndex: newIndex)
    }
  }

  /// As `apply`, for a list that was empty: all are added, each behind the one before.
  private mutating func fill(
    _ changes: [ListedChange], _ isReversed: Bool,
    _ fetched: (ListedDocument) -> FetchedDocument
  ) -> [ListenerSnapshot.Change] {
    let added = changes.compactMap(\.new)
    self = isReversed ? added.reversed() : added
    return added.enumerated().map { index, document in
      ListenerSnapshot.Change(
        kind: .added, document: fetched(document), oldIndex: nil, newIndex: index)
    }
  }
}
