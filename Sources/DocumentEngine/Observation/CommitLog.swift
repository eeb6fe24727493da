import DocumentModel
import OrderedStore

/// What one commit made of one document.
struct DocumentChange: Sendable {
  let path: ResourcePath
  /// `nil` if the commit created the document.
  let old: StoredDocument?
  /// `nil` if the commit deleted it.
  let new: StoredDocument?
  /// The index entries that the document had, and has, in order where there are both: without those
  /// of fields that didn't change.
  let oldEntries: EntryList
  let newEntries: EntryList
}

/// One commit that changed something, as those see it who follow the commits.
struct CommittedGroup: Sendable {
  /// Each commit's is one more than that of the one before.
  let number: UInt64
  let time: Timestamp
  /// All that was written.
  let batch: StoreBatch
  /// At most one of each document; none where nobody asked for them.
  fileprivate(set) var changes: [DocumentChange]
  /// The one that the commit left.
  let catalog: Catalog
  /// Collections that got their first document ever.
  let foundedCollections: [ResourcePath]
  let changesCatalog: Bool
  /// About what keeping it takes.
  fileprivate(set) var byteCount = 0

  init(
    number: UInt64, time: Timestamp, batch: StoreBatch, changes: [DocumentChange],
    catalog: Catalog, foundedCollections: [ResourcePath], changesCatalog: Bool
  ) {
    self.number = number
    self.time = time
    self.batch = batch
    self.changes = changes
    self.catalog = catalog
    self.foundedCollections = foundedCollections
    self.changesCatalog = changesCatalog
  }
}

extension DocumentChange {
  /// About what keeping it takes: documents stand in it decoded, and entries with those that the
  /// batch doesn't hold.
  fileprivate var byteCount: Int {
    (old?.document.storageByteCount ?? 0) + (new?.document.storageByteCount ?? 0)
      + oldEntries.byteCount + newEntries.byteCount
  }
}

/// The latest commits, kept for as long as somebody follows them.
///
/// Transactions look here for what was written since they began, listeners for what to tell. Who
/// wants to miss nothing follows first and takes a view then: a commit that the view lacks is
/// appended later than that, since commits are appended behind the store's write.
final class CommitLog: Sendable {
  fileprivate struct State {
    /// In the order of their numbers.
    var commits: [CommittedGroup] = []
    /// What keeping them takes.
    var byteCount = 0
    /// Every commit after this one is kept, or still to come.
    var start: UInt64
    /// The last commit of all.
    var end: UInt64
    /// Whether a commit is on its way to the store.
    var isWriting = false
    /// Up to which commit each follower has seen all.
    var positions: [ObjectIdentifier: UInt64] = [:]
    /// What followers are woken by.
    var wakeUps: [ObjectIdentifier: @Sendable () -> Void] = [:]
  }

  /// Who is behind by more than this has lost the thread.
  private let byteCountLimit: Int
  private let state: Lock<State>
  private let process = ForkMark()

  /// - Parameter number: that of the last commit so far.
  init(after number: UInt64, byteCountLimit: Int = 64 << 20) {
    self.byteCountLimit = byteCountLimit
    state = Lock(State(start: number, end: number))
  }

  // MARK: Writing

  /// Tells that a commit goes to the store; `append` or `abandon` follows.
  func begin() {
    state.withLock { $0.isWriting = true }
  }

  /// Adds a commit that the store has taken, and makes it only if somebody follows.
  ///
  /// - Parameter number: the commit's.
  func append(_ number: UInt64, _ committed: () -> CommittedGroup) {
    let isFollowed = state.withLock { state in
      guard state.positions.isEmpty else { return true }
      state.isWriting = false
      state.end = number
      state.start = number
      return false
    }
    if isFollowed { append(committed()) }
  }

  private func append(_ committed: CommittedGroup) {
    var commit = committed
    // Who asks for changes after this look takes a view that has them.
    if state.withLock({ $0.wakeUps.isEmpty }) { commit.changes = [] }
    commit.byteCount = commit.changes.reduce(commit.batch.byteCount) { $0 + $1.byteCount }
    let (released, wakeUps) = state.withLock { [byteCountLimit, commit] state in
      state.isWriting = false
      state.end = commit.number
      guard !state.positions.isEmpty else {
        state.start = commit.number
        return ([CommittedGroup](), [@Sendable () -> Void]())
      }
      state.commits.append(commit)
      state.byteCount += commit.byteCount
      return (state.trim(to: byteCountLimit), Array(state.wakeUps.values))
    }
    for wakeUp in wakeUps { wakeUp() }
    // Documents and entries end here, after the lock.
    _ = released
  }

  /// Tells that the store refused the commit.
  func abandon() {
    state.withLock { $0.isWriting = false }
  }

  // MARK: Following

  /// Keeps every commit from now on, for as long as the follower lives.
  ///
  /// - Parameter wakeUp: called behind every commit, on the thread that writes: it must not wait.
  ///   Who gives none is told of batches, and not of the changes of documents that they come from.
  func follow(wakeUp: (@Sendable () -> Void)? = nil) -> Follower {
    let follower = Follower(self)
    state.withLock { state in
      state.positions[ObjectIdentifier(follower)] = state.start
      state.wakeUps[ObjectIdentifier(follower)] = wakeUp
    }
    return follower
  }

  /// The commits after `number` so far, or `nil` if one of them isn't kept any more.
  func commits(after number: UInt64) -> ArraySlice<CommittedGroup>? {
    state.withLock { $0.commits(after: number) }
  }

  /// The commits after `number` up to `last`, which a view has, or `nil` if one of them isn't kept.
  ///
  /// A commit is seen a moment before it is appended: that moment is waited for.
  func commits(after number: UInt64, through last: UInt64) -> ArraySlice<CommittedGroup>? {
    state.withLock(when: { $0.end >= last || !$0.isWriting }) { state in
      guard state.end >= last else { return nil }
      return state.commits(after: number)?.prefix { $0.number <= last }
    }
  }

  fileprivate func move(_ follower: Follower, to number: UInt64) {
    let released = state.withLock { [byteCountLimit] state -> [CommittedGroup] in
      state.positions[ObjectIdentifier(follower)] = number
      return state.trim(to: byteCountLimit)
    }
    _ = released
  }

  fileprivate func remove(_ follower: ObjectIdentifier) {
    guard !process.isInherited else { return }
    let released = state.withLock { [byteCountLimit] state -> [CommittedGroup] in
      state.positions[follower] = nil
      state.wakeUps[follower] = nil
      return state.trim(to: byteCountLimit)
    }
    _ = released
  }
}

extension CommitLog {
  /// Someone who keeps commits from being let go, up to the last release of this object.
  final class Follower: Sendable {
    private let log: CommitLog

    fileprivate init(_ log: CommitLog) {
      self.log = log
    }

    deinit { log.remove(ObjectIdentifier(self)) }

    /// Lets go of what no one else follows: all up to the commit with this number was seen.
    func move(to number: UInt64) { log.move(self, to: number) }
  }
}

extension CommitLog.State {
  fileprivate func commits(after number: UInt64) -> ArraySlice<CommittedGroup>? {
    guard number >= start else { return nil }
    let first = commits.partitioningIndex { $0.number > number }
    return commits[first...]
  }

  /// Gives up what all followers have seen, and what is too much.
  fileprivate mutating func trim(to byteCountLimit: Int) -> [CommittedGroup] {
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

extension Array {
  /// The first index whose element meets `condition`, which all elements behind it meet too.
  fileprivate func partitioningIndex(where condition: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
