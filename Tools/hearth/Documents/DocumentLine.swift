import HearthFirestoreJSON
import Hearth

/// The options for writing documents as JSON, one per line.
struct DocumentLine {
  let database: DatabaseID
  /// Whether documents have the form of Firestore's REST interface, with all types.
  let isTyped: Bool
  /// The fields to write; `nil` for all.
  var fields: FieldList?
  /// Whether the path follows the id, as the results of a collection group's query need.
  var hasPath = false
  /// Whether the times of creation and of the last change are included.
  var hasTimes = false

  /// Returns a line of JSON with its end.
  func line(_ document: DocumentSnapshot) throws(DatabaseError) -> [UInt8] {
    line(try DocumentMessage(document, in: database))
  }

  /// Returns a line of JSON with its end.
  func line(_ document: DocumentMessage) -> [UInt8] {
    var document = document
    document.fields = selected(document.fields)
    var bytes: [UInt8] = []
    if isTyped {
      TypedJSON.append(document, to: &bytes)
    } else {
      var json: JSONLine = [
        "id": document.id, "path": hasPath ? document.name.path.description : nil,
      ]
      json.append("fields", document.fields, relativeTo: database)
      if hasTimes {
        json.append("createTime", document.createTime)
        json.append("updateTime", document.updateTime)
      }
      json.appendJSON(to: &bytes)
    }
    bytes.append(.newline)
    return bytes
  }

  /// Returns the fields to write.
  func selected(_ data: MapValue) -> MapValue {
    guard let fields else { return data }
    var selected = MapValue()
    for path in fields.paths {
      if let value = data[path] { selected.set(value, at: path) }
    }
    return selected
  }
}

extension DocumentMessage {
  /// The document's id.
  var id: String { name.path.lastSegment ?? "" }
}
