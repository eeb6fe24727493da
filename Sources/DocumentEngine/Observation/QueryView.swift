import DocumentModel
import QueryPlanning
import StorageFormat

/// The result of one query that somebody listens to, kept up to date by changes of documents.
///
/// It holds the first matches of the query, without a gap: all of them, or as many as the limit and
/// the offset ask for and a few in reserve. A change tells by itself what it does to these. Only
/// when too few are left behind are the next ones read, from where the last known one stood (§8).
struct QueryView {
  /// What reading the store took.
  struct Work: Sendable {
    var runCount = 0
    var entriesRead = 0
    var documentsRead = 0
    /// Documents that were held against the query.
    var matchCount = 0
    /// Positions that were made for its order.
    var sortKeyCount = 0
  }

  let query: StructuredQuery
  let normalized: NormalizedQuery
  private let matcher: QueryMatcher
  private let sortKey: SortKey

  /// How many matches are held where not all are.
  private struct Extent {
    /// The matches up to here decide what is visible.
    let needed: Int
    /// As many are read, so that a queue whose first document goes again and again does not read
    /// at every event.
    let held: Int

    /// `nil` for all matches: where there is no limit, or none that could ever be reached.
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
  private var matches: [ListedDocument] = []
  /// Whether there are no matches behind those that are held.
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

  /// What the query's result is, in the order of the query.
  var visible: ArraySlice<ListedDocument> {
    matches.dropFirst(query.offset).prefix(query.limit ?? .max)
  }

  /// Runs the query.
  ///
  /// - Returns: how the result differs from what was visible before.
  /// - Complexity: the index entries and documents up to the last visible one.
  mutating func run(in view: ReadView) throws -> [ListedChange] {
    let before = Array(visible)
    matches = []
    try read(upTo: extent?.needed, behind: nil, in: view)
    return Array(visible).changes(since: before)
  }

  // MARK: Changes

  /// Takes in what became of some documents, each of which stands there once; `view` has it all.
  ///
  /// - Returns: what is different in the visible part.
  /// - Complexity: for each change, comparisons logarithmic in the matches that are held, and moves
  ///   linear in them where one comes or goes; linear in the limit where there is one. Reads the
  ///   store only for matches that move up and aren't held; from the start on where that is no
  ///   position (§3.6).
  mutating func apply(_ changes: [NetChange], in view: ReadView) throws -> [ListedChange] {
    guard query.limit != 0 else { return [] }
    let isAllVisible = query.limit == nil && query.offset == 0
    let before = isAllVisible ? [] : Array(visible)
    // Whatever matches up to here is held.
    let edge = isComplete ? nil : matches.last
    var differences: [ListedChange] = []
    for change in changes {
      let old = try change.old.flatMap { try remove($0) }
      let new = try change.new.flatMap { try insert($0, change, upTo: edge) }
      if old != nil || new != nil { differences.append(ListedChange(old: old, new: new)) }
    }
    guard !differences.isEmpty else { return [] }
    if !isComplete, let extent, matches.count < extent.needed {
      // What lies behind the edge may lie before a start that is no position: it all is read again.
      let edge = normalized.startIsPosition ? edge : nil
      if edge == nil { matches = [] }
      try read(upTo: extent.held, behind: edge, in: view)
    }
    if let extent, matches.count > extent.held {
      matches.removeLast(matches.count - extent.held)
      isComplete = false
    }
    return isAllVisible ? differences : Array(visible).changes(since: before)
  }

  private mutating func isMatch(_ document: Document) -> Bool {
    work.matchCount += 1
    return matcher.matches(document) && matcher.isBetweenCursors(document)
  }

  private mutating func position(of document: Document) throws -> [UInt8] {
    work.sortKeyCount += 1
    return try sortKey.bytes(of: document)
  }

  private mutating func remove(_ stored: StoredDocument) throws -> ListedDocument? {
    guard isMatch(stored.document) else { return nil }
    let (index, isThere) = matches.place(of: try position(of: stored.document))
    return isThere ? matches.remove(at: index) : nil
  }

  /// - Parameter edge: behind it, what matches isn't known; `nil` if all is.
  private mutating func insert(
    _ stored: StoredDocument, _ change: NetChange, upTo edge: ListedDocument?
  ) throws -> ListedDocument? {
    guard isMatch(stored.document) else { return nil }
    let key = try position(of: stored.document)
    if let edge, key.byteCompare(edge.sortKey) == .greater { return nil }
    let document = ListedDocument(
      number: stored.number, record: try change.record(in: normalized.database), sortKey: key)
    let (index, isThere) = matches.place(of: key)
    if isThere { matches.remove(at: index) }
    matches.insert(document, at: index)
    return document
  }

  // MARK: Reading

  /// Appends the matches behind `edge` until there are as many as asked for, or no more.
  private mutating func read(
    upTo count: Int?, behind edge: ListedDocument?, in view: ReadView
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
