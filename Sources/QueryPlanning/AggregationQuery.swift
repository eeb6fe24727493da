public import DocumentModel

/// Figures over the results of a query, in place of the results (§9.1).
public struct AggregationQuery: Sendable, Equatable {
  /// Whose results are looked at.
  public var query: StructuredQuery
  /// One to five.
  public var aggregations: [Aggregation]

  /// Figures over a query.
  public init(_ query: StructuredQuery, _ aggregations: [Aggregation]) {
    self.query = query
    self.aggregations = aggregations
  }
}

/// One figure. With a sum or an average in the query, only documents that have all of their fields
/// are looked at, for every figure.
public struct Aggregation: Sendable, Equatable {
  /// How a figure is computed.
  public enum Operator: Sendable, Equatable {
    /// The number of documents, or `upTo` if there are more.
    case count(upTo: Int?)
    /// Of the field's numbers; an integer unless one of them is a double, or it is too large.
    case sum(FieldPath)
    /// Of the field's numbers; null where there are none.
    case average(FieldPath)
  }

  /// How it is computed.
  public var `operator`: Operator
  /// What the answer calls it; `field_1`, `field_2`… where there is none.
  public var alias: String?

  /// A figure with its name.
  public init(_ operator: Operator, as alias: String? = nil) {
    self.operator = `operator`
    self.alias = alias
  }

  /// The number of results, or `limit` if there are more.
  public static func count(upTo limit: Int? = nil, as alias: String? = nil) -> Aggregation {
    Aggregation(.count(upTo: limit), as: alias)
  }

  /// The sum of a field's numbers.
  public static func sum(_ field: FieldPath, as alias: String? = nil) -> Aggregation {
    Aggregation(.sum(field), as: alias)
  }

  /// The average of a field's numbers; null without any.
  public static func average(_ field: FieldPath, as alias: String? = nil) -> Aggregation {
    Aggregation(.average(field), as: alias)
  }
}

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

  /// How many documents are looked at: no more than all counts together need.
  package var documentLimit: Int? { figures.documentLimit(query.limit) }
}

extension [NormalizedAggregation.Figure] {
  /// The fields whose numbers are added up, each once, sorted.
  package var fields: [FieldPath] {
    let fields = compactMap { $0.operator.field }
    return fields.count > 1 ? Set(fields).sorted() : fields
  }

  /// How many documents are looked at for the figures.
  ///
  /// - Parameter limit: the query's.
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
  /// What is computed.
  ///
  /// - Throws: `invalidArgument` with production's text (§9.1). The query is not looked at.
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
  /// The field whose numbers are added up.
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
