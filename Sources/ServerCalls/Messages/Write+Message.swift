import HearthDocumentModel
import HearthProtocols

extension Write {
  /// Reads a `Write` (§7.1).
  ///
  /// - Parameter database: the database of the request.
  /// - Throws: `invalidArgument` in production's words (§6.1). Limits of names and values are not
  ///   checked here, but by the commit.
  init(_ message: V1.Write, in database: DatabaseID) throws(DatabaseError) {
    let mask = message.hasUpdateMask ? try FieldPath.list(message.updateMask.fieldPaths) : nil
    let transforms = try FieldTransform.list(message.updateTransforms)
    let precondition = try Precondition(message.currentDocument)
    func refuseUpdateParts(_ operation: String) throws(DatabaseError) {
      guard mask == nil else {
        throw DatabaseError.invalidArgument("\(operation) must not specify a document mask.")
      }
      guard transforms.isEmpty else {
        throw DatabaseError.invalidArgument("\(operation) must not specify a update transform.")
      }
    }
    switch message.operation {
    case .update(let document):
      let path = try ResourceName(document: document.name).path(in: database)
      self.init(
        path: path, operation: .update(fields: try MapValue(document.fields), mask: mask),
        transforms: transforms, precondition: precondition)
    case .delete(let name):
      let path = try ResourceName(document: name).path(in: database)
      try refuseUpdateParts("a delete")
      self.init(path: path, operation: .delete, precondition: precondition)
    case .verify(let name):
      let path = try ResourceName(document: name).path(in: database)
      try refuseUpdateParts("a verify")
      guard precondition != nil else {
        throw DatabaseError.invalidArgument("a verify must contain a precondition")
      }
      self.init(path: path, operation: .verify, precondition: precondition)
    case .transform(let transform):
      let path = try ResourceName(document: transform.document).path(in: database)
      try refuseUpdateParts("a transform")
      guard !transform.fieldTransforms.isEmpty else {
        throw DatabaseError.invalidArgument("The list of FieldTransform must not be empty.")
      }
      self.init(
        path: path, operation: .update(fields: MapValue(), mask: []),
        transforms: try FieldTransform.list(transform.fieldTransforms),
        precondition: precondition)
    case nil: throw DatabaseError.invalidArgument("empty write operation")
    }
  }

  static func list(
    _ messages: [V1.Write], in database: DatabaseID
  ) throws(DatabaseError) -> [Write] {
    var writes: [Write] = []
    writes.reserveCapacity(messages.count)
    for message in messages { writes.append(try Write(message, in: database)) }
    return writes
  }
}

extension Precondition {
  /// - Returns: `nil` for an empty precondition (§7.2).
  init?(_ message: V1.Precondition) throws(DatabaseError) {
    switch message.conditionType {
    case .exists(let exists): self = .exists(exists)
    case .updateTime(let time): self = .updateTime(try Timestamp(ofVersion: time))
    case nil: return nil
    }
  }
}

extension FieldTransform {
  fileprivate static func list(
    _ messages: [V1.FieldTransform]
  ) throws(DatabaseError) -> [FieldTransform] {
    var transforms: [FieldTransform] = []
    for message in messages {
      transforms.append(FieldTransform(try FieldPath(message.fieldPath), try operation(message)))
    }
    return transforms
  }

  private static func operation(
    _ message: V1.FieldTransform
  ) throws(DatabaseError) -> FieldTransform.Operation {
    switch message.transformType {
    case .setToServerValue(.requestTime): return .serverTimestamp
    case .setToServerValue: throw DatabaseError.invalidArgument("Unknown server value.")
    case .increment(let operand): return .increment(try Value(operand))
    case .maximum(let operand): return .maximum(try Value(operand))
    case .minimum(let operand): return .minimum(try Value(operand))
    case .appendMissingElements(let elements):
      return .arrayUnion(try Value.list(elements.values))
    case .removeAllFromArray(let elements):
      return .arrayRemove(try Value.list(elements.values))
    case nil: throw DatabaseError.invalidArgument("Unknown field transform type.")
    }
  }
}

extension WriteResult {
  /// Returns the result as it is sent. That of a document that is deleted then has no time.
  func message(ofDeletion isDeletion: Bool) -> V1.WriteResult {
    var message = V1.WriteResult()
    if !isDeletion { message.updateTime = updateTime.message }
    message.transformResults = transformResults.map(\.message)
    return message
  }
}

extension [Write] {
  /// Returns the results of the writes, which were applied in their order, as they are sent.
  func messages(of results: [WriteResult]) -> [V1.WriteResult] {
    var isWrittenLater: Set<ResourcePath> = []
    var messages: [V1.WriteResult] = []
    for (write, result) in zip(self, results).reversed() {
      let isDeletion = write.operation == .delete && !isWrittenLater.contains(write.path)
      messages.append(result.message(ofDeletion: isDeletion))
      if write.operation != .delete { isWrittenLater.insert(write.path) }
    }
    return messages.reversed()
  }
}
