import HearthDocumentModel
package import HearthQueryPlanning

// Queries that differ only in their values, as those of an application do.
extension QueryGenerator {
  /// Returns a query that differs from another one in its values, its limits, or its parent. It may
  /// be invalid.
  package func sibling(
    of query: StructuredQuery, using random: inout some RandomNumberGenerator
  ) -> StructuredQuery {
    var sibling = query
    sibling.filter = query.filter.map { otherOperands($0, using: &random) }
    if random.oneIn(3) {
      addWindow(to: &sibling, using: &random)
      sibling.orders = query.orders
    }
    if random.oneIn(20) { sibling.limit = random.pick([-1, 0]) }
    if random.oneIn(20) { sibling.offset = random.pick([-1, 1]) }
    if random.oneIn(5) { sibling.parent = self.query(using: &random).parent }
    if random.oneIn(5) { sibling.projection = [.documentID] }
    return sibling
  }

  private func otherOperands(
    _ filter: Filter, using random: inout some RandomNumberGenerator
  ) -> Filter {
    switch filter {
    case .field(let field, let comparison, _) where field.isDocumentID && !comparison.takesList:
      .field(field, comparison, name(using: &random))
    case .field(let field, let comparison, _) where !comparison.takesList:
      .field(field, comparison, operandOfAnyKind(using: &random))
    case .and(let filters): .and(filters.map { otherOperands($0, using: &random) })
    case .or(let filters): .or(filters.map { otherOperands($0, using: &random) })
    case .field, .unary: filter
    }
  }

  private func operandOfAnyKind(using random: inout some RandomNumberGenerator) -> Value {
    switch Int.random(in: 0..<30, using: &random) {
    case 0: .array([.map(["deep": nested(25)])])
    case 1...15: value(using: &random)
    default: common(using: &random)
    }
  }

  private func nested(_ depth: Int) -> Value {
    (0..<depth).reduce(.null) { value, _ in .map(["in": value]) }
  }
}
