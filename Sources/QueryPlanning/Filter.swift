public import DocumentModel

/// A condition on documents (§4.2).
public indirect enum Filter: Sendable, Equatable {
  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    case lessThan = "<"
    case lessThanOrEqual = "<="
    case equal = "=="
    case greaterThanOrEqual = ">="
    case greaterThan = ">"
    case arrayContains = "array-contains"
  }

  public enum UnaryTest: Sendable, Hashable {
    case isNull
    case isNaN
  }

  /// A comparison with null or NaN matches nothing (§2.4); ask for those with `unary`.
  case field(FieldPath, Comparison, Value)
  case unary(FieldPath, UnaryTest)
  /// All of them; none is no condition.
  case and([Filter])
}
