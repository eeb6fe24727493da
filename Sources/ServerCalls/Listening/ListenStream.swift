import Hearth
import HearthDocumentModel
import HearthFirestoreJSON
import HearthProtocols
import HearthQueryPlanning

/// One stream of `Listen`: its targets, and what its client was told (W§4).
///
/// All targets of a stream stand at one commit. A target has its first result before anything else
/// is sent, so the token of any later message is right for every target.
struct ListenStream {
  /// Queries and documents that the targets of a stream have together.
  static let listenerLimit = 20_000

  private let id: DatabaseID
  private let database: Database
  private let listeners: ListenerSet
  private let share: ListenerCount.Share
  private var judging: ListenerJudge
  /// Receives the ends of targets.
  private let note: (TargetEnd) -> Void
  private var targets: [Int32: ListenTarget] = [:]
  /// The target of each listener.
  private var owners: [ListenerSet.ID: Int32] = [:]
  /// The documents of the listeners that listen to one.
  private var paths: [ListenerSet.ID: ResourcePath] = [:]
  /// The target that was added last, until it has its first result.
  private var starting: Int32?
  /// The message of that target, as long as it may be set aside.
  private var startingMessage: V1.Target?
  private var waiting: WaitingTargets
  /// Whether the server numbers the targets; `nil` as long as there was none.
  private var assignsIDs: Bool?
  private var assignedCount: Int32 = 0

  /// The end of a target by an error.
  struct TargetEnd {
    let target: Int32
    /// The query of the target; `nil` for documents.
    let query: StructuredQuery?
    /// Whether the client is to forget what it knows of the target.
    var isReset = false
    let error: DatabaseError
  }

  init(
    on database: Database, _ id: DatabaseID, _ listeners: ListenerSet, _ waiting: WaitingTargets,
    _ share: ListenerCount.Share, _ judging: ListenerJudge,
    note: @escaping (TargetEnd) -> Void
  ) {
    self.judging = judging
    self.id = id
    self.database = database
    self.listeners = listeners
    self.waiting = waiting
    self.share = share
    self.note = note
  }

  // MARK: Requests

  /// Does what a message asks for.
  ///
  /// - Throws: `invalidArgument` for a message that ends the stream.
  mutating func answer(
    _ request: V1.ListenRequest, by send: Sending<V1.ListenResponse>
  ) async throws {
    defer { giveBackListeners() }
    switch request.targetChange {
    case .addTarget(let target): try await add(target, send)
    case .removeTarget(let id):
      guard drop(id) else { return }
      try await send(.change(.remove, of: id))
    case nil:
      throw DatabaseError.invalidArgument("A request must add a target or remove one.")
    }
  }

  private mutating func add(
    _ message: V1.Target, _ send: Sending<V1.ListenResponse>
  ) async throws {
    let targetID = try targetID(of: message)
    do throws(DatabaseError) {
      guard targets[targetID] == nil, !waiting.contains(targetID) else {
        throw DatabaseError(.alreadyExists, "Target ID already exists: \(targetID)")
      }
      _ = try Resumption(message.resumeType, of: id)
    } catch {
      return try await send(.change(.remove, of: targetID, because: error))
    }
    try await send(.change(.add, of: targetID))
    startingMessage = message
    try await start(message, targetID, send)
  }

  /// Goes on with a target whose indexes were to be created.
  mutating func goOn(
    _ built: WaitingTargets.Built, by send: Sending<V1.ListenResponse>
  ) async throws {
    defer { giveBackListeners() }
    guard let wait = waiting.take(built) else { return }
    guard built.isThere else {
      return try await send(.change(.remove, of: built.targetID, because: wait.refusal.error))
    }
    // There is no third attempt.
    startingMessage = nil
    try await start(wait.target, built.targetID, send)
  }

  /// Lets all targets be judged with the next moment, since the rules have changed.
  mutating func judgeAll() { judging.mustJudgeAll = true }

  /// Ends the work beside the stream.
  mutating func end() { waiting.removeAll() }

  private mutating func start(
    _ message: V1.Target, _ targetID: Int32, _ send: Sending<V1.ListenResponse>
  ) async throws {
    do throws(DatabaseError) {
      try takeListeners(message.listenerCount)
      let resumption = try Resumption(message.resumeType, of: id)
      var target = try ListenTarget(message, from: resumption, of: id, in: database)
      try check(target, targetID)
      paths.merge(target.start(in: listeners)) { $1 }
      for listener in target.listeners { owners[listener] = targetID }
      targets[targetID] = target
      starting = targetID
    } catch {
      return try await send(.change(.remove, of: targetID, because: error))
    }
    try await tell(by: send)
  }

  /// Judges a target before it begins, and notes its refusal.
  ///
  /// - Throws: `permissionDenied`; the store's error.
  private func check(_ target: ListenTarget, _ targetID: Int32) throws(DatabaseError) {
    do throws(DatabaseError) {
      try judging.checkBeginning(of: target.query)
    } catch {
      note(TargetEnd(target: targetID, query: target.query, error: error))
      throw error
    }
  }

  /// Number of the listeners that the stream has, those for its judgements among them.
  private var listenerCount: Int { owners.count + waiting.count + judging.watchedCount }

  /// - Throws: `resourceExhausted` if the stream or the server has too many.
  private func takeListeners(_ more: Int) throws(DatabaseError) {
    let count = listenerCount + more
    guard count <= ListenStream.listenerLimit else {
      throw DatabaseError(
        .resourceExhausted,
        "A stream listens to at most \(ListenStream.listenerLimit) queries and documents.")
    }
    guard share.set(count) else {
      throw DatabaseError(
        .resourceExhausted,
        "The streams of the server listen to at most \(share.limit) queries and documents.")
    }
  }

  /// Gives back the listeners that the stream doesn't have.
  private func giveBackListeners() { _ = share.set(listenerCount) }

  private mutating func targetID(of message: V1.Target) throws(DatabaseError) -> Int32 {
    guard message.targetID >= 0 else {
      throw .invalidArgument("Target ID must not be negative: \(message.targetID)")
    }
    let assigns = message.targetID == 0
    guard assigns == assignsIDs ?? assigns else {
      throw .invalidArgument(
        "The IDs of a stream's targets are either all given by the client or all left to the "
          + "server.")
    }
    assignsIDs = assigns
    guard assigns else { return message.targetID }
    assignedCount += 1
    return assignedCount
  }

  /// Ends a target.
  ///
  /// - Returns: whether there was one.
  private mutating func drop(_ targetID: Int32) -> Bool {
    guard let target = targets.removeValue(forKey: targetID) else {
      return waiting.remove(targetID)
    }
    for listener in target.listeners {
      judging.remove(listener)
      owners[listener] = nil
      paths[listener] = nil
      listeners.remove(listener)
    }
    if starting == targetID { starting = nil }
    return true
  }

  // MARK: Moments

  /// Sends all that has changed up to the latest commit, and that all targets stand there.
  ///
  /// - Parameter isSilent: whether to send that even without a change.
  /// - Throws: the error of a database that is closed, for which clients listen anew; the store's
  ///   error.
  mutating func tell(
    isSilent: Bool = false, by send: Sending<V1.ListenResponse>
  ) async throws {
    defer { giveBackListeners() }
    let isUnprompted = isSilent || starting != nil
    guard !targets.isEmpty, isUnprompted || judging.mustJudgeAll || listeners.hasNews else {
      return
    }
    // The time of a commit that changed a result is its own.
    let present = isUnprompted ? await presentTime() : nil
    // No view of the database is held while the client reads.
    let news = try await news(after: present)
    for end in news.ends {
      if end.isReset { try await send(.change(.reset, of: end.target)) }
      try await send(.change(.remove, of: end.target, because: end.error))
    }
    if let begun = news.begun, news.isReset { try await send(.change(.reset, of: begun)) }
    try await news.changes.send(at: news.readTime, of: id, by: send)
    if let begun = news.begun {
      try await send(.consistent(begun, with: news.token, at: news.readTime))
    }
    guard news.begun != nil || isSilent || !news.changes.isEmpty else { return }
    try await send(.consistent(with: news.token, at: news.readTime))
    guard let begun = news.begun, targets[begun]?.isOnce == true else { return }
    _ = drop(begun)
    try await send(.change(.remove, of: begun))
  }

  /// News of one moment.
  private struct News {
    let readTime: Timestamp
    let token: [UInt8]
    /// The targets that end.
    var ends: [TargetEnd] = []
    /// The target that has its first result.
    var begun: Int32?
    /// Whether the client of that target has to forget what it knows.
    var isReset = false
    var changes = MomentChanges()
  }

  /// - Parameter time: a time up to which all commits are visible.
  private mutating func news(after time: Timestamp?) async throws -> News {
    let moment = try await listeners.moment()
    let snapshot = moment.database
    let token = ResumeToken(
      commitNumber: snapshot.commitNumber, commitTime: snapshot.commitTime)
    var news = News(
      readTime: max(time ?? snapshot.readTime, snapshot.readTime), token: token.bytes(of: id))
    let isJudged = try judge(moment, into: &news)
    var first: [ListenerSet.ID: QuerySnapshot] = [:]
    for (listener, event) in moment.events {
      guard let owner = owners[listener], let target = targets[owner] else { continue }
      switch event {
      case .failure(let error):
        let message = owner == starting ? startingMessage : nil
        _ = drop(owner)
        if let query = target.query, let message,
          let refusal = Refusal(RequestedQuery(.documents(query), in: id), error),
          waiting.add(owner, message, refusal)
        {
          continue
        }
        end(TargetEnd(target: owner, query: target.query, error: error), in: &news)
      case .result(let result) where owner == starting: first[listener] = result
      case .result(let result): news.changes.add(result.documentChanges, of: target, owner)
      }
    }
    begin(with: first, into: &news)
    try news.changes.readRemoved(in: snapshot, of: database, areHidden: isJudged)
    return news
  }

  private func end(_ end: TargetEnd, in news: inout News) {
    note(end)
    news.ends.append(end)
  }

  /// Judges the listeners that have news, those whose judgement has read a document that changed,
  /// and after a change of the rules all. Ends the targets of those that are refused.
  ///
  /// - Returns: whether the stream's user is judged; `false` for an administrator.
  /// - Throws: `unauthenticated` or `invalidArgument` for credentials that can't be read.
  private mutating func judge(
    _ moment: ListenerSet.Moment, into news: inout News
  ) throws(DatabaseError) -> Bool {
    let judgesAll = judging.mustJudgeAll
    judging.mustJudgeAll = false
    guard let judge = try judging.present() else { return false }
    var listeners: Set<ListenerSet.ID> = judgesAll ? Set(owners.keys) : []
    for (listener, event) in moment.events {
      switch (event, judging.dependents(on: listener)) {
      case (.result, let dependents): listeners.formUnion(dependents ?? [listener])
      case (.failure(let error), let dependents?):
        // Later changes of the document that they depend on would go unnoticed.
        for dependent in dependents.sorted() { end(dependent, error, in: &news) }
      case (.failure, nil): break
      }
    }
    for listener in listeners.sorted() {
      guard let owner = owners[listener], let target = targets[owner] else { continue }
      let subject =
        paths[listener].map(ListenerJudge.Subject.document) ?? target.query.map { .query($0) }
      guard let subject else { continue }
      do throws(DatabaseError) {
        try judging.check(subject, of: listener, by: judge, in: moment.database)
        try takeListeners(0)
      } catch {
        end(listener, error, in: &news)
      }
    }
    return true
  }

  /// Ends the target of a listener whose judgement has failed.
  private mutating func end(
    _ listener: ListenerSet.ID, _ error: DatabaseError, in news: inout News
  ) {
    guard let owner = owners[listener], let target = targets[owner] else { return }
    let isReset = owner != starting
    _ = drop(owner)
    end(TargetEnd(target: owner, query: target.query, isReset: isReset, error: error), in: &news)
  }

  /// Adds the first result of the target that was added last, or its difference from the result
  /// that the client knows.
  private mutating func begin(
    with results: [ListenerSet.ID: QuerySnapshot], into news: inout News
  ) {
    guard let targetID = starting, let target = targets[targetID] else { return }
    starting = nil
    news.begun = targetID
    var known = target.knownResult(in: database)
    news.isReset = known == nil && target.resumption != nil
    let isNew = known == nil
    for listener in target.listeners {
      for document in results[listener]?.documents ?? [] where known?.take(document) != true {
        news.changes.put(document, targetID, isProjected: target.isProjected)
      }
      // The client of a new target waits to hear of each document.
      if isNew, results[listener]?.isEmpty == true, let path = paths[listener] {
        news.changes.remove(path, targetID)
      }
    }
    for path in known?.versions.keys.sorted() ?? [] { news.changes.remove(path, targetID) }
  }

  /// Returns a time up to which all commits are visible; `nil` if there is none at present.
  private func presentTime() async -> Timestamp? {
    try? await Waiting.run(.read) { [database] () throws(DatabaseError) in
      try database.presentTime()
    }
  }
}
