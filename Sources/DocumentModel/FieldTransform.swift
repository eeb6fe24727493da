/// A change of one field that depends on the value that it has (§7.3).
public struct FieldTransform: Sendable, Equatable {
  public enum Operation: Sendable, Equatable {
    /// The time of the commit.
    case serverTimestamp
    /// Adds a number; what isn't one counts as absent, and becomes the operand.
    case increment(Value)
    case maximum(Value)
    case minimum(Value)
    /// Appends the elements that the array doesn't have yet.
    case arrayUnion([Value])
    /// Removes every element that equals one of these.
    case arrayRemove([Value])
  }

  public let field: FieldPath
  public let operation: Operation

  public init(_ field: FieldPath, _ operation: Operation) {
    self.field = field
    self.operation = operation
  }
}

// MARK: - By the text of a path

extension FieldTransform {
  /// Sets the field to the time of the commit, in whole milliseconds.
  ///
  /// - Throws: `invalidArgument` for a malformed path. So do the others.
  public static func serverTimestamp(_ field: String) throws(DatabaseError) -> FieldTransform {
    FieldTransform(try FieldPath(field), .serverTimestamp)
  }

  /// Adds a number to the field's; what isn't one counts as absent, and becomes the operand.
  public static func increment(
    _ field: String, by operand: Value
  ) throws(DatabaseError) -> FieldTransform {
    FieldTransform(try FieldPath(field), .increment(operand))
  }

  /// Raises the field's number to one that is larger.
  public static func maximum(
    _ field: String, _ operand: Value
  ) throws(DatabaseError) -> FieldTransform {
    FieldTransform(try FieldPath(field), .maximum(operand))
  }

  /// Lowers the field's number to one that is smaller.
  public static func minimum(
    _ field: String, _ operand: Value
  ) throws(DatabaseError) -> FieldTransform {
    FieldTransform(try FieldPath(field), .minimum(operand))
  }

  /// Appends the elements that the field's array doesn't have yet.
  public static func arrayUnion(
    _ field: String, _ elements: [Value]
  ) throws(DatabaseError) -> FieldTransform {
    FieldTransform(try FieldPath(field), .arrayUnion(elements))
  }

  /// Removes every element that equals one of these from the field's array.
  public static func arrayRemove(
    _ field: String, _ elements: [Value]
  ) throws(DatabaseError) -> FieldTransform {
    FieldTransform(try FieldPath(field), .arrayRemove(elements))
  }
}
