public import HearthDocumentModel
public import HearthQueryPlanning

/// A whole query on one line, as a person types it:
/// `cities where countryCode == "JP" order by population desc limit 5`.
///
/// The path of a collection is first, up to the first space. `group` after it means all collections
/// of that id. Clauses follow in any order, each at most once:
///
/// | Clause | Example |
/// |---|---|
/// | `where` | `where population > 1000000 && countryCode == "JP"`, see ``WhereClause`` |
/// | `order by` | `order by population desc, name`, see ``OrderClause`` |
/// | `start at`, `start after`, `end at`, `end before` | `start after 1000000`, after `order by` |
/// | `offset`, `limit` | `limit 20` |
/// | `select` | `select name, address.city` |
/// | `aggregate` | `aggregate count, sum population, average area` |
public enum QueryText {
  /// Reads a query, or a query for figures if the text has `aggregate`.
  ///
  /// - Parameter database: the queried database.
  /// - Throws: an error at the first character that can't be read.
  public static func parse(
    _ text: String, in database: DatabaseID
  ) throws(QueryTextError) -> AnyQuery {
    let blanks = text.utf8.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
    let rest = text.utf8.dropFirst(blanks)
    let path = rest.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    guard !path.isEmpty else {
      throw QueryTextError(
        "expected a collection, as in cities where population > 1000000", at: blanks, in: text)
    }
    let source: ResourcePath
    do {
      source = try ResourcePath(String(decoding: path, as: UTF8.self))
    } catch {
      throw QueryTextError(error.message, at: blanks, in: text)
    }
    guard source.isCollection else {
      throw QueryTextError(
        "this is a document: a collection's path has an odd number of parts", at: blanks, in: text)
    }
    var parser = try QueryParser(
      text, from: blanks + path.count, in: NameScope(database, collection: source))
    parser.hasClauses = true
    return try parser.readQuery(of: source)
  }
}

/// A query for documents or one for figures.
public enum AnyQuery: Sendable, Equatable {
  case documents(StructuredQuery)
  case figures(AggregationQuery)
}

/// The clauses of a query, with their keywords.
enum QueryClause: String, CaseIterable {
  case `where`
  case orderBy = "order by"
  case startAt = "start at"
  case startAfter = "start after"
  case endAt = "end at"
  case endBefore = "end before"
  case offset
  case limit
  case select
  case aggregate

  var words: [String] { rawValue.split(separator: " ").map(String.init) }
}

extension QueryParser {
  fileprivate mutating func readQuery(of source: ResourcePath) throws(QueryTextError) -> AnyQuery {
    var query = StructuredQuery(
      collectionID: source.lastSegment ?? "", below: source.parent)
    var aggregations: [Aggregation]?
    if token.isWord("group") {
      query.allDescendants = true
      scope = NameScope(scope.database, collection: nil)
      try advance()
    }
    var seen: Set<QueryClause> = []
    while !token.isEnd {
      let first = token
      let clause = try readClause()
      guard seen.insert(clause).inserted else {
        throw error("\(clause.rawValue) stands there twice", at: first)
      }
      if clause == .aggregate {
        aggregations = try readAggregations()
      } else {
        try read(clause, from: first, into: &query)
      }
    }
    guard let aggregations else { return .documents(query) }
    return .figures(AggregationQuery(query, aggregations))
  }

  private mutating func readClause() throws(QueryTextError) -> QueryClause {
    let first = token
    for clause in QueryClause.allCases where first.isWord(clause.words[0]) {
      guard clause.words.count > 1 else {
        try advance()
        return clause
      }
      var ahead = self
      try ahead.advance()
      guard ahead.token.isWord(clause.words[1]) else { continue }
      try ahead.advance()
      self = ahead
      return clause
    }
    let names = QueryClause.allCases.map(\.rawValue).joined(separator: ", ")
    throw error("expected the end or one of \(names)", at: first)
  }

  private mutating func read(
    _ clause: QueryClause, from first: QueryToken, into query: inout StructuredQuery
  ) throws(QueryTextError) {
    switch clause {
    case .where: query.filter = try readFilter()
    case .orderBy: query.orders = try readOrders()
    case .startAt: query.start = try readCursor(of: query, isBefore: true)
    case .startAfter: query.start = try readCursor(of: query, isBefore: false)
    case .endAt: query.end = try readCursor(of: query, isBefore: false)
    case .endBefore: query.end = try readCursor(of: query, isBefore: true)
    case .offset: query.offset = try readCount()
    case .limit: query.limit = try readCount()
    case .select: query.projection = try readPaths()
    case .aggregate: throw error("expected another clause", at: first)
    }
  }

  private mutating func readCursor(
    of query: StructuredQuery, isBefore: Bool
  ) throws(QueryTextError) -> Cursor {
    Cursor(try readCursorValues(orders: query.orders), isBefore: isBefore)
  }

  private mutating func readCount() throws(QueryTextError) -> Int {
    guard case .number(.integer(let number)) = token.kind, let count = Int32(exactly: number) else {
      throw error("expected a whole number")
    }
    try advance()
    return Int(count)
  }

  private mutating func readPaths() throws(QueryTextError) -> [FieldPath] {
    var paths: [FieldPath] = []
    repeat {
      paths.append(try readFieldPath(example: "select name, address.city"))
    } while try skips(symbol: ",")
    return paths
  }

  private mutating func readAggregations() throws(QueryTextError) -> [Aggregation] {
    let example = "aggregate count, sum population"
    var aggregations: [Aggregation] = []
    repeat {
      if token.isWord("count") {
        try advance()
        aggregations.append(.count())
      } else if token.isWord("sum") {
        try advance()
        aggregations.append(.sum(try readFieldPath(example: example)))
      } else if token.isWord("average") {
        try advance()
        aggregations.append(.average(try readFieldPath(example: example)))
      } else {
        throw error("expected count, sum or average, as in \(example)")
      }
    } while try skips(symbol: ",")
    return aggregations
  }
}
