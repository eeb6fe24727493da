package import HearthDocumentModel

/// A valid aggregation query (§9.1).
package struct NormalizedAggregation: Sendable, Equatable {
  package struct Figure: Sendable, Equatable {
    package let alias: String
    package let `operator`: Aggregation.Operator
  }

  package let query: NormalizedQuery
  package let figures: [Figure]

  /// - Throws: `invalidArgument` with production's text (§4.8, §9.1).
  package init(
    _ aggregation: AggregationQuery, in database: DatabaseID
  ) throws(DatabaseError) {
    figures = try aggregation.figures()
    query = try NormalizedQuery(aggregation.query, aggregating: figures.fields, in: database)
  }

  /// The number of documents to look at: at most the number that all counts together need; `nil`
  /// for all.
  package var documentLimit: Int? { figures.documentLimit(query.limit) }
}

extension [NormalizedAggregation.Figure] {
  /// The fields whose numbers are added up, without repetition, sorted.
  package var fields: [FieldPath] {
    let fields = compactMap { $0.operator.field }
    return fields.count > 1 ? Set(fields).sorted() : fields
  }

  /// Returns the number of documents to look at for the figures; `nil` for all.
  ///
  /// - Parameter limit: the query's limit.
  package func documentLimit(_ limit: Int?) -> Int? {
    var needed = 0
    for figure in self {
      guard case .count(let upTo?) = figure.operator else { return limit }
      needed = Swift.max(needed, upTo)
    }
    return Swift.min(needed, limit ?? .max)
  }
}

extension AggregationQuery {
  /// Returns the figures to compute.
  ///
  /// - Throws: `invalidArgument` with production's text (§9.1). The query itself is not checked.
  package func figures() throws(DatabaseError) -> [NormalizedAggregation.Figure] {
    try Aggregation.figures(aggregations)
  }
}

extension Aggregation {
  private static let countLimit = 5

  fileprivate static func figures(
    _ aggregations: [Aggregation]
  ) throws(DatabaseError) -> [NormalizedAggregation.Figure] {
    guard !aggregations.isEmpty else { throw .invalidArgument("Aggregations can not be empty.") }
    guard aggregations.count <= countLimit else {
      throw .invalidArgument(
        "The maximum number of aggregations allowed in an aggregation query is \(countLimit). "
          + "Received: \(aggregations.count)")
    }
    var figures: [NormalizedAggregation.Figure] = []
    var unnamedCount = 0
    for aggregation in aggregations {
      try aggregation.operator.validate()
      var alias = aggregation.alias ?? ""
      if alias.isEmpty {
        unnamedCount += 1
        alias = "field_\(unnamedCount)"
      }
      try alias.validateAsProperty("The property.name")
      guard !figures.contains(where: { $0.alias.utf8Equal(alias) }) else {
        throw .invalidArgument("Aggregation aliases contain duplicate alias: \(alias).")
      }
      figures.append(NormalizedAggregation.Figure(alias: alias, operator: aggregation.operator))
    }
    return figures
  }
}

extension Aggregation.Operator {
  /// The field whose numbers are added up; `nil` for a count.
  package var field: FieldPath? {
    switch self {
    case .count: nil
    case .sum(let field), .average(let field): field
    }
  }

  fileprivate func validate() throws(DatabaseError) {
    if case .count(let upTo?) = self, upTo < 0 {
      throw .invalidArgument(
        "The `up_to` value in a COUNT aggregation must be greater than or equal to zero.")
    }
    guard field?.isDocumentID != true else {
      throw .invalidArgument("Aggregations are not supported for the property: __key__")
    }
  }
}
