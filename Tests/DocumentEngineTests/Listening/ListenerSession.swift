import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport

/// One database with a feed that is stepped now and then, and listeners that take their events
/// early or late.
struct ListenerSession {
  private var database: LawDatabase
  private let feed: ChangeFeed
  private var listeners: [ObservedListener] = []
  /// Queries whose indexes existed.
  private var queries: [ListenedQuery] = []

  init(seed: UInt64) throws {
    database = try LawDatabase(seed: seed)
    feed = ChangeFeed(database.engine) { _ in }
  }

  private var engine: Engine { database.engine }

  /// Runs some listeners, a few commits between steps, and the end of most listeners.
  mutating func runHistory(_ mix: inout ListenerMix) throws {
    mix.historyCount += 1
    for _ in 0..<database.random.pick([2, 2, 3, 4]) where listeners.count < 6 {
      try startListener(&mix)
    }
    for _ in 0..<Int.random(in: 2...5, using: &database.random) {
      let count = database.random.pick([0, 1, 1, 2, 2, 4])
      for _ in 0..<count { try change(&mix) }
      feed.step()
      try expectMoment()
      mix.add(commitCount: count)
      for index in listeners.indices where !database.random.oneIn(3) {
        try listeners[index].take(&mix)
      }
      listeners.removeAll(where: \.hasEnded)
    }
    for index in listeners.indices {
      try listeners[index].take(&mix)
      if !listeners[index].hasEnded, database.random.oneIn(2) {
        feed.remove(listeners[index].mailbox)
        try listeners[index].takeEnd()
      }
    }
    listeners.removeAll(where: \.hasEnded)
    mix.take(feed.statistics)
  }

  /// Keeps the result of each listener's query at the commit that the feed has reached.
  private mutating func expectMoment() throws {
    let view = try engine.readView()
    for index in listeners.indices { try listeners[index].expectMoment(in: view) }
  }

  // MARK: Listeners

  private mutating func startListener(_ mix: inout ListenerMix) throws {
    let query = queries.isEmpty || database.random.oneIn(3) ? makeQuery() : nil
    let isShared = query == nil && !listeners.isEmpty && database.random.oneIn(2)
    let listened =
      query ?? (isShared ? database.random.pick(listeners).listened : database.random.pick(queries))
    // A listener on a refused query receives the refusal, and no listening is needed for that.
    guard try isServed(listened) || database.random.oneIn(30) else { return }
    if query != nil { queries.append(listened) }
    let mailbox = feed.listen(to: listened.query, isReversed: listened.isReversed) { _ in }
    listeners.append(ObservedListener(listened, mailbox))
    mix.add(listened, isShared: isShared)
  }

  private mutating func makeQuery() -> ListenedQuery {
    let generator = database.generator
    if database.random.oneIn(10) {
      return .document(generator.path(using: &database.random))
    }
    let query = likelyQuery()
    if database.random.oneIn(2), query.limit == nil,
      let last = try? query.limitedToLast(database.random.pick([1, 2, 3, 5])).query,
      (try? NormalizedQuery(last, in: .default)) != nil
    {
      return ListenedQuery(query: last, isReversed: true)
    }
    return ListenedQuery(query: query, isReversed: false)
  }

  /// Returns one of three random queries, preferring one with results.
  private mutating func likelyQuery() -> StructuredQuery {
    let view = try? engine.readView()
    for _ in 0..<2 {
      let query = database.generator.query(using: &database.random)
      let hasResults = try? view?.run(query).nextEntry()
      if hasResults == true || database.random.oneIn(4) { return query }
    }
    return database.generator.query(using: &database.random)
  }

  /// Whether the query is listened to: it runs, or it is one of a few refused ones.
  private mutating func isServed(_ listened: ListenedQuery) throws -> Bool {
    do {
      _ = try engine.readView().plan(listened.query)
      return true
    } catch {
      guard error.missingIndex != nil else { throw error }
      guard database.random.oneIn(3) else { return false }
      return try database.served { view throws(DatabaseError) in try view.plan(listened.query) }
        != nil
    }
  }

  // MARK: Changes

  private mutating func change(_ mix: inout ListenerMix) throws {
    if database.random.oneIn(25) { return try changeIndexes(&mix) }
    var writes: [Write] = []
    for _ in 0..<database.random.pick([1, 1, 1, 2, 3]) {
      let write = try makeWrite()
      if !writes.contains(where: { $0.path == write.path }) { writes.append(write) }
    }
    do {
      _ = try engine.commit(writes)
    } catch {
      // An update of a missing document, or an entry that is too large, changes nothing.
      guard error.code == .notFound || error.code == .invalidArgument else { throw error }
    }
  }

  private mutating func makeWrite() throws -> Write {
    let fields = database.generator.fields(using: &database.random)
    let path = changedPath()
    switch Int.random(in: 0..<10, using: &database.random) {
    case 0, 1: return .delete(path)
    case 2: return .merge(path, fields)
    case 3:
      let amount = Value.integer(Int64.random(in: -2...2, using: &database.random))
      return try .update(
        path, [], transforms: [FieldTransform(FieldPath(unchecked: ["a"]), .increment(amount))])
    case 4:
      let changes = [(FieldPath(unchecked: ["b"]), fields["b"])]
      return try .update(path, changes)
    case 5:
      // Often a write that changes nothing.
      let old = try engine.readView().document(at: path)?.fields()
      return .set(path, old ?? fields)
    default: return .set(path, fields)
    }
  }

  /// Returns a path, mostly of a document that a listener has.
  private mutating func changedPath() -> ResourcePath {
    let random = database.generator.path(using: &database.random)
    guard database.random.oneIn(2),
      let listener = listeners.randomElement(using: &database.random)
    else { return random }
    return listener.paths.randomElement(using: &database.random) ?? random
  }

  /// Drops an index that a listener may need, or creates one.
  private mutating func changeIndexes(_ mix: inout ListenerMix) throws {
    mix.indexChangeCount += 1
    let composites = try engine.readView().catalog.indexes.composites
    if let index = composites.randomElement(using: &database.random), database.random.oneIn(2) {
      return try engine.dropIndex(index.definition)
    }
    guard let listened = queries.randomElement(using: &database.random) else { return }
    _ = try database.served { view throws(DatabaseError) in try view.plan(listened.query) }
  }
}

/// A query with its form as a listener takes it.
struct ListenedQuery {
  let query: StructuredQuery
  let isReversed: Bool

  static func document(_ path: ResourcePath) -> ListenedQuery {
    let name = Value.reference(DocumentName(unchecked: path, in: .default))
    let parent = path.parent
    return ListenedQuery(
      query: StructuredQuery(
        collectionID: parent.lastSegment ?? "", below: parent.parent,
        filter: .field(.documentID, .equal, name)), isReversed: false)
  }
}
