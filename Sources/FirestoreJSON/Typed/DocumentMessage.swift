public import HearthDocumentModel

/// A document in the form of messages: with its full name, and without times if it is not written
/// yet.
public struct DocumentMessage: Sendable, Equatable {
  public var name: DocumentName
  public var fields: MapValue
  public var createTime: Timestamp?
  public var updateTime: Timestamp?

  public init(
    name: DocumentName, fields: MapValue, createTime: Timestamp? = nil,
    updateTime: Timestamp? = nil
  ) {
    self.name = name
    self.fields = fields
    self.createTime = createTime
    self.updateTime = updateTime
  }

  /// - Throws: `invalidArgument` if the document's path names no document.
  public init(_ document: Document, in database: DatabaseID) throws(DatabaseError) {
    self.init(
      name: try DocumentName(document.path, in: database), fields: document.fields,
      createTime: document.createTime, updateTime: document.updateTime)
  }
}

extension MessageReader {
  /// Reads the name of a document that a request is about.
  mutating func documentName(_ text: String) -> DocumentName {
    meaning(or: DocumentName(unchecked: .root, in: .default)) { () throws(DatabaseError) in
      try DocumentName(fullName: text, calledInErrors: "Document name")
    }
  }

  private static let documentFields = ["name", "fields", "createTime", "updateTime"]
    .map { MessageField($0) }

  /// Reads a `Document`.
  mutating func document(_ json: JSONValue) throws(DatabaseError) -> DocumentMessage {
    guard case .object = json else {
      throw .invalidArgument(
        "Invalid JSON payload received. Unknown name \"\": Root element must be a message.")
    }
    let type = "type.googleapis.com/google.firestore.v1.Document"
    var name = ""
    var fields = MapValue()
    var (createTime, updateTime): (Timestamp?, Timestamp?)
    for (field, value) in try members(json, of: type, Self.documentFields) {
      try reading(field) { reader throws(DatabaseError) in
        switch field.name {
        case "name": name = try reader.string(value)
        case "fields": fields = try reader.fields(value)
        case "createTime": createTime = try reader.timestamp(value, field: field.name)
        default: updateTime = try reader.timestamp(value, field: field.name)
        }
      }
    }
    return DocumentMessage(
      name: documentName(name), fields: fields, createTime: createTime, updateTime: updateTime)
  }
}
