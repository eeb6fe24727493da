import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The moments of the database that readers can see: the last commit's, and superseded ones as far
/// back as they are kept.
///
/// - All readers between two commits see one moment. Those of one stripe of threads share a view.
/// - A view is shared only if no commit was on its way while its snapshot was taken.
/// - Commit times ascend, and are later than all times at which a reader has read.
/// - Followers are told of every commit once, in order, when readers can see it.
final class Publication: Sendable {
  /// The result of the last commit, from which readers and the next commit start.
  private struct State {
    var database: StateRecord
    var catalog: Catalog
    var sums: SumTable
    /// Whether a batch with a new catalogue is on its way to the store. A snapshot taken meanwhile
    /// might hold either catalogue.
    var isCatalogChanging = false
    /// Whether a batch is on its way to the store. A snapshot taken meanwhile might have it or not.
    var isWriting = false
    /// The view of the last commit, one for each stripe of threads whose readers have asked.
    var views = InlineArray<4, ReadView?>(repeating: nil)
    var isClosed = false
    var followers: [any CommitFollower] = []
    /// The time of the commit that is on its way to the store.
    var pendingCommitTime: Timestamp?
    /// The latest time at which a reader has read. All later commits get a later time.
    var latestReadTime = Timestamp.minimum
    /// The time of the last commit that changed nothing. Such a commit leaves `database` as it was.
    var lastIdleCommitTime = Timestamp.minimum

    /// The time of the last commit, including commits that changed nothing.
    var lastCommitTime: Timestamp { max(database.lastCommitTime, lastIdleCommitTime) }

    /// Returns the view of a stripe of threads; `nil` if no reader of any stripe has asked for one.
    mutating func view(of stripe: Int) -> ReadView? {
      if let view = views[stripe] { return view }
      guard let other = views.first else { return nil }
      let view = other.copy()
      views[stripe] = view
      return view
    }

    /// The moment that a snapshot taken now has, if no batch is on its way to the store.
    var moment: (database: StateRecord, catalog: Catalog, isSettled: Bool) {
      (database, catalog, isSettled: !isWriting)
    }

    mutating func endCommit() {
      isWriting = false
      isCatalogChanging = false
      pendingCommitTime = nil
    }
  }

  let store: any OrderedStore
  let clock: any EngineClock
  let observer: (any EngineObserver)?
  let caches: EngineCaches
  let usage: IndexUsage
  /// The superseded moments of the database; `nil` if they aren't kept.
  let history: SnapshotHistory?
  let process = ForkMark()
  private let state: Lock<State>
  /// Puts the index entries that documents lack; `nil` before there is a writer.
  private let completion = Lock<(@Sendable () throws(DatabaseError) -> Void)?>(nil)
  private let lead: CommitTimeLead
  /// The time at which the database was founded; `nil` if it existed before it was opened.
  private let creationTime: Timestamp?

  /// Opens the database in `store`, or founds it there if the store is empty.
  ///
  /// - Throws: the same as `Engine.init`.
  init(
    over store: any OrderedStore, databaseID: DatabaseID?, history: HistoryLimits?,
    settings: EngineSettings, clock: any EngineClock, observer: (any EngineObserver)?
  ) throws {
    self.store = store
    self.clock = clock
    self.observer = observer
    self.history = history.map { SnapshotHistory($0, observer) }
    let (database, catalog, isNew) = try StoredCatalog.open(store, databaseID: databaseID)
    usage = try IndexUsage(store.makeSnapshot(), catalog, clock: clock)
    caches = EngineCaches(settings, after: database.commitNumber)
    creationTime = isNew ? clock.now() : nil
    let sums = try SumTable.read(store.makeSnapshot())
    state = Lock(State(database: database, catalog: catalog, sums: sums))
    lead = CommitTimeLead(observer, of: database.lastCommitTime, before: clock.now())
  }

  // MARK: Reading

  /// The state and the catalogue after the last commit. Takes no snapshot of the store.
  var latest: (state: StateRecord, catalog: Catalog) {
    state.withLock { ($0.database, $0.catalog) }
  }

  /// Whether there are entries that are to be summed and aren't yet.
  var lacksSums: Bool {
    let (catalog, sums) = state.withLock { ($0.catalog, $0.sums) }
    return !sums.incompleteSpaces(of: catalog).isEmpty
  }

  /// Sets the function that puts the index entries that documents lack.
  func onIncompleteEntries(_ complete: @escaping @Sendable () throws(DatabaseError) -> Void) {
    completion.withLock { $0 = complete }
  }

  /// Returns a view of the database as it is now, in which all documents have their index entries.
  func readView() throws(DatabaseError) -> ReadView {
    while true {
      let view = try presentView()
      guard view.state.unindexedStart != nil else { return view }
      try completion.withLock { $0 }?()
    }
  }

  /// Returns a view of the database as it is now, in which documents may lack index entries.
  func presentView() throws(DatabaseError) -> ReadView {
    try process.check()
    let stripe = threadStripe()
    if let view = state.withLock({ $0.view(of: stripe) }) { return view }
    return try reportingErrors { try makeView() }
  }

  /// Returns a view of the database as it was at `time`.
  func readView(at time: Timestamp) throws(DatabaseError) -> ReadView {
    // Entries that are missing are put before the time is held against that of the last commit.
    _ = try readView()
    let now = try reserve(time)
    let current = try readView()
    if current.readTime <= time { return current }
    if let view = history?.view(at: time, now: now) { return view }
    throw DatabaseError(.failedPrecondition, "The requested 'read_time' is too old.")
  }

  /// Returns the present time, never one before an earlier answer. All commits up to it are
  /// visible, and all later ones get a later time. It may wait for a commit that is on its way.
  func presentTime() throws(DatabaseError) -> Timestamp {
    _ = try reserve(max(clock.now(), latest.state.lastCommitTime))
    return state.withLock { $0.latestReadTime }
  }

  private func makeView() throws -> ReadView {
    while true {
      let before = state.withLock(when: { !$0.isCatalogChanging }) { $0.moment }
      let snapshot = try store.makeSnapshot()
      let after = state.withLock { $0.isCatalogChanging ? nil : $0.moment }
      guard let after, after.database.catalogVersion == before.database.catalogVersion
      else { continue }
      let isSettled =
        before.isSettled && after.isSettled
        && before.database.commitNumber == after.database.commitNumber
      let view = ReadView(
        snapshot, isSettled ? before.database : try Publication.state(in: snapshot),
        catalog: before.catalog, caches: caches, usage: usage)
      if isSettled { share(view) }
      return view
    }
  }

  private static func state(in snapshot: any StoreSnapshot) throws -> StateRecord {
    guard let bytes = try snapshot.value(of: StorageKey.state) else {
      throw DatabaseError.damaged("The state record is missing.")
    }
    return try StateRecord(bytes.span.bytes)
  }

  /// Keeps `view` for all readers until the next commit.
  private func share(_ view: ReadView) {
    state.withLock { state in
      guard state.views.first == nil, !state.isWriting, !state.isClosed,
        state.database.commitNumber == view.commitNumber
      else { return }
      state.views[threadStripe()] = view
      if caches.settings.reusesCursors { view.keepCursors() }
    }
  }

  /// Gives up the shared view, because there is a newer state or because the view's hold on the
  /// store is in the way.
  func unshareView() {
    let views = state.withLock { state in
      defer { state.views = InlineArray(repeating: nil) }
      return state.views
    }
    views.first?.retire()
  }

  /// Ensures that no later commit gets a time at or before `time`, and waits for a pending one that
  /// has such a time.
  ///
  /// - Returns: the time now.
  /// - Throws: `invalidArgument` for a time in the future, or before the database was founded.
  private func reserve(_ time: Timestamp) throws(DatabaseError) -> Timestamp {
    try process.check()
    if let creationTime, time < creationTime {
      throw .invalidArgument(
        "The requested 'read_time' cannot be before database creation time.")
    }
    let clockTime = clock.now()
    // Commits may run ahead of the clock.
    let now = state.withLock { max(clockTime, $0.pendingCommitTime ?? $0.lastCommitTime) }
    guard time <= now else {
      throw .invalidArgument("The requested 'read_time' cannot be in the future.")
    }
    state.withLock(when: { $0.pendingCommitTime.map { $0 > time } ?? true }) {
      $0.latestReadTime = max($0.latestReadTime, time)
    }
    return now
  }

  /// Waits for the commit that is under way, if there is one. It is in the log then, or was
  /// refused.
  func waitForCommitUnderWay() {
    guard let time = state.withLock({ $0.pendingCommitTime }) else { return }
    state.withLock(when: { $0.pendingCommitTime != time }) { _ in }
  }

  // MARK: Committing

  /// The time by which the last commit is ahead of the clock; `nil` for a minute or less.
  var commitTimeLead: Duration? {
    CommitTimeLead.duration(of: latest.state.lastCommitTime, before: clock.now())
  }

  /// Begins a commit, which ``endCommit()`` ends. Its time is later than the last commit and all
  /// reads.
  func beginCommit() throws(DatabaseError) -> (sums: SumTable, time: Timestamp) {
    let now = clock.now()
    let begun = try state.withLock { state throws(DatabaseError) in
      let earliest = max(state.lastCommitTime, state.latestReadTime).microseconds + 1
      let time = try Timestamp(microseconds: max(now.microseconds, earliest))
      state.pendingCommitTime = time
      return (sums: state.sums, time: time)
    }
    lead.tell(of: begun.time, before: now)
    return begun
  }

  /// Records that the commit's batch goes to the store now.
  func beginWriting(changingCatalog: Bool) {
    state.withLock { state in
      state.isWriting = true
      state.isCatalogChanging = changingCatalog
    }
  }

  /// Makes a commit visible that the store has taken, and tells the followers.
  ///
  /// - Parameter database: the state after the commit.
  func publish(_ draft: CommitDraft, _ database: StateRecord) {
    let followers = state.withLock { [draft] state in
      state.database = database
      state.sums = draft.derived.sums.table
      state.catalog = draft.catalog
      // Readers that a follower tells must find the commit.
      state.endCommit()
      return state.followers
    }
    guard !followers.isEmpty else { return }
    let commit = PublishedCommit(
      batch: draft.batch, state: database, catalog: draft.newCatalog)
    for follower in followers { follower.follow(commit) }
  }

  /// Makes the time of a commit count that changed nothing.
  func publishNothing(at time: Timestamp) {
    state.withLock { state in
      state.lastIdleCommitTime = time
      state.endCommit()
    }
  }

  /// Ends the commit, whether or not it was published.
  func endCommit() { state.withLock { $0.endCommit() } }

  /// Returns the follower of a type. If there is none, `make` makes it from what the last commit
  /// left, and it is told of every commit from then on.
  func follower<Follower: CommitFollower>(_ make: (StateRecord, Catalog) -> Follower) -> Follower {
    state.withLock { state in
      for case let known as Follower in state.followers { return known }
      let follower = make(state.database, state.catalog)
      state.followers.append(follower)
      return follower
    }
  }

  /// Ends the followers, and releases all views that are kept for readers.
  func close() {
    for follower in state.withLock({ $0.followers }) { follower.close() }
    history?.close()
    state.withLock { $0.isClosed = true }
    unshareView()
  }
}

extension InlineArray where Element == ReadView? {
  /// The first view that is there.
  fileprivate var first: ReadView? {
    for index in indices {
      if let view = self[index] { return view }
    }
    return nil
  }
}
