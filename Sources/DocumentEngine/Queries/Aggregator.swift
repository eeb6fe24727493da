package import HearthDocumentModel
package import HearthQueryPlanning

/// Computes the figures of an aggregation query from its results, one after another (§9.1).
package struct Aggregator: Sendable {
  private let figures: [NormalizedAggregation.Figure]
  /// The fields that are summed, each once.
  private let fields: [FieldPath]
  /// The totals, one for each of `fields`.
  private var totals: [NumberTotal]
  package private(set) var resultCount = 0

  package init(_ figures: [NormalizedAggregation.Figure]) {
    self.figures = figures
    fields = figures.fields
    totals = fields.map { _ in NumberTotal() }
  }

  /// Adds one result.
  ///
  /// - Parameter number: returns the number that the result has in a field; `nil` for anything
  ///   else.
  package mutating func add<Failure>(
    _ number: (FieldPath) throws(Failure) -> Value?
  ) throws(Failure) {
    resultCount += 1
    for index in totals.indices {
      if let number = try number(fields[index]) { totals[index].add(number) }
    }
  }

  /// Adds results for a count, without any numbers.
  mutating func add(resultCount count: Int) {
    resultCount += count
  }

  /// The figures in the order in which the query names them.
  package var values: [(alias: String, value: Value)] {
    figures.map { ($0.alias, value(of: $0.operator)) }
  }

  private func value(of operator: Aggregation.Operator) -> Value {
    switch `operator` {
    case .count(let upTo): .integer(Int64(min(resultCount, upTo ?? .max)))
    case .sum(let field): total(of: field).sum
    case .average(let field): total(of: field).average
    }
  }

  private func total(of field: FieldPath) -> NumberTotal {
    fields.firstIndex(of: field).map { totals[$0] } ?? NumberTotal()
  }
}
