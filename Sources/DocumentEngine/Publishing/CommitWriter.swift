import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// Makes commits of requests: stages each group of them, writes it, and publishes it.
final class CommitWriter: Sendable {
  let publication: Publication
  let committer: Committer
  let log: CommitLog
  let latencies = LatencyGauge()
  /// Only the committer touches it, but not always on one thread.
  private let tally = Lock(WriteTally())
  /// The entries that loads have deferred; `nil` if there are none, or if they must be made anew.
  let deferred = Lock<DeferredEntries?>(nil)

  init(_ publication: Publication) {
    self.publication = publication
    let settings = publication.caches.settings
    committer = Committer(
      holdingNanoseconds: settings.holdingNanoseconds, LockTable(settings.locks))
    log = CommitLog(after: publication.latest.state.commitNumber)
    publication.onIncompleteEntries { [weak self] () throws(DatabaseError) in
      try self?.completeEntries()
    }
  }

  // MARK: Requests

  /// Applies `writes` in order, all or none, provided that the reads that they depend on are still
  /// valid.
  ///
  /// - Parameters:
  ///   - judgement: the judgement of the writes; `nil` for none.
  ///   - attempt: the attempt that runs alone, if the writes belong to one.
  ///   - lockHolder: the transaction with locks that the writes end, if they belong to one.
  ///   - defersEntries: whether new documents may get their index entries later.
  func commit(
    _ writes: [Write], judging judgement: CommitJudgement? = nil,
    validating validation: ReadValidation? = nil, by attempt: LoneAttempt? = nil,
    holding lockHolder: LockHolderID? = nil, deferringEntries defersEntries: Bool = false
  ) throws(DatabaseError) -> CommitResult {
    try validate(writes)
    try Write.validateTransformCounts(writes)
    return try submit(
      CommitRequest(
        writes: writes, judging: judgement, validating: validation, by: attempt,
        holding: lockHolder, submittedAt: submissionTime(), deferringEntries: defersEntries))
  }

  /// Checks each of the writes. Threads share the work if there are many; a forked process, which
  /// will be refused, starts none.
  private func validate(_ writes: [Write]) throws(DatabaseError) {
    guard writes.count >= SharedWork.placeCount, !publication.process.isInherited,
      let threads = publication.caches.settings.sharedWork
    else {
      // A loop over the array would copy each write.
      let writes = writes.span
      for index in writes.indices { try writes[index].validate() }
      return
    }
    let failures = try reportingErrors {
      try threads.outputs(writes.count) { places -> [DatabaseError] in
        let writes = writes.span
        for index in places {
          do throws(DatabaseError) { try writes[index].validate() } catch { return [error] }
        }
        return []
      }
    }
    if let failure = failures.first { throw failure }
  }

  /// Runs `change` on a draft of its own, between the commits of all other callers.
  func commitExclusively<Outcome: Sendable>(
    _ change: @escaping @Sendable (inout CommitDraft) throws -> Outcome
  ) throws(DatabaseError) -> Outcome {
    try publication.process.check()
    let outcome = Lock<Outcome?>(nil)
    let request = CommitRequest { draft in
      let result = try change(&draft)
      outcome.withLock { $0 = result }
    }
    _ = try perform(request)
    guard let result = outcome.withLock({ $0 }) else {
      throw DatabaseError(.internal, "A change ended without an outcome.")
    }
    return result
  }

  /// Commits work of the database's own beside the commits of others. Its time isn't measured,
  /// since builds needn't slow down for it.
  func commitInBackground(
    _ writes: [Write], _ stage: @escaping @Sendable (inout CommitDraft) throws -> Void
  ) throws(DatabaseError) {
    let request = CommitRequest(writing: writes, submittedAt: submissionTime()) { draft in
      try stage(&draft)
      return []
    }
    _ = try submit(request, isBackground: true)
  }

  /// Returns the time now if there is an observer, which is told how long requests wait; otherwise
  /// `nil`.
  func submissionTime() -> ContinuousClock.Instant? { publication.observer.map { _ in .now } }

  /// - Parameter isBackground: whether the request is the database's own.
  func submit(
    _ request: CommitRequest, isBackground: Bool = false
  ) throws(DatabaseError) -> CommitResult {
    try publication.process.check()
    guard request.byteCount <= Limits.requestByteCount else {
      throw .invalidArgument("Transaction too big. Decrease transaction size.")
    }
    guard !isBackground, latencies.isMeasuring else { return try perform(request) }
    let start = publication.clock.monotonicNanoseconds()
    defer {
      // A wait for locks says nothing of the load.
      if !request.hasParked {
        latencies.record(nanoseconds: publication.clock.monotonicNanoseconds() &- start)
      }
    }
    return try perform(request)
  }

  private func perform(_ request: CommitRequest) throws(DatabaseError) -> CommitResult {
    try checkWritable()
    return try committer.commit(request, write: write)
  }

  /// Throws if every change will be refused, even one that would change nothing.
  ///
  /// - Throws: `failedPrecondition` for a database that was opened for reading only.
  func checkWritable() throws(DatabaseError) {
    try reportingErrors { try publication.store.checkWritable() }
  }

  // MARK: Groups

  /// Writes one group and answers its requests, apart from those that have to wait for locks.
  private func write(_ requests: [CommitRequest]) {
    var staged: [(request: CommitRequest, results: [WriteResult])] = []
    var unanswered = requests
    var event = publication.observer.map { _ in CommitTiming(requests) }
    defer { if let event { publication.observer?.observe(.groupCommitted(event)) } }
    do {
      let (sums, time) = try publication.beginCommit()
      defer { publication.endCommit() }
      // A transaction that begins after this waits for the commit before it trusts a read.
      let isGuarded = committer.locks.isInUse || requests.contains { $0.lockHolder != nil }
      var draft = try CommitDraft(publication.presentView(), sums: sums, commitTime: time)
      draft.preparation = preparation(of: requests, in: draft)
      var passedWriteCount = 0
      for request in requests {
        draft.passedWriteCount = passedWriteCount
        passedWriteCount += request.writes.count
        do {
          staged.append((request, try stage(request, in: &draft, isGuarded: isGuarded)))
        } catch is LockWait {
          unanswered.removeAll { $0 === request }
        } catch {
          unanswered.removeAll { $0 === request }
          answer(request, with: .failure(DatabaseError(reporting: error)))
        }
      }
      let noting = draft.newCatalog == nil ? beginNoting(draft.changes) : nil
      defer { noting?.drop() }
      try publish(&draft, &event)
      for (request, results) in staged {
        answer(
          request,
          with: .success(CommitResult(writeResults: results, commitTime: draft.commitTime)))
      }
      // The output has an error only if the work was dropped, which no caller does before.
      if let noting { try? noting.output() } else { note(draft.changes) }
      gather(draft)
    } catch {
      let failure = DatabaseError(reporting: error)
      event?.error = failure
      for request in unanswered { answer(request, with: .failure(failure)) }
    }
  }

  /// Does the work on single documents that other threads can share.
  ///
  /// - Returns: `nil` if there is no such thread, or too little work for two.
  private func preparation(
    of requests: [CommitRequest], in draft: CommitDraft
  ) -> CommitPreparation? {
    guard requests.reduce(0, { $0 + $1.writes.count }) >= SharedWork.placeCount,
      let threads = publication.caches.settings.sharedWork
    else { return nil }
    let mayDefer = mayDeferEntries()
    let areDeferred = requests.flatMap { request in
      repeatElement(mayDefer && request.defersEntries, count: request.writes.count)
    }
    // An error says that work was dropped, which no caller does.
    return try? CommitPreparation(
      of: requests.count == 1 ? requests[0].writes : requests.flatMap(\.writes),
      at: draft.commitTime, in: draft.view, draft.documentNumbers,
      deferringEntries: areDeferred, sharedBy: threads)
  }

  /// - Parameter isGuarded: whether a transaction may hold locks.
  private func stage(
    _ request: CommitRequest, in draft: inout CommitDraft, isGuarded: Bool
  ) throws -> [WriteResult] {
    try request.validation?.check(draft)
    if isGuarded { guardLocks(from: request, in: &draft) }
    draft.defersEntries = request.defersEntries && mayDeferEntries()
    return try draft.stage(request.stage)
  }

  private func guardLocks(from request: CommitRequest, in draft: inout CommitDraft) {
    draft.guardLocks(
      committer.locks, from: LockingRequest(request: request, committer: committer),
      of: request.lockHolder)
  }

  private func answer(_ request: CommitRequest, with result: Result<CommitResult, DatabaseError>) {
    if request.answer(with: result) { committer.locks.settle(ObjectIdentifier(request)) }
  }

  /// Makes the draft durable, and then visible to readers.
  private func publish(_ draft: inout CommitDraft, _ event: inout CommitTiming?) throws {
    draft.seal()
    guard !draft.isEmpty else { return publication.publishNothing(at: draft.commitTime) }
    let state = draft.putState()
    let batch = draft.batch
    // This comes before the write, since after it readers of an earlier time look in the history.
    publication.history?.append(
      draft.view, from: draft.view.readTime, to: draft.commitTime, byteCount: batch.byteCount)
    publication.caches.prepare(
      draft.changes, draft.derived.counts.results, batch, at: draft.commitNumber)
    event?.stage(byteCount: batch.byteCount)
    publication.beginWriting(changingCatalog: draft.newCatalog != nil)
    try write(batch, of: draft)
    event?.store()
    if let catalog = draft.newCatalog {
      publication.usage.follow(from: draft.view.catalog, to: catalog, at: draft.commitTime)
      tally.withLock { $0 = WriteTally() }
    }
    publication.publish(draft, state)
  }

  private func write(_ batch: StoreBatch, of draft: CommitDraft) throws {
    log.begin()
    do {
      try publication.store.write(batch)
    } catch {
      log.abandon()
      throw error
    }
    publication.caches.publish(draft.derived.counts.results, at: draft.commitNumber)
    // A reader that follows the log from now on takes a view, which must have this commit.
    publication.unshareView()
    if draft.hidesEntries {
      log.skip(draft.commitNumber)
    } else {
      log.append(draft.commitNumber) { draft.committed }
    }
  }

  /// Lets another thread note many changes while they are written. Should the write fail, they may
  /// be noted all the same: the store takes no others then, and no record confirms a name.
  private func beginNoting(_ changes: [DocumentChange]) -> SideWork<Void>? {
    guard changes.count >= SharedWork.placeCount,
      let start = publication.caches.settings.startWork
    else { return nil }
    let noting = SideWork { [self] in note(changes) }
    start { noting.run() }
    return noting
  }

  /// Counts the entries that a commit has put and deleted, and remembers new documents' names.
  private func note(_ changes: [DocumentChange]) {
    guard !changes.isEmpty else { return }
    publication.caches.noteNames(of: changes)
    tally.withLock { [changes, usage = publication.usage] in $0.count(changes, in: usage) }
  }
}

extension CommitTiming {
  /// Creates the timing of a commit of `requests`, which begins now.
  fileprivate init(_ requests: [CommitRequest]) {
    self.init(
      requestCount: requests.count,
      writeCount: requests.reduce(0) { $0 + Set($1.writes.lazy.map(\.path)).count },
      submissionTime: requests.compactMap(\.submissionTime).min())
  }
}
