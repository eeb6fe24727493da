public import Hearth

/// Stand-in for a value in the data of a write, which is made into one, or into none, by the
/// write itself (§7.3).
public final class FieldValue: Sendable {
  /// Change that the write makes to the field, or the error in it.
  let change: Result<Hearth.FieldValue, DatabaseError>
  /// Its name in messages.
  let name: String

  private init(
    _ name: String, _ change: () throws(DatabaseError) -> Hearth.FieldValue
  ) {
    self.name = "FieldValue.\(name)()"
    self.change = Result(catching: change)
  }

  /// A sentinel of what a type encodes as.
  convenience init(_ change: Hearth.FieldValue) {
    self.init(change.name) { change }
  }
}

extension Hearth.FieldValue {
  /// Firebase's name of the sentinel, or the one that it would have.
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
  /// Whether both do the same to a field. What can't be done is equal to itself alone.
  public static func == (left: FieldValue, right: FieldValue) -> Bool {
    switch (left.change, right.change) {
    case (.success(let left), .success(let right)): left == right
    default: left === right
    }
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension FieldValue: Encodable {
  /// Tells the write that the type is encoded for.
  ///
  /// - Throws: ``FirestoreEncodingError`` for other encoders than that of documents;
  ///   `EncodingError` for elements that no array can hold, and inside of an array.
  public func encode(to encoder: any Encoder) throws {
    try encoder.requireDocument(for: "FieldValue")
    try encoder.encode(self) { () throws(DatabaseError) in try change.get() }
  }
}

extension FieldValue {
  /// Removes the field: in `updateData`, and in `setData` that merges.
  public static func delete() -> FieldValue { FieldValue("delete") { .delete } }

  /// Sets the field to the time of the commit.
  public static func serverTimestamp() -> FieldValue {
    FieldValue("serverTimestamp") { .serverTimestamp }
  }

  /// Adds to the field's number. What isn't one becomes the operand; integers saturate.
  public static func increment(_ operand: Int) -> FieldValue { increment(Int64(operand)) }

  /// Adds a number to the field's.
  public static func increment(_ operand: Int64) -> FieldValue {
    FieldValue("increment") { .increment(operand) }
  }

  /// Adds a number to the field's.
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

  /// A vector, which is a value like others.
  public static func vector(_ array: [Double]) -> VectorValue { VectorValue(array) }
}
