public import HearthDocumentModel

/// A condition on documents (§4.2).
public indirect enum Filter: Sendable, Equatable {
  /// A comparison of a field with an operand.
  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    /// The field is smaller than the operand, and of its type (§2.5).
    case lessThan = "<"
    /// The field is smaller than the operand or equal to it, and of its type.
    case lessThanOrEqual = "<="
    /// The field equals the operand; numbers are compared by their value.
    case equal = "=="
    /// The field exists, is not null, and doesn't equal the operand.
    case notEqual = "!="
    /// The field is greater than the operand or equal to it, and of its type.
    case greaterThanOrEqual = ">="
    /// The field is greater than the operand, and of its type.
    case greaterThan = ">"
    /// The field is an array with an element that equals the operand.
    case arrayContains = "array-contains"
    /// The field is an array with an element that equals one of the operand's values. The operand
    /// of this case and the next two is an array.
    case arrayContainsAny = "array-contains-any"
    /// The field equals one of the operand's values.
    case `in` = "in"
    /// The field exists, is not null, and equals none of the operand's values.
    case notIn = "not-in"
  }

  /// A test without an operand.
  public enum UnaryTest: Sendable, Hashable, CaseIterable {
    /// The field exists and is null.
    case isNull
    /// The field is a number that is NaN.
    case isNaN
    /// The field exists and is not null.
    case isNotNull
    /// The field exists and is neither null nor NaN.
    case isNotNaN
  }

  /// A comparison of a field with a value. A comparison with null or NaN matches nothing (§2.4);
  /// `unary` tests for these.
  case field(FieldPath, Comparison, Value)
  /// A test of a field without an operand.
  case unary(FieldPath, UnaryTest)
  /// All of the filters hold. An empty list is no condition.
  case and([Filter])
  /// At least one of the filters holds. The list must not be empty.
  case or([Filter])
}
