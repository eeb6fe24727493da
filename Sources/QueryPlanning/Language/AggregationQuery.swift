public import HearthDocumentModel

/// A query for figures over the results of another query, in place of the results (§9.1).
public struct AggregationQuery: Sendable, Equatable {
  /// The query whose results are counted or added up.
  public var query: StructuredQuery
  /// The figures to compute, one to five.
  public var aggregations: [Aggregation]

  /// Creates a query for figures over the results of `query`.
  public init(_ query: StructuredQuery, _ aggregations: [Aggregation]) {
    self.query = query
    self.aggregations = aggregations
  }
}

/// One figure over the results of a query. If any figure of the query is a sum or an average, every
/// figure covers only documents that have all of the summed and averaged fields.
public struct Aggregation: Sendable, Equatable {
  /// The computation of a figure.
  public enum Operator: Sendable, Equatable {
    /// The number of documents, or `upTo` if there are more.
    case count(upTo: Int?)
    /// The sum of the field's numbers: an integer, or a double if one of them is a double or the
    /// sum is too large.
    case sum(FieldPath)
    /// The average of the field's numbers; null if there are none.
    case average(FieldPath)
  }

  /// The computation.
  public var `operator`: Operator
  /// The name of the figure in the answer; `nil` for `field_1`, `field_2`…
  public var alias: String?

  /// Creates a figure with its name.
  public init(_ operator: Operator, as alias: String? = nil) {
    self.operator = `operator`
    self.alias = alias
  }

  /// Returns a figure for the number of results, or `limit` if there are more.
  public static func count(upTo limit: Int? = nil, as alias: String? = nil) -> Aggregation {
    Aggregation(.count(upTo: limit), as: alias)
  }

  /// Returns a figure for the sum of a field's numbers.
  public static func sum(_ field: FieldPath, as alias: String? = nil) -> Aggregation {
    Aggregation(.sum(field), as: alias)
  }

  /// Returns a figure for the average of a field's numbers; null if there are none.
  public static func average(_ field: FieldPath, as alias: String? = nil) -> Aggregation {
    Aggregation(.average(field), as: alias)
  }
}
