package import HearthDocumentModel

extension TypedJSON {
  /// Reads a list of `Write`s inside a larger text. Their names may be of any database.
  ///
  /// - Throws: `invalidArgument`.
  package static func writes(_ json: JSONValue) throws(DatabaseError) -> [Write] {
    try MessageReader.read(json, at: "writes") { reader, json throws(DatabaseError) in
      try reader.writes(json, in: nil)
    }
  }

  /// Appends a list of `Write`s on one line, in the form of a `commit` request (§7.1).
  ///
  /// - Parameter database: the database that the documents' names name.
  package static func append(
    _ writes: [Write], in database: DatabaseID, to bytes: inout [UInt8]
  ) {
    bytes.appendArray(writes) { append($1, in: database, to: &$0) }
  }

  private static func append(_ write: Write, in database: DatabaseID, to bytes: inout [UInt8]) {
    let name = DocumentName(unchecked: write.path, in: database)
    bytes.appendMembers { members in
      switch write.operation {
      case .update(let fields, let mask):
        let document = DocumentMessage(name: name, fields: fields)
        members.member("update") { append(document, to: &$0) }
        if let mask {
          members.member("updateMask") { bytes in
            bytes.append("{\"fieldPaths\":")
            bytes.appendArray(mask) { $0.appendJSON($1.description) }
            bytes.append("}")
          }
        }
      case .delete: members.member("delete") { $0.appendJSON(name.description) }
      case .verify: members.member("verify") { $0.appendJSON(name.description) }
      }
      if !write.transforms.isEmpty {
        members.member("updateTransforms") {
          $0.appendArray(write.transforms) { append($1, to: &$0) }
        }
      }
      if let precondition = write.precondition {
        members.member("currentDocument") { append(precondition, to: &$0) }
      }
    }
  }

  private static func append(_ precondition: Precondition, to bytes: inout [UInt8]) {
    switch precondition {
    case .exists(let exists): bytes.append("{\"exists\":\(exists)}")
    case .updateTime(let time): bytes.append("{\"updateTime\":\"\(time.rfc3339)\"}")
    }
  }

  private static func append(_ transform: FieldTransform, to bytes: inout [UInt8]) {
    bytes.appendMembers { members in
      members.member("fieldPath") { $0.appendJSON(transform.field.description) }
      switch transform.operation {
      case .serverTimestamp: members.member("setToServerValue") { $0.append("\"REQUEST_TIME\"") }
      case .increment(let value): members.member("increment") { append(value, to: &$0) }
      case .maximum(let value): members.member("maximum") { append(value, to: &$0) }
      case .minimum(let value): members.member("minimum") { append(value, to: &$0) }
      case .arrayUnion(let values):
        members.member("appendMissingElements") { append(values, to: &$0) }
      case .arrayRemove(let values):
        members.member("removeAllFromArray") { append(values, to: &$0) }
      }
    }
  }

  private static func append(_ values: [Value], to bytes: inout [UInt8]) {
    bytes.append("{\"values\":")
    bytes.appendArray(values) { append($1, to: &$0) }
    bytes.append("}")
  }
}
