public import Hearth

/// A sentinel in the data of a write, in the place of a value. The write itself replaces it by a
/// value, or by none (§7.3).
public final class FieldValue: Sendable {
  /// Change that the write makes to the field, or the error in it.
  let change: Result<Hearth.FieldValue, DatabaseError>
  /// Name of the sentinel in messages.
  let name: String

  private init(
    _ name: String, _ change: () throws(DatabaseError) -> Hearth.FieldValue
  ) {
    self.name = "FieldValue.\(name)()"
    self.change = Result(catching: change)
  }

  /// Creates a sentinel from a change that a type encodes as.
  convenience init(_ change: Hearth.FieldValue) {
    self.init(change.name) { change }
  }
}

extension Hearth.FieldValue {
  /// Firebase's name of the sentinel, or a name in its style.
  fileprivate var name: String {
    switch self {
    case .value, .map: "value"
    case .delete: "delete"
    case .transform(.serverTimestamp): "serverTimestamp"
    case .transform(.increment): "increment"
    case .transform(.maximum): "maximum"
    case .transform(.minimum): "minimum"
    case .transform(.arrayUnion): "arrayUnion"
    case .transform(.arrayRemove): "arrayRemove"
    }
  }
}

extension FieldValue: Hashable {
  /// Whether both make the same change to a field. A sentinel with an error is equal only to
  /// itself.
  public static func == (left: FieldValue, right: FieldValue) -> Bool {
    switch (left.change, right.change) {
    case (.success(let left), .success(let right)): left == right
    default: left === right
    }
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension FieldValue {
  /// Removes the field, in `updateData` or in `setData` with merge.
  public static func delete() -> FieldValue { FieldValue("delete") { .delete } }

  /// Sets the field to the time of the commit.
  public static func serverTimestamp() -> FieldValue {
    FieldValue("serverTimestamp") { .serverTimestamp }
  }

  /// Adds a number to the field's number. A value that isn't a number is replaced by the operand.
  /// Integers saturate.
  public static func increment(_ operand: Int) -> FieldValue { increment(Int64(operand)) }

  /// Adds a number to the field's number.
  public static func increment(_ operand: Int64) -> FieldValue {
    FieldValue("increment") { .increment(operand) }
  }

  /// Adds a number to the field's number.
  public static func increment(_ operand: Double) -> FieldValue {
    FieldValue("increment") { .increment(operand) }
  }

  /// Appends the elements that the field's array doesn't have yet.
  public static func arrayUnion(_ elements: [Any]) -> FieldValue {
    FieldValue("arrayUnion") { () throws(DatabaseError) in
      .arrayUnion(try AnyReader.arguments(elements))
    }
  }

  /// Removes every element that equals one of these from the field's array.
  public static func arrayRemove(_ elements: [Any]) -> FieldValue {
    FieldValue("arrayRemove") { () throws(DatabaseError) in
      .arrayRemove(try AnyReader.arguments(elements))
    }
  }

  /// Returns a vector, which is an ordinary value.
  public static func vector(_ array: [Double]) -> VectorValue { VectorValue(array) }
}
