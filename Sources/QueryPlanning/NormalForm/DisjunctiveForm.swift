import HearthDocumentModel

/// A filter in disjunctive normal form: alternatives, each a list of conditions that all hold
/// (§4.3).
package struct DisjunctiveForm {
  /// The largest number of alternatives in a query (§1.2).
  static let limit = 30
  /// The largest number of conditions for which the alternatives are built. A query with more is
  /// refused, and building them would take long.
  private static let conditionLimit = 1_000

  /// The number of alternatives, including equal ones.
  let count: Int
  /// The number of conditions of all alternatives together.
  let conditionCount: Int
  /// The alternatives, the leftmost choice varying slowest; empty if there are too many.
  package let disjuncts: [[Filter]]

  /// - Parameter filter: a filter that isn't nested too deep.
  package init(_ filter: Filter?) {
    let size = filter?.size ?? FormSize(disjuncts: 1, conditions: 0)
    count = size.disjuncts
    conditionCount = size.conditions
    let isTooLarge =
      count > DisjunctiveForm.limit || conditionCount > DisjunctiveForm.conditionLimit
    disjuncts = isTooLarge ? [] : filter?.disjuncts ?? [[]]
  }
}

/// The size of a filter's disjunctive form. It is computed without the form, because products grow
/// fast.
private struct FormSize {
  var disjuncts: Int
  var conditions: Int

  /// Returns the size of a form that combines each alternative of one with each of the other.
  func product(_ other: FormSize) -> FormSize {
    FormSize(
      disjuncts: disjuncts.saturatedProduct(other.disjuncts),
      conditions: conditions.saturatedProduct(other.disjuncts)
        .saturatedSum(disjuncts.saturatedProduct(other.conditions)))
  }

  func sum(_ other: FormSize) -> FormSize {
    FormSize(
      disjuncts: disjuncts.saturatedSum(other.disjuncts),
      conditions: conditions.saturatedSum(other.conditions))
  }
}

extension Int {
  fileprivate func saturatedProduct(_ other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }

  fileprivate func saturatedSum(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

extension Filter {
  fileprivate var size: FormSize {
    switch self {
    case .field, .unary:
      let count = alternatives.count
      return FormSize(disjuncts: count, conditions: count)
    case .and(let filters):
      return filters.reduce(FormSize(disjuncts: 1, conditions: 0)) { $0.product($1.size) }
    case .or(let filters):
      return filters.reduce(FormSize(disjuncts: 0, conditions: 0)) { $0.sum($1.size) }
    }
  }

  fileprivate var disjuncts: [[Filter]] {
    switch self {
    case .field, .unary: alternatives.map { [$0] }
    case .and(let filters):
      filters.reduce([[]]) { left, filter in
        let right = filter.disjuncts
        return left.flatMap { conditions in right.map { conditions + $0 } }
      }
    case .or(let filters): filters.flatMap(\.disjuncts)
    }
  }
}
