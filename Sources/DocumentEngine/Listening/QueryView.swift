import HearthDocumentModel
import HearthQueryPlanning
import HearthStorageFormat

/// The result of one listened query, kept up to date by changes of documents.
///
/// It holds the first matches of the query without a gap: all of them, or as many as the limit and
/// the offset need and a few in reserve. A change alone tells its effect on these. Only when too
/// few are left are the next ones read, from the position of the last known one (§8).
struct QueryView {
  /// The work of keeping the result.
  struct Work: Sendable {
    var runCount = 0
    var entriesRead = 0
    var documentsRead = 0
    /// Documents that were matched against the query.
    var matchCount = 0
    /// Positions that were made for its order.
    var sortKeyCount = 0
  }

  let query: StructuredQuery
  let normalized: NormalizedQuery
  private let matcher: QueryMatcher
  private let sortKey: SortKey

  /// The number of matches to hold if not all are held.
  private struct Extent {
    /// The number of first matches that decide the visible result.
    let needed: Int
    /// The number of matches to read, so that a queue whose first document is removed again and
    /// again does not read at every event.
    let held: Int

    /// Returns `nil` to hold all matches, if there is no limit or none that could ever be reached.
    init?(_ query: StructuredQuery) {
      guard let limit = query.limit else { return nil }
      let (needed, isTooMuch) = query.offset.addingReportingOverflow(limit)
      let (held, isFarTooMuch) = needed.addingReportingOverflow(min(limit, 32))
      guard !isTooMuch, !isFarTooMuch else { return nil }
      self.needed = needed
      self.held = held
    }
  }

  private let extent: Extent?
  private var matches = HeldMatches()
  /// Whether there are no matches after the held ones.
  private var isComplete = false
  private(set) var work = Work()

  /// - Throws: `unimplemented` for a query that can't be listened to.
  init(_ listened: ListenedQuery) throws(DatabaseError) {
    query = listened.query
    normalized = listened.normalized
    guard query.nearest == nil else {
      throw DatabaseError(
        .unimplemented, "A query for the nearest vectors can't be listened to: run it again.")
    }
    matcher = QueryMatcher(normalized)
    sortKey = SortKey(normalized)
    extent = Extent(query)
  }

  /// The query's result in the order of the query.
  var visible: ArraySlice<ListedDocument> {
    matches.inOrder.dropFirst(query.offset).prefix(query.limit ?? .max)
  }

  /// Runs the query.
  ///
  /// - Returns: the differences from the result that was visible before.
  /// - Complexity: the index entries and documents up to the last visible one.
  mutating func run(in view: ReadView) throws -> [ListedChange] {
    let before = Array(visible)
    matches.removeAll()
    try read(upTo: extent?.needed, after: nil, in: view)
    return Array(visible).changes(since: before)
  }

  // MARK: Changes

  /// Applies the changes of some documents, each of which appears once. `view` contains all of
  /// them.
  ///
  /// - Returns: the differences in the visible part.
  /// - Complexity: for each change, comparisons logarithmic in the held matches, and moves linear
  ///   in them, if one comes or goes; linear in the limit if there is one. Reads the store only for
  ///   matches that move up and aren't held. Reads from the beginning if the query's start is no
  ///   position (§3.6).
  mutating func apply(_ changes: [NetChange], in view: ReadView) throws -> [ListedChange] {
    guard query.limit != 0 else { return [] }
    let isAllVisible = query.limit == nil && query.offset == 0
    let before = isAllVisible ? [] : Array(visible)
    // All matches up to here are held.
    let edge = isComplete ? nil : matches.last
    var differences: [ListedChange] = []
    for change in changes {
      let old = matches.remove(change.number)
      let new = try change.new.flatMap { try insert($0, upTo: edge) }
      if old != nil || new != nil { differences.append(ListedChange(old: old, new: new)) }
    }
    guard !differences.isEmpty else { return [] }
    if !isComplete, let extent, matches.count < extent.needed {
      // A match after the edge may lie before a start that is no position. Then all are read again.
      let edge = normalized.startIsPosition ? edge : nil
      if edge == nil { matches.removeAll() }
      try read(upTo: extent.held, after: edge, in: view)
    }
    if let extent, matches.count > extent.held {
      matches.trim(to: extent.held)
      isComplete = false
    }
    return isAllVisible ? differences : Array(visible).changes(since: before)
  }

  /// Adds the version that a document has now, if the query finds it.
  ///
  /// - Parameter edge: the last match that is known, unless all are; `nil` if all are known.
  private mutating func insert(
    _ changed: ChangedDocument, upTo edge: ListedDocument?
  ) throws -> ListedDocument? {
    let document = changed.stored.document
    work.matchCount += 1
    guard matcher.matches(document), matcher.isBetweenCursors(document) else { return nil }
    work.sortKeyCount += 1
    let key = try sortKey.bytes(of: document)
    if let edge, key.byteCompare(edge.sortKey) == .greater { return nil }
    let match = ListedDocument(
      number: changed.stored.number, record: changed.record, sortKey: key)
    matches.insert(match)
    return match
  }

  // MARK: Reading

  /// Appends the matches after `edge` until there are `count` of them or no more.
  private mutating func read(
    upTo count: Int?, after edge: ListedDocument?, in view: ReadView
  ) throws {
    var query = query
    query.offset = 0
    query.projection = nil
    query.limit = count.map { $0 - matches.count }
    if let edge {
      query.orders = normalized.orders
      query.start = Cursor(try sortKey.values(of: edge.record), isBefore: false)
    }
    let execution = try view.run(query)
    var foundCount = 0
    while let found = try execution.nextDocument() {
      let record = try found.storedRecord()
      matches.append(
        ListedDocument(
          number: try execution.documentNumber(), record: record,
          sortKey: try sortKey.bytes(of: record)))
      foundCount += 1
      work.sortKeyCount += 1
    }
    isComplete = query.limit.map { foundCount < $0 } ?? true
    add(execution.statistics)
  }

  private mutating func add(_ statistics: ExecutionStatistics) {
    work.runCount += 1
    work.entriesRead += statistics.entriesRead
    work.documentsRead += statistics.documentsRead
  }
}
