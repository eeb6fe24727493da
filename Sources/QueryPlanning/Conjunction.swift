package import DocumentModel

/// Conditions that all hold at once, gathered by field (§4.3).
///
/// Conditions that exclude each other, or compare with null or NaN, leave their fields in place, so
/// that the verdict on the indexes is that of any other values; `matchesNothing` says the rest.
package struct Conjunction: Sendable, Equatable {
  package struct Equality: Sendable, Equatable {
    package let field: FieldPath
    package let value: Value
  }

  package struct FieldRange: Sendable, Equatable {
    package let field: FieldPath
    package let range: ValueRange
  }

  /// E of §5.1: one per field, sorted by field. IS_NULL and IS_NAN stand here as values.
  package private(set) var equalities: [Equality] = []
  /// C of §5.1 with the element that the array must contain.
  package private(set) var contains: Equality?
  /// What is left of all ranges on a field; `__name__` is in here, its equality as a point.
  package private(set) var ranges: [FieldRange] = []
  /// Whether no document can meet all conditions.
  package private(set) var matchesNothing = false

  init(_ conditions: [Condition]) {
    for condition in conditions { add(condition) }
    equalities.sort { $0.field < $1.field }
    for entry in ranges {
      guard let value = value(of: entry.field) else { continue }
      if !entry.range.contains(value) { matchesNothing = true }
    }
  }

  /// The value that a field must equal.
  package func value(of field: FieldPath) -> Value? {
    equalities.first { $0.field == field }?.value
  }

  package func range(of field: FieldPath) -> ValueRange? {
    ranges.first { $0.field == field }?.range
  }

  private mutating func add(_ condition: Condition) {
    switch condition {
    case .unary(let field, .isNull): addEquality(field, .null)
    case .unary(let field, .isNaN): addEquality(field, .double(.nan))
    case .comparison(let field, let comparison, let value):
      if value.equalsNothing { matchesNothing = true }
      switch comparison {
      case .equal where field.isDocumentID: addRange(field, .point(value))
      case .equal: addEquality(field, value)
      case .arrayContains: contains = Equality(field: field, value: value)
      case .lessThan: addRange(field, ValueRange(upTo: value, isInclusive: false))
      case .lessThanOrEqual: addRange(field, ValueRange(upTo: value, isInclusive: true))
      case .greaterThan: addRange(field, ValueRange(from: value, isInclusive: false))
      case .greaterThanOrEqual: addRange(field, ValueRange(from: value, isInclusive: true))
      }
    }
  }

  private mutating func addEquality(_ field: FieldPath, _ value: Value) {
    guard let present = self.value(of: field) else {
      equalities.append(Equality(field: field, value: value))
      return
    }
    if present.compare(value) != .equal { matchesNothing = true }
  }

  private mutating func addRange(_ field: FieldPath, _ range: ValueRange) {
    guard let index = ranges.firstIndex(where: { $0.field == field }) else {
      ranges.append(FieldRange(field: field, range: range))
      return
    }
    guard let shared = ranges[index].range.intersection(range) else {
      matchesNothing = true
      return
    }
    ranges[index] = FieldRange(field: field, range: shared)
  }
}
