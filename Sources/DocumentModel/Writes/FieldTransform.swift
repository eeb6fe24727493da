/// A change of one field that depends on the field's present value (§7.3).
public struct FieldTransform: Sendable, Equatable {
  /// A kind of change, with its operand.
  public enum Operation: Sendable, Equatable {
    /// Sets the time of the commit.
    case serverTimestamp
    /// Adds a number. A value that is no number counts as absent, and becomes the operand.
    case increment(Value)
    /// Raises a number to the operand if that is larger.
    case maximum(Value)
    /// Lowers a number to the operand if that is smaller.
    case minimum(Value)
    /// Appends the operands that the array doesn't have yet.
    case arrayUnion([Value])
    /// Removes every element that equals one of the operands.
    case arrayRemove([Value])
  }

  /// The field that is changed.
  public let field: FieldPath
  /// The change of its value.
  public let operation: Operation

  /// Creates a change of one field.
  public init(_ field: FieldPath, _ operation: Operation) {
    self.field = field
    self.operation = operation
  }
}
