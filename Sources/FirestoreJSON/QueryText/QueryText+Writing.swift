public import HearthDocumentModel
public import HearthQueryPlanning

extension QueryText {
  /// Returns the text that ``parse(_:in:)`` reads as `query`.
  ///
  /// A query that can't be typed is written in the closest form, which ``parse(_:in:)`` may not
  /// read: see ``WhereClause``. A query for the nearest vectors ends with
  /// `nearest 10 to embedding`. A query over the documents of all collections has `*` in place of
  /// their id.
  public static func text(of query: StructuredQuery, in database: DatabaseID) -> String {
    text(of: query, [], .written(in: NameScope(database, of: query)))
  }

  /// Returns the text that ``parse(_:in:)`` reads as `aggregation`, without the aliases of its
  /// figures.
  public static func text(of aggregation: AggregationQuery, in database: DatabaseID) -> String {
    text(
      of: aggregation.query, aggregation.aggregations,
      .written(in: NameScope(database, of: aggregation.query)))
  }

  /// Returns the text of a query, as the other functions write it.
  public static func text(of query: AnyQuery, in database: DatabaseID) -> String {
    switch query {
    case .documents(let query): text(of: query, in: database)
    case .figures(let aggregation): text(of: aggregation, in: database)
    }
  }

  /// Returns the shape of a query: its text with `?` in place of each value, count and document id.
  public static func shape(of query: AnyQuery) -> String {
    switch query {
    case .documents(let query): text(of: query, [], .hidden)
    case .figures(let aggregation): text(of: aggregation.query, aggregation.aggregations, .hidden)
    }
  }

  private static func text(
    of query: StructuredQuery, _ figures: [Aggregation], _ values: ValueForm
  ) -> String {
    var words = [path(of: query, values)]
    if query.allDescendants { words.append("group") }
    if let filter = query.filter {
      let text = WhereClause.text(of: filter, values)
      if !text.isEmpty { words += ["where", text] }
    }
    if !query.orders.isEmpty { words += ["order by", OrderClause.text(of: query.orders)] }
    for (cursor, clause) in query.cursors where !cursor.values.isEmpty {
      words += [clause.rawValue, CursorText.text(of: cursor.values, orders: query.orders, values)]
    }
    if query.offset > 0 { words += ["offset", values.text(of: query.offset)] }
    if let limit = query.limit { words += ["limit", values.text(of: limit)] }
    if let paths = query.projection, !paths.isEmpty {
      words += ["select", paths.map(\.description).joined(separator: ", ")]
    }
    if let nearest = query.nearest {
      words.append("nearest \(values.text(of: nearest.limit)) to \(nearest.field)")
    }
    if !figures.isEmpty {
      words += ["aggregate", figures.map(\.operator.text).joined(separator: ", ")]
    }
    return words.joined(separator: " ")
  }

  private static func path(of query: StructuredQuery, _ values: ValueForm) -> String {
    let segments = query.parent.segments.enumerated().map { index, segment in
      index.isMultiple(of: 2) ? segment : values.text(ofID: segment)
    }
    return (segments + [query.shownID]).joined(separator: "/")
  }
}

extension NameScope {
  /// Creates the scope of a query's own text.
  fileprivate init(_ database: DatabaseID, of query: StructuredQuery) {
    self.init(
      database,
      collection: query.allDescendants ? nil : query.parent.appending(unchecked: query.shownID))
  }
}

extension StructuredQuery {
  /// The id of the queried collections, in the query's text.
  fileprivate var shownID: String { collectionID.isEmpty ? "*" : collectionID }

  /// The cursors of the query, each with its clause.
  fileprivate var cursors: [(Cursor, QueryClause)] {
    var cursors: [(Cursor, QueryClause)] = []
    if let start { cursors.append((start, start.isBefore ? .startAt : .startAfter)) }
    if let end { cursors.append((end, end.isBefore ? .endBefore : .endAt)) }
    return cursors
  }
}

extension Aggregation.Operator {
  fileprivate var text: String {
    switch self {
    case .count: "count"
    case .sum(let field): "sum \(field)"
    case .average(let field): "average \(field)"
    }
  }
}
