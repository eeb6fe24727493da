import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
import HearthStorageFormat

/// All listeners as of one commit. Listeners of equal queries share one view.
struct ListenerTable {
  private struct SharedView {
    let listened: ListenedQuery
    let result: SharedResult
    var view: QueryView
    var plan: Plan
    var ranges: ListenedRanges
    var handles: [RangeMap<UInt64>.Handle] = []
    /// The listeners in the order of their numbers.
    var listeners: [ListenerMailbox] = []

    /// - Complexity: the logarithm of the listeners, and a move of those after it.
    mutating func remove(_ id: UInt64) {
      let index = listeners.indices.first(reaching: { listeners[$0].id >= id })
      if index < listeners.count, listeners[index].id == id { listeners.remove(at: index) }
    }
  }

  /// The moment to which a step brings all listeners.
  private struct Moment {
    let view: ReadView
    let commitNumber: UInt64
    let time: Timestamp
  }

  /// The views by the number of their first listener.
  private var views: [UInt64: SharedView] = [:]
  private var viewNumbers: [ListenedQuery: UInt64] = [:]
  /// The number of each listener's view.
  private var listeners: [UInt64: UInt64] = [:]
  private var ranges = RangeMap<UInt64>()
  /// Views that depend on every change and have no ranges.
  private var everyChange: Set<UInt64> = []
  /// The follower of the log; `nil` while there are no listeners.
  private var follower: CommitLog.Follower?
  private var position: UInt64 = 0
  private var figures = FeedStatistics()

  var statistics: FeedStatistics {
    var statistics = figures
    statistics.listenerCount = listeners.count
    statistics.viewCount = views.count
    statistics.rangeCount = ranges.count
    return statistics
  }

  // MARK: Steps

  /// - Parameters:
  ///   - isObserved: whether the view is wanted even if there are no listeners.
  ///   - wakeUp: called after every later commit while there are listeners.
  /// - Returns: a view of the commit at which all listeners stand, or the error of the store; `nil`
  ///   if nothing wants the view.
  mutating func step(
    in writer: CommitWriter, starting: [StartingListener], isObserved: Bool,
    wakeUp: @escaping @Sendable () -> Void
  ) -> Result<ReadView, DatabaseError>? {
    guard !listeners.isEmpty || !starting.isEmpty || isObserved else {
      follower = nil
      return nil
    }
    do {
      let follower = self.follower ?? writer.log.follow(wakeUp: wakeUp)
      self.follower = follower
      // After following, so that no commit falls between the two.
      let view = try writer.publication.readView()
      let moment = Moment(view: view, commitNumber: view.commitNumber, time: view.readTime)
      if !listeners.isEmpty, moment.commitNumber > position { try catchUp(writer.log, moment) }
      for listener in starting { start(listener, moment) }
      position = moment.commitNumber
      follower.move(to: position)
      if listeners.isEmpty { self.follower = nil }
      return .success(view)
    } catch {
      let error = DatabaseError(reporting: error)
      for listener in starting { listener.mailbox.fail(error) }
      for number in views.keys { fail(number, error) }
      follower = nil
      return .failure(error)
    }
  }

  mutating func remove(_ id: UInt64) {
    guard let number = listeners.removeValue(forKey: id) else { return }
    // In place, since a copy of the view would copy all of its listeners.
    views[number]?.remove(id)
    if views[number]?.listeners.isEmpty == true { remove(view: number) }
  }

  private mutating func remove(view number: UInt64) {
    guard let view = views.removeValue(forKey: number) else { return }
    viewNumbers[view.listened] = nil
    for handle in view.handles { ranges.remove(handle) }
    everyChange.remove(number)
    for listener in view.listeners { listeners[listener.id] = nil }
  }

  mutating func endAll() {
    for view in views.values {
      for listener in view.listeners { listener.end() }
    }
    let statistics = figures
    self = ListenerTable()
    figures = statistics
  }

  private mutating func fail(_ number: UInt64, _ error: DatabaseError) {
    for listener in views[number]?.listeners ?? [] { listener.fail(error) }
    remove(view: number)
  }

  private mutating func start(_ starting: StartingListener, _ moment: Moment) {
    do {
      let listened = try ListenedQuery(
        starting.query, isReversed: starting.isReversed, in: moment.view.databaseID)
      let number = try viewNumbers[listened] ?? makeView(listened, starting.mailbox.id, moment)
      guard let result = views[number]?.result else { return }
      views[number]?.listeners.append(starting.mailbox)
      listeners[starting.mailbox.id] = number
      figures.postCount += 1
      starting.mailbox.begin(result, at: moment.time, moment.commitNumber)
    } catch {
      starting.mailbox.fail(DatabaseError(reporting: error))
    }
  }

  private mutating func makeView(
    _ listened: ListenedQuery, _ number: UInt64, _ moment: Moment
  ) throws -> UInt64 {
    var query = try QueryView(listened)
    let plan = try Planner.plan(query.normalized, indexes: moment.view.catalog.indexes)
    let ranges = try ListenedRanges(of: plan, in: moment.view)
    let result = SharedResult(
      projection: listened.query.projection.map { Projection($0) },
      isReversed: listened.isReversed)
    let changes = try query.run(in: moment.view)
    figures.add(query.work, since: QueryView.Work())
    result.add(changes, at: moment.time, moment.commitNumber)
    views[number] = SharedView(
      listened: listened, result: result, view: query, plan: plan, ranges: ranges)
    viewNumbers[listened] = number
    register(number, ranges)
    return number
  }

  // MARK: Ranges

  private mutating func register(_ number: UInt64, _ new: ListenedRanges) {
    for handle in views[number]?.handles ?? [] { ranges.remove(handle) }
    views[number]?.ranges = new
    views[number]?.handles = new.keyRanges.map { ranges.insert($0, number) }
    if new == .everyChange { everyChange.insert(number) } else { everyChange.remove(number) }
  }

  /// Plans every query anew after a change of the indexes.
  ///
  /// - Returns: the views that now depend on other keys. No index changes a result, but the changes
  ///   of this step need not have entries in both the old and the new index.
  private mutating func planAnew(_ view: ReadView) -> Set<UInt64> {
    var moved: Set<UInt64> = []
    for (number, shared) in views {
      do {
        let plan = try Planner.plan(shared.view.normalized, indexes: view.catalog.indexes)
        guard plan != shared.plan else { continue }
        views[number]?.plan = plan
        register(number, try ListenedRanges(of: plan, in: view))
        moved.insert(number)
      } catch {
        fail(number, DatabaseError(reporting: error))
      }
    }
    return moved
  }

  /// Registers the ranges of views whose collections have their first documents now.
  private mutating func registerFounded(_ paths: [ResourcePath], in view: ReadView) {
    for path in paths {
      var founded: [UInt64] = []
      ranges.forEach(containing: StorageKey.collection(path).span.bytes) { founded.append($0) }
      for number in founded {
        guard let plan = views[number]?.plan else { continue }
        do {
          register(number, try ListenedRanges(of: plan, in: view))
        } catch {
          fail(number, DatabaseError(reporting: error))
        }
      }
    }
  }

  // MARK: Changes

  private mutating func catchUp(_ log: CommitLog, _ moment: Moment) throws {
    guard let commits = log.commits(after: position, through: moment.commitNumber) else {
      return runAnew(moment)
    }
    figures.commitCount += commits.count
    let moved = commits.contains(where: \.changesCatalog) ? planAnew(moment.view) : []
    registerFounded(commits.flatMap(\.foundedCollections), in: moment.view)
    let changes = try NetChange.merging(commits, in: moment.view)
    figures.changeCount += changes.count
    var affected: [UInt64: [NetChange]] = [:]
    for change in changes {
      for number in candidates(of: change).union(moved) {
        affected[number, default: []].append(change)
      }
    }
    for (number, changes) in affected.sorted(by: { $0.key < $1.key }) {
      figures.candidateCount += changes.count
      update(number, moment) { try $0.apply(changes, in: moment.view) }
    }
  }

  /// Returns the views whose results may contain the changed document.
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

  /// Runs every query again, since some commits since the last step are no longer known.
  private mutating func runAnew(_ moment: Moment) {
    _ = planAnew(moment.view)
    for number in views.keys.sorted() {
      if case .foundation? = views[number]?.ranges, let plan = views[number]?.plan {
        do {
          register(number, try ListenedRanges(of: plan, in: moment.view))
        } catch {
          fail(number, DatabaseError(reporting: error))
        }
      }
      update(number, moment) { try $0.run(in: moment.view) }
    }
  }

  private mutating func update(
    _ number: UInt64, _ moment: Moment, _ body: (inout QueryView) throws -> [ListedChange]
  ) {
    guard var shared = views[number] else { return }
    // Taken out of the table meanwhile, so that its matches are changed in place.
    views[number] = nil
    let before = shared.view.work
    do {
      let changes = try body(&shared.view)
      figures.add(shared.view.work, since: before)
      views[number] = shared
      guard !changes.isEmpty else { return }
      figures.updateCount += 1
      figures.postCount += shared.listeners.count
      shared.result.add(changes, at: moment.time, moment.commitNumber)
      for listener in shared.listeners { listener.announce() }
    } catch {
      views[number] = shared
      fail(number, DatabaseError(reporting: error))
    }
  }
}

extension FeedStatistics {
  fileprivate mutating func add(_ work: QueryView.Work, since before: QueryView.Work) {
    runCount += work.runCount - before.runCount
    entriesRead += work.entriesRead - before.entriesRead
    documentsRead += work.documentsRead - before.documentsRead
    matchCount += work.matchCount - before.matchCount
    sortKeyCount += work.sortKeyCount - before.sortKeyCount
  }
}
