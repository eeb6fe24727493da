import HearthDocumentModel
package import HearthOrderedStore

/// One commit that changed something, as followers of the commits see it: the bytes that the store
/// has taken, and none of the values that they were made from.
package struct Commit: Sendable {
  /// The commit's number, one more than that of the commit before.
  package let number: UInt64
  /// All writes of the commit. Those that belong to one document follow that of its record.
  package let batch: StoreBatch
  /// The catalogue after the commit.
  let catalog: Catalog
  /// Collections that got their first document ever.
  let foundedCollections: [ResourcePath]
  let changesCatalog: Bool

  /// The approximate memory that it takes.
  fileprivate var byteCount: Int { batch.byteCount }
}

/// The latest commits, kept while a follower needs them.
///
/// Transactions look here for writes since they began, listeners for changes to tell. A reader that
/// must not miss a commit follows first and takes a view after that. A commit that the view lacks
/// is appended later, since commits are appended after the store's write.
package final class CommitLog: Sendable {
  fileprivate struct State {
    /// The kept commits in the order of their numbers.
    var commits: [Commit] = []
    /// The approximate memory that they take.
    var byteCount = 0
    /// Every commit after this one is kept or still to come.
    var start: UInt64
    /// The number of the last commit.
    var end: UInt64
    /// Whether a commit is on its way to the store.
    var isWriting = false
    /// The commit up to which each follower has seen all.
    var positions: [ObjectIdentifier: UInt64] = [:]
    /// The closures that wake followers.
    var wakeUps: [ObjectIdentifier: @Sendable () -> Void] = [:]
  }

  /// The most bytes of commits to keep. A follower that falls behind by more misses commits.
  private let byteCountLimit: Int
  private let state: Lock<State>
  private let process = ForkMark()

  /// - Parameter number: the number of the last commit so far.
  init(after number: UInt64, byteCountLimit: Int = 64 << 20) {
    self.byteCountLimit = byteCountLimit
    state = Lock(State(start: number, end: number))
  }

  // MARK: Writing

  /// Records that a commit goes to the store. `append` or `abandon` follows.
  func begin() {
    state.withLock { $0.isWriting = true }
  }

  /// Adds a commit that the store has taken. Makes it only if there is a follower.
  ///
  /// - Parameter number: the commit's number.
  func append(_ number: UInt64, _ committed: () -> Commit) {
    let isFollowed = state.withLock { state in
      guard state.positions.isEmpty else { return true }
      state.isWriting = false
      state.end = number
      state.start = number
      return false
    }
    if isFollowed { append(committed()) }
  }

  private func append(_ commit: Commit) {
    let (released, wakeUps) = state.withLock { [byteCountLimit] state in
      state.isWriting = false
      state.end = commit.number
      guard !state.positions.isEmpty else {
        state.start = commit.number
        return ([Commit](), [@Sendable () -> Void]())
      }
      state.commits.append(commit)
      state.byteCount += commit.byteCount
      return (state.trim(to: byteCountLimit), Array(state.wakeUps.values))
    }
    for wakeUp in wakeUps { wakeUp() }
    // Batches are released here, after the lock.
    _ = released
  }

  /// Passes over a commit that the store has taken, and whose batch doesn't tell all that it
  /// changes. Followers that haven't seen it find that commits are missing.
  func skip(_ number: UInt64) {
    let (released, wakeUps) = state.withLock { state in
      defer {
        state.commits = []
        state.byteCount = 0
      }
      state.isWriting = false
      (state.start, state.end) = (number, number)
      return (state.commits, Array(state.wakeUps.values))
    }
    for wakeUp in wakeUps { wakeUp() }
    _ = released
  }

  /// Whether a follower needs the commits.
  var isFollowed: Bool { state.withLock { !$0.positions.isEmpty } }

  /// Records that the store refused the commit.
  func abandon() {
    state.withLock { $0.isWriting = false }
  }

  // MARK: Following

  /// Keeps every commit from now on while the follower lives.
  ///
  /// - Parameter wakeUp: called after every commit, on the thread that writes. It must not wait.
  package func follow(wakeUp: (@Sendable () -> Void)? = nil) -> Follower {
    let follower = Follower(self)
    state.withLock { state in
      state.positions[ObjectIdentifier(follower)] = state.start
      state.wakeUps[ObjectIdentifier(follower)] = wakeUp
    }
    return follower
  }

  /// Returns the commits after `number` so far; `nil` if one of them is no longer kept.
  package func commits(after number: UInt64) -> ArraySlice<Commit>? {
    state.withLock { $0.commits(after: number) }
  }

  /// Returns the commits after `number` up to `last`, which a view has seen; `nil` if one of them
  /// isn't kept.
  ///
  /// A view can see a commit a moment before it is appended. The call waits for that moment.
  func commits(after number: UInt64, through last: UInt64) -> ArraySlice<Commit>? {
    state.withLock(when: { $0.end >= last || !$0.isWriting }) { state in
      guard state.end >= last else { return nil }
      return state.commits(after: number)?.prefix { $0.number <= last }
    }
  }

  fileprivate func move(_ follower: Follower, to number: UInt64) {
    let released = state.withLock { [byteCountLimit] state -> [Commit] in
      state.positions[ObjectIdentifier(follower)] = number
      return state.trim(to: byteCountLimit)
    }
    _ = released
  }

  fileprivate func remove(_ follower: ObjectIdentifier) {
    guard !process.isInherited else { return }
    let released = state.withLock { [byteCountLimit] state -> [Commit] in
      state.positions[follower] = nil
      state.wakeUps[follower] = nil
      return state.trim(to: byteCountLimit)
    }
    _ = released
  }
}

extension CommitLog {
  /// A reader of the log that keeps commits from being released while this object lives.
  package final class Follower: Sendable {
    private let log: CommitLog

    fileprivate init(_ log: CommitLog) {
      self.log = log
    }

    deinit { log.remove(ObjectIdentifier(self)) }

    /// Records that all commits up to this number were seen, and releases those that no other
    /// follower needs.
    package func move(to number: UInt64) { log.move(self, to: number) }
  }
}

extension CommitLog.State {
  fileprivate func commits(after number: UInt64) -> ArraySlice<Commit>? {
    guard number >= start else { return nil }
    let first = commits.indices.first(reaching: { commits[$0].number > number })
    return commits[first...]
  }

  /// Removes the commits that all followers have seen, and the oldest ones above the limit.
  fileprivate mutating func trim(to byteCountLimit: Int) -> [Commit] {
    let seen = positions.values.min() ?? end
    var count = 0
    while count < commits.count, commits[count].number <= seen || byteCount > byteCountLimit {
      byteCount -= commits[count].byteCount
      start = commits[count].number
      count += 1
    }
    defer { commits.removeFirst(count) }
    return Array(commits.prefix(count))
  }
}
