package import DocumentModel

/// Conditions that must all hold at once, gathered by field (§4.3).
///
/// Conditions that exclude each other, or compare with null or NaN, leave their fields in place.
/// The choice of indexes is then the same as for any other values. `matchesNothing` records that no
/// document can match.
package struct Conjunction: Sendable, Equatable {
  package struct Equality: Sendable, Equatable {
    package let field: FieldPath
    package let value: Value
  }

  package struct FieldRanges: Sendable, Equatable {
    package let field: FieldPath
    /// The ranges in order.
    package let ranges: [ValueRange]
  }

  /// E of §5.1: one equality for each field, sorted by field. IS_NULL and IS_NAN are equalities
  /// with null and NaN.
  package private(set) var equalities: [Equality] = []
  /// C of §5.1, with the element that the array must contain.
  package private(set) var contains: Equality?
  /// The values that all inequalities on a field allow. `__name__` is among these fields; an
  /// equality on it is a range of one point.
  package private(set) var ranges: [FieldRanges] = []
  /// Whether no document can meet all conditions.
  package private(set) var matchesNothing = false

  init(_ conditions: [Condition]) {
    for condition in conditions { add(condition) }
    equalities.sort { $0.field < $1.field }
    ranges.sort { $0.field < $1.field }
    for entry in ranges {
      guard let value = value(of: entry.field) else { continue }
      if !entry.ranges.contains(value) { matchesNothing = true }
    }
  }

  /// Returns the value that a field must equal; `nil` if it has no equality.
  package func value(of field: FieldPath) -> Value? {
    equalities.first { $0.field == field }?.value
  }

  package func ranges(of field: FieldPath) -> [ValueRange]? {
    ranges.first { $0.field == field }?.ranges
  }

  private mutating func add(_ condition: Condition) {
    switch condition {
    case .unary(let field, .isNull): addEquality(field, .null)
    case .unary(let field, .isNaN): addEquality(field, .double(.nan))
    case .unary(let field, .isNotNull): addRanges(field, ValueRange.notNull)
    case .unary(let field, .isNotNaN): addRanges(field, ValueRange.notNullOrNaN)
    case .comparison(let field, .notEqual, let value): addOthers(field, than: [value])
    case .comparison(let field, .notIn, .array(let values)): addOthers(field, than: values)
    case .comparison(let field, let comparison, let value):
      if value.equalsNothing { matchesNothing = true }
      addComparison(field, comparison, value)
    }
  }

  private mutating func addComparison(
    _ field: FieldPath, _ comparison: Filter.Comparison, _ value: Value
  ) {
    switch comparison {
    case .equal where field.isDocumentID: addRanges(field, [.point(value)])
    case .equal: addEquality(field, value)
    case .arrayContains: contains = Equality(field: field, value: value)
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      if let range = ValueRange(comparison, value) { addRanges(field, [range]) }
    // Lists were expanded into alternatives before. An operand that is no list was refused.
    case .in, .arrayContainsAny, .notEqual, .notIn: matchesNothing = true
    }
  }

  /// Excludes `values`. A null excludes everything, NaN excludes nothing (§2.4).
  private mutating func addOthers(_ field: FieldPath, than values: [Value]) {
    if values.contains(where: { $0.typeClass == .null }) { matchesNothing = true }
    let excluded = values.filter { !$0.equalsNothing }
    addRanges(
      field,
      field.isDocumentID
        ? ValueRange.others(than: excluded, in: .reference ... .reference)
        : ValueRange.others(than: excluded))
  }

  private mutating func addEquality(_ field: FieldPath, _ value: Value) {
    guard let present = self.value(of: field) else {
      equalities.append(Equality(field: field, value: value))
      return
    }
    if present.compare(value) != .equal { matchesNothing = true }
  }

  private mutating func addRanges(_ field: FieldPath, _ added: [ValueRange]) {
    guard let index = ranges.firstIndex(where: { $0.field == field }) else {
      ranges.append(FieldRanges(field: field, ranges: added))
      return
    }
    let shared = ranges[index].ranges.intersection(added)
    if shared.isEmpty {
      matchesNothing = true
    } else {
      ranges[index] = FieldRanges(field: field, ranges: shared)
    }
  }
}
