public import DocumentModel

/// A condition on documents (§4.2).
public indirect enum Filter: Sendable, Equatable {
  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    case lessThan = "<"
    case lessThanOrEqual = "<="
    case equal = "=="
    case notEqual = "!="
    case greaterThanOrEqual = ">="
    case greaterThan = ">"
    case arrayContains = "array-contains"
    /// The operand of this and the next two is an array of values.
    case arrayContainsAny = "array-contains-any"
    case `in` = "in"
    case notIn = "not-in"
  }

  public enum UnaryTest: Sendable, Hashable, CaseIterable {
    case isNull
    case isNaN
    case isNotNull
    case isNotNaN
  }

  /// A comparison with null or NaN equals nothing (§2.4); ask for those with `unary`.
  case field(FieldPath, Comparison, Value)
  case unary(FieldPath, UnaryTest)
  /// All of them; none is no condition.
  case and([Filter])
  /// At least one of them; there must be one.
  case or([Filter])
}
