/// A condition on a document that must hold for a write to be applied (§7.2).
public enum Precondition: Sendable, Equatable {
  /// The document exists, or doesn't.
  case exists(Bool)
  /// The document exists and was last changed at this time.
  case updateTime(Timestamp)
}

/// One change of one document (§7.1).
public struct Write: Sendable, Equatable {
  /// What happens to the document, before the transforms.
  public enum Operation: Sendable, Equatable {
    /// Without a mask the document becomes `fields`. With one, only the masked paths change: those
    /// that `fields` has are set, the others removed.
    case update(fields: MapValue, mask: [FieldPath]?)
    /// Removes the document, if there is one.
    case delete
    /// Changes nothing: the precondition alone counts.
    case verify
  }

  /// The document's path.
  public let path: ResourcePath
  /// What is done to it.
  public let operation: Operation
  /// What is applied behind an update, in this order; other operations have none.
  public let transforms: [FieldTransform]
  /// What must hold for it to be done.
  public let precondition: Precondition?

  /// A write of any kind; the static functions make the usual ones.
  public init(
    path: ResourcePath, operation: Operation, transforms: [FieldTransform] = [],
    precondition: Precondition? = nil
  ) {
    self.path = path
    self.operation = operation
    self.transforms = transforms
    self.precondition = precondition
  }

  /// Creates or replaces the document.
  public static func set(
    _ path: ResourcePath, _ fields: MapValue, transforms: [FieldTransform] = []
  ) -> Write {
    Write(path: path, operation: .update(fields: fields, mask: nil), transforms: transforms)
  }

  /// Creates the document; `alreadyExists` if there is one.
  public static func create(
    _ path: ResourcePath, _ fields: MapValue, transforms: [FieldTransform] = []
  ) -> Write {
    Write(
      path: path, operation: .update(fields: fields, mask: nil), transforms: transforms,
      precondition: .exists(false))
  }

  /// Creates the document or merges `fields` into it: maps merge, everything else is replaced.
  public static func merge(
    _ path: ResourcePath, _ fields: MapValue, transforms: [FieldTransform] = []
  ) -> Write {
    Write(
      path: path, operation: .update(fields: fields, mask: fields.leafPaths),
      transforms: transforms)
  }

  /// Sets or (`nil`) removes single paths of an existing document; `notFound` if there is none.
  ///
  /// - Throws: `invalidArgument` where one path lies below another.
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

  /// Changes nothing, but refuses its commit if the precondition doesn't hold.
  public static func verify(_ path: ResourcePath, _ precondition: Precondition) -> Write {
    Write(path: path, operation: .verify, precondition: precondition)
  }

  /// Removes a document, if there is one.
  public static func delete(_ path: ResourcePath, _ precondition: Precondition? = nil) -> Write {
    Write(path: path, operation: .delete, precondition: precondition)
  }
}

/// What a write left behind.
public struct WriteResult: Sendable, Equatable {
  /// When the document last changed: earlier than the commit if the write changed nothing (§7.1).
  public let updateTime: Timestamp
  /// What each transform made of its field; null for those of arrays (§7.3).
  public let transformResults: [Value]

  /// What came of a write.
  public init(updateTime: Timestamp, transformResults: [Value] = []) {
    self.updateTime = updateTime
    self.transformResults = transformResults
  }
}

extension [FieldPath] {
  /// - Throws: `invalidArgument` where one path is another, or lies below it (§7.1).
  package func checkDistinct() throws(DatabaseError) {
    let paths = sorted()
    for (shorter, longer) in zip(paths, paths.dropFirst()) where longer.hasPrefix(shorter) {
      throw .invalidArgument("Field \"\(shorter)\" was specified multiple times.")
    }
  }
}

extension MapValue {
  /// The paths of everything that is no map with fields of its own (§7.1, set with merge).
  package var leafPaths: [FieldPath] {
    flatMap { field -> [FieldPath] in
      let path = FieldPath(unchecked: [field.name])
      guard case .map(let inner) = field.value, !inner.isEmpty else { return [path] }
      return inner.leafPaths.map { FieldPath(unchecked: path.names + $0.names) }
    }
  }
}
