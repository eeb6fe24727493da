public import DocumentModel

/// A condition on documents (§4.2).
public indirect enum Filter: Sendable, Equatable {
  /// How a field is compared with an operand.
  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    /// Smaller, and of the operand's type (§2.5).
    case lessThan = "<"
    /// Smaller or equal, and of the operand's type.
    case lessThanOrEqual = "<="
    /// Equal, numbers by their value.
    case equal = "=="
    /// There, not null, and not equal.
    case notEqual = "!="
    /// Greater or equal, and of the operand's type.
    case greaterThanOrEqual = ">="
    /// Greater, and of the operand's type.
    case greaterThan = ">"
    /// An array with an element that equals the operand.
    case arrayContains = "array-contains"
    /// The operand of this and the next two is an array of values.
    case arrayContainsAny = "array-contains-any"
    /// Equal to one of the operand's values.
    case `in` = "in"
    /// There, not null, and equal to none of the operand's values.
    case notIn = "not-in"
  }

  /// A test without an operand.
  public enum UnaryTest: Sendable, Hashable, CaseIterable {
    /// There, and null.
    case isNull
    /// A number that is NaN.
    case isNaN
    /// There, and not null.
    case isNotNull
    /// There, neither null nor NaN.
    case isNotNaN
  }

  /// A comparison with null or NaN equals nothing (§2.4); ask for those with `unary`.
  case field(FieldPath, Comparison, Value)
  /// A test of what a field is.
  case unary(FieldPath, UnaryTest)
  /// All of them; none is no condition.
  case and([Filter])
  /// At least one of them; there must be one.
  case or([Filter])
}
