/// A change of one field that depends on the value that it has (§7.3).
public struct FieldTransform: Sendable, Equatable {
  /// What happens to the field's value.
  public enum Operation: Sendable, Equatable {
    /// The time of the commit.
    case serverTimestamp
    /// Adds a number; what isn't one counts as absent, and becomes the operand.
    case increment(Value)
    /// Raises a number to one that is larger.
    case maximum(Value)
    /// Lowers a number to one that is smaller.
    case minimum(Value)
    /// Appends the elements that the array doesn't have yet.
    case arrayUnion([Value])
    /// Removes every element that equals one of these.
    case arrayRemove([Value])
  }

  /// The field that is changed.
  public let field: FieldPath
  /// How it is changed.
  public let operation: Operation

  /// A change of one field.
  public init(_ field: FieldPath, _ operation: Operation) {
    self.field = field
    self.operation = operation
  }
}
