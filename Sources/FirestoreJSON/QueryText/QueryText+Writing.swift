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
    text(of: query, in: database, figures: [])
  }

  /// Returns the text that ``parse(_:in:)`` reads as `aggregation`, without the aliases of its
  /// figures.
  public static func text(of aggregation: AggregationQuery, in database: DatabaseID) -> String {
    text(of: aggregation.query, in: database, figures: aggregation.aggregations)
  }

  private static func text(
    of query: StructuredQuery, in database: DatabaseID, figures: [Aggregation]
  ) -> String {
    let id = query.collectionID.isEmpty ? "*" : query.collectionID
    let path = query.parent.isRoot ? id : "\(query.parent)/\(id)"
    let collection = query.allDescendants ? nil : query.parent.appending(unchecked: id)
    let scope = NameScope(database, collection: collection)
    var words = query.allDescendants ? [path, "group"] : [path]
    if let filter = query.filter {
      let text = WhereClause.text(of: filter, in: scope)
      if !text.isEmpty { words += ["where", text] }
    }
    if !query.orders.isEmpty { words += ["order by", OrderClause.text(of: query.orders)] }
    for (cursor, clause) in query.cursors where !cursor.values.isEmpty {
      let values = CursorText.text(of: cursor.values, orders: query.orders, in: scope)
      words += [clause.rawValue, values]
    }
    if query.offset > 0 { words += ["offset", "\(query.offset)"] }
    if let limit = query.limit { words += ["limit", "\(limit)"] }
    if let paths = query.projection, !paths.isEmpty {
      words += ["select", paths.map(\.description).joined(separator: ", ")]
    }
    if let nearest = query.nearest { words.append("nearest \(nearest.limit) to \(nearest.field)") }
    if !figures.isEmpty {
      words += ["aggregate", figures.map(\.operator.text).joined(separator: ", ")]
    }
    return words.joined(separator: " ")
  }
}

extension StructuredQuery {
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
