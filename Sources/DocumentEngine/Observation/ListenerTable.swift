import DocumentModel
import OrderedStore
import QueryPlanning
import StorageFormat

/// All listeners, as they stand behind one commit.
struct ListenerTable {
  private struct Listener {
    let mailbox: ListenerMailbox
    var view: QueryView
    var plan: Plan
    var ranges: ListenedRanges
    var handles: [RangeMap<UInt64>.Handle] = []
  }

  /// The moment that a step brings all listeners to.
  private struct Moment {
    let view: ReadView
    let commitNumber: UInt64
    let time: Timestamp
  }

  private var listeners: [UInt64: Listener] = [:]
  private var ranges = RangeMap<UInt64>()
  /// Listeners that ranges don't tell of.
  private var everyChange: Set<UInt64> = []
  /// There is one while there are listeners.
  private var follower: CommitLog.Follower?
  private var position: UInt64 = 0
  private var figures = FeedStatistics()

  var statistics: FeedStatistics {
    var statistics = figures
    statistics.listenerCount = listeners.count
    statistics.rangeCount = ranges.count
    return statistics
  }

  // MARK: Steps

  /// - Parameter wakeUp: called behind every later commit while there are listeners.
  mutating func step(
    in engine: Engine, starting: [StartingListener], wakeUp: @escaping @Sendable () -> Void
  ) {
    guard !listeners.isEmpty || !starting.isEmpty else { return follower = nil }
    do {
      let follower = self.follower ?? engine.commitLog.follow(wakeUp: wakeUp)
      self.follower = follower
      // After following, so that no commit falls between the two.
      let view = try engine.readView()
      let moment = Moment(view: view, commitNumber: view.commitNumber, time: view.readTime)
      if !listeners.isEmpty, moment.commitNumber > position { catchUp(engine.commitLog, moment) }
      for listener in starting { start(listener, moment) }
      position = moment.commitNumber
      follower.move(to: position)
      if listeners.isEmpty { self.follower = nil }
    } catch {
      let error = DatabaseError(reporting: error)
      for listener in starting { listener.mailbox.fail(error) }
      for id in listeners.keys { fail(id, error) }
      follower = nil
    }
  }

  mutating func remove(_ id: UInt64) {
    guard let listener = listeners.removeValue(forKey: id) else { return }
    for handle in listener.handles { ranges.remove(handle) }
    everyChange.remove(id)
  }

  mutating func endAll() {
    for listener in listeners.values { listener.mailbox.end() }
    let statistics = figures
    self = ListenerTable()
    figures = statistics
  }

  private mutating func fail(_ id: UInt64, _ error: DatabaseError) {
    listeners[id]?.mailbox.fail(error)
    remove(id)
  }

  private mutating func start(_ starting: StartingListener, _ moment: Moment) {
    do {
      let query = try QueryView(starting.query, in: moment.view.databaseID)
      let plan = try Planner.plan(query.normalized, indexes: moment.view.catalog.indexes)
      let listener = Listener(
        mailbox: starting.mailbox, view: query, plan: plan,
        ranges: try ListenedRanges(of: plan, in: moment.view))
      let id = starting.mailbox.id
      listeners[id] = listener
      register(id, listener.ranges)
      update(id, moment) { try $0.run(in: moment.view) }
    } catch {
      starting.mailbox.fail(DatabaseError(reporting: error))
    }
  }

  // MARK: Ranges

  private mutating func register(_ id: UInt64, _ new: ListenedRanges) {
    for handle in listeners[id]?.handles ?? [] { ranges.remove(handle) }
    listeners[id]?.ranges = new
    listeners[id]?.handles = new.keyRanges.map { ranges.insert($0, id) }
    if new == .everyChange { everyChange.insert(id) } else { everyChange.remove(id) }
  }

  /// Plans every query anew, behind a change of the indexes.
  ///
  /// - Returns: the listeners that now depend on other keys. No index changes a result, but the
  ///   changes of this step need not have entries in both the old and the new one.
  private mutating func planAnew(_ view: ReadView) -> Set<UInt64> {
    var moved: Set<UInt64> = []
    for (id, listener) in listeners {
      do {
        let plan = try Planner.plan(listener.view.normalized, indexes: view.catalog.indexes)
        guard plan != listener.plan else { continue }
        listeners[id]?.plan = plan
        register(id, try ListenedRanges(of: plan, in: view))
        moved.insert(id)
      } catch {
        fail(id, DatabaseError(reporting: error))
      }
    }
    return moved
  }

  /// Finds the listeners of collections that have their first documents now.
  private mutating func registerFounded(_ paths: [ResourcePath], in view: ReadView) {
    for path in paths {
      var founded: [UInt64] = []
      ranges.forEach(containing: StorageKey.collection(path).span.bytes) { founded.append($0) }
      for id in founded {
        guard let plan = listeners[id]?.plan else { continue }
        do {
          register(id, try ListenedRanges(of: plan, in: view))
        } catch {
          fail(id, DatabaseError(reporting: error))
        }
      }
    }
  }

  // MARK: Changes

  private mutating func catchUp(_ log: CommitLog, _ moment: Moment) {
    guard let commits = log.commits(after: position, through: moment.commitNumber) else {
      return runAnew(moment)
    }
    figures.commitCount += commits.count
    let moved = commits.contains(where: \.changesCatalog) ? planAnew(moment.view) : []
    registerFounded(commits.flatMap(\.foundedCollections), in: moment.view)
    let changes = NetChange.merging(commits)
    figures.changeCount += changes.count
    var affected: [UInt64: [NetChange]] = [:]
    for change in changes {
      for id in candidates(of: change).union(moved) { affected[id, default: []].append(change) }
    }
    for (id, changes) in affected.sorted(by: { $0.key < $1.key }) {
      figures.candidateCount += changes.count
      update(id, moment) { try $0.apply(changes, in: moment.view) }
    }
  }

  /// The listeners whose results the change may be in.
  private mutating func candidates(of change: NetChange) -> Set<UInt64> {
    var found = everyChange
    var keyCount = 0
    change.forEachKey { key in
      keyCount += 1
      ranges.forEach(containing: key) { found.insert($0) }
    }
    figures.keyCount += keyCount
    return found
  }

  /// Runs every query again: not all commits since the last step are known any more.
  private mutating func runAnew(_ moment: Moment) {
    _ = planAnew(moment.view)
    for id in listeners.keys.sorted() {
      if case .foundation? = listeners[id]?.ranges, let plan = listeners[id]?.plan {
        do {
          register(id, try ListenedRanges(of: plan, in: moment.view))
        } catch {
          fail(id, DatabaseError(reporting: error))
        }
      }
      update(id, moment) { try $0.run(in: moment.view) }
    }
  }

  private mutating func update(
    _ id: UInt64, _ moment: Moment, _ body: (inout QueryView) throws -> [ListedChange]
  ) {
    guard var listener = listeners[id], !listener.mailbox.hasEnded else { return }
    // Out of the table meanwhile, so that its matches are changed in place.
    listeners[id] = nil
    let before = listener.view.work
    do {
      let changes = try body(&listener.view)
      figures.add(listener.view.work, since: before)
      figures.postCount += changes.isEmpty ? 0 : 1
      listener.mailbox.post(changes, at: moment.time, moment.commitNumber)
      listeners[id] = listener
    } catch {
      listeners[id] = listener
      fail(id, DatabaseError(reporting: error))
    }
  }
}

extension FeedStatistics {
  fileprivate mutating func add(_ work: QueryView.Work, since before: QueryView.Work) {
    runCount += work.runCount - before.runCount
    entriesRead += work.entriesRead - before.entriesRead
    documentsRead += work.documentsRead - before.documentsRead
  }
}
