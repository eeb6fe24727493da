package import HearthDocumentModel

extension QueryMatcher {
  /// Returns the figures of an aggregation over `documents`, in the order of the request (§9.1).
  ///
  /// Offset and limit apply in the order of the query's index: the query's own orders, followed by
  /// the aggregated fields.
  ///
  /// - Complexity: looks at every document, and sorts those that match.
  /// - Throws: `failedPrecondition` for the cosine with a vector of zeros.
  package static func aggregate(
    _ aggregation: NormalizedAggregation, on documents: [Document]
  ) throws(DatabaseError) -> [Value] {
    let query = aggregation.query
    let matcher = QueryMatcher(query)
    let results =
      query.nearest == nil
      ? matcher.run(on: documents, by: query.mergeOrders)
      : try matcher.nearest(on: documents).map(\.document)
    return aggregation.figures.map { figure in
      switch figure.operator {
      case .count(let limit): .integer(Int64(min(results.count, limit ?? .max)))
      case .sum(let field): ReferenceSum(of: field, in: results).total
      case .average(let field): ReferenceSum(of: field, in: results).average
      }
    }
  }
}

/// The sum of a field's numbers: integers are added exactly, doubles one after another, and both
/// sums at the end.
private struct ReferenceSum {
  private var integers: Int128 = 0
  private var doubles: Double = 0
  private var hasDoubles = false
  private var count = 0

  init(of field: FieldPath, in documents: [Document]) {
    for document in documents {
      switch document[field] {
      case .integer(let value): integers += Int128(value)
      case .double(let value):
        doubles += value
        hasDoubles = true
      default: continue
      }
      count += 1
    }
  }

  private var asDouble: Double { hasDoubles ? doubles + Double(integers) : Double(integers) }

  var total: Value {
    if !hasDoubles, let sum = Int64(exactly: integers) { return .integer(sum) }
    return .double(asDouble)
  }

  var average: Value { count == 0 ? .null : .double(asDouble / Double(count)) }
}
