import HearthDocumentModel

extension MessageType {
  private static let operations = ["update", "delete", "verify", "transform"]
  private static let conditions = ["exists", "updateTime"]

  fileprivate static let write = MessageType(
    "Write", operations + ["updateMask", "updateTransforms", "currentDocument"],
    oneofs: [Oneof(name: "operation", members: operations)])
  fileprivate static let mask = MessageType("DocumentMask", ["fieldPaths"])
  fileprivate static let precondition = MessageType(
    "Precondition", conditions, oneofs: [Oneof(name: "condition_type", members: conditions)])
}

/// The parts of a `Write` while it is read, in any order.
private struct WriteParts {
  enum Target {
    case update(DocumentMessage)
    case delete(DocumentName)
    case verify(DocumentName)
    case transform(DocumentName, [FieldTransform])
  }

  var target: Target?
  var mask: [FieldPath]?
  var transforms: [FieldTransform] = []
  var precondition: Precondition?

  var name: DocumentName? {
    switch target {
    case .update(let document): document.name
    case .delete(let name), .verify(let name), .transform(let name, _): name
    case nil: nil
    }
  }
}

extension MessageReader {
  mutating func writes(
    _ json: JSONValue, in database: DatabaseID?
  ) throws(DatabaseError) -> [Write] {
    try list(json, of: MessageType.write.name) { reader, json throws(DatabaseError) in
      try reader.write(json, in: database)
    }
  }

  /// Reads a `Write` (§7.1).
  private mutating func write(
    _ json: JSONValue, in database: DatabaseID?
  ) throws(DatabaseError) -> Write {
    var parts = WriteParts()
    try message(json, .write) { reader, field, value throws(DatabaseError) in
      switch field {
      case "update": parts.target = .update(try reader.document(value))
      case "delete": parts.target = .delete(reader.documentName(try reader.string(value)))
      case "verify": parts.target = .verify(reader.documentName(try reader.string(value)))
      case "transform": parts.target = try reader.documentTransform(value)
      case "updateMask": parts.mask = try reader.mask(value)
      case "updateTransforms": parts.transforms = try reader.transforms(value)
      default: parts.precondition = try reader.precondition(value)
      }
    }
    return meaning(or: Write.delete(.root)) { () throws(DatabaseError) in
      try parts.write(in: database)
    }
  }

  private mutating func documentTransform(
    _ json: JSONValue
  ) throws(DatabaseError) -> WriteParts.Target {
    var document = ""
    var transforms: [FieldTransform] = []
    try message(json, .documentTransform) { reader, field, value throws(DatabaseError) in
      if field == "document" {
        document = try reader.string(value)
      } else {
        transforms = try reader.transforms(value)
      }
    }
    return .transform(documentName(document), transforms)
  }

  /// Reads a `DocumentMask`: the paths of fields.
  mutating func mask(_ json: JSONValue) throws(DatabaseError) -> [FieldPath] {
    var paths: [FieldPath] = []
    try message(json, .mask) { reader, _, value throws(DatabaseError) in
      paths = try reader.list(value, of: "TYPE_STRING") { reader, json throws(DatabaseError) in
        reader.fieldPath(try reader.string(json))
      }
    }
    return paths
  }

  /// Reads a `Precondition`; `nil` for an empty one (§7.2).
  mutating func precondition(_ json: JSONValue) throws(DatabaseError) -> Precondition? {
    var precondition: Precondition?
    try message(json, .precondition) { reader, field, value throws(DatabaseError) in
      if field == "exists" {
        precondition = .exists(try reader.boolean(value))
      } else {
        precondition = .updateTime(try reader.alignedTimestamp(value, field: field))
      }
    }
    return precondition
  }
}

extension WriteParts {
  /// - Throws: `invalidArgument` if the parts don't belong together.
  func write(in database: DatabaseID?) throws(DatabaseError) -> Write {
    guard let target, let name else { throw .invalidArgument("empty write operation") }
    if let database { try name.validate(in: database) }
    switch target {
    case .update(let document):
      return Write(
        path: name.path, operation: .update(fields: document.fields, mask: mask),
        transforms: transforms, precondition: precondition)
    case .delete:
      try refuseUpdateParts("a delete")
      return Write(path: name.path, operation: .delete, precondition: precondition)
    case .verify:
      try refuseUpdateParts("a verify")
      return Write(path: name.path, operation: .verify, precondition: precondition)
    case .transform(_, let transforms):
      try refuseUpdateParts("a transform")
      guard !transforms.isEmpty else {
        throw .invalidArgument("The list of FieldTransform must not be empty.")
      }
      return Write(
        path: name.path, operation: .update(fields: MapValue(), mask: []), transforms: transforms,
        precondition: precondition)
    }
  }

  private func refuseUpdateParts(_ operation: String) throws(DatabaseError) {
    guard mask == nil else {
      throw .invalidArgument("\(operation) must not specify a document mask.")
    }
    guard transforms.isEmpty else {
      throw .invalidArgument("\(operation) must not specify a update transform.")
    }
  }
}
