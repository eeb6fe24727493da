/// A condition on a document that must hold for a write to be applied (§7.2).
public enum Precondition: Sendable, Equatable {
  /// The document exists (`true`) or doesn't (`false`).
  case exists(Bool)
  /// The document exists and was last changed at this time.
  case updateTime(Timestamp)
}

/// One change of one document (§7.1).
public struct Write: Sendable, Equatable {
  /// The change of a document before its transforms.
  public enum Operation: Sendable, Equatable {
    /// Sets fields. Without a mask, the document becomes `fields`. With a mask, only the masked
    /// paths change: those in `fields` are set, the others are removed.
    case update(fields: MapValue, mask: [FieldPath]?)
    /// Removes the document, if there is one.
    case delete
    /// Changes nothing: only the precondition counts.
    case verify
  }

  /// The document's path.
  public let path: ResourcePath
  /// The change of the document.
  public let operation: Operation
  /// The transforms applied after an update, in this order; empty for other operations.
  public let transforms: [FieldTransform]
  /// The condition for the write; `nil` if it has none.
  public let precondition: Precondition?

  /// Creates a write of any kind; the static functions make the usual ones.
  public init(
    path: ResourcePath, operation: Operation, transforms: [FieldTransform] = [],
    precondition: Precondition? = nil
  ) {
    self.path = path
    self.operation = operation
    self.transforms = transforms
    self.precondition = precondition
  }

  /// Returns a write that creates or replaces the document.
  public static func set(
    _ path: ResourcePath, _ fields: MapValue, transforms: [FieldTransform] = []
  ) -> Write {
    Write(path: path, operation: .update(fields: fields, mask: nil), transforms: transforms)
  }

  /// Returns a write that creates the document. It fails with `alreadyExists` if there is one.
  public static func create(
    _ path: ResourcePath, _ fields: MapValue, transforms: [FieldTransform] = []
  ) -> Write {
    Write(
      path: path, operation: .update(fields: fields, mask: nil), transforms: transforms,
      precondition: .exists(false))
  }

  /// Returns a write that creates the document or merges `fields` into it: maps merge, everything
  /// else is replaced.
  public static func merge(
    _ path: ResourcePath, _ fields: MapValue, transforms: [FieldTransform] = []
  ) -> Write {
    Write(
      path: path, operation: .update(fields: fields, mask: fields.leafPaths),
      transforms: transforms)
  }

  /// Returns a write that sets single paths of an existing document, or removes those with `nil`.
  /// It fails with `notFound` if there is no document.
  ///
  /// - Throws: `invalidArgument` if one path is below another.
  public static func update(
    _ path: ResourcePath, _ changes: [(FieldPath, Value?)], transforms: [FieldTransform] = []
  ) throws(DatabaseError) -> Write {
    var fields = MapValue()
    let mask = changes.map { $0.0 }.sorted()
    try mask.checkDistinct()
    for (path, value) in changes { fields.set(value, at: path) }
    return Write(
      path: path, operation: .update(fields: fields, mask: mask), transforms: transforms,
      precondition: .exists(true))
  }

  /// Returns a write that changes nothing, but makes its commit fail if the precondition doesn't
  /// hold.
  public static func verify(_ path: ResourcePath, _ precondition: Precondition) -> Write {
    Write(path: path, operation: .verify, precondition: precondition)
  }

  /// Returns a write that removes the document, if there is one.
  public static func delete(_ path: ResourcePath, _ precondition: Precondition? = nil) -> Write {
    Write(path: path, operation: .delete, precondition: precondition)
  }
}

/// The result of one write.
public struct WriteResult: Sendable, Equatable {
  /// The time of the document's last change. It is earlier than the commit if the write changed
  /// nothing (§7.1).
  public let updateTime: Timestamp
  /// The field's value after each transform; null for the transforms of arrays (§7.3).
  public let transformResults: [Value]

  /// Creates the result of a write.
  public init(updateTime: Timestamp, transformResults: [Value] = []) {
    self.updateTime = updateTime
    self.transformResults = transformResults
  }
}

extension [FieldPath] {
  /// Checks that no path equals another one or is below it.
  ///
  /// - Throws: `invalidArgument` if one does (§7.1).
  package func checkDistinct() throws(DatabaseError) {
    let paths = sorted()
    for (shorter, longer) in zip(paths, paths.dropFirst()) where longer.hasPrefix(shorter) {
      throw .invalidArgument("Field \"\(shorter)\" was specified multiple times.")
    }
  }
}

extension MapValue {
  /// The paths of all values that are no maps with fields of their own (§7.1, set with merge).
  package var leafPaths: [FieldPath] {
    flatMap { field -> [FieldPath] in
      let path = FieldPath(unchecked: [field.name])
      guard case .map(let inner) = field.value, !inner.isEmpty else { return [path] }
      return inner.leafPaths.map { FieldPath(unchecked: path.names + $0.names) }
    }
  }
}
