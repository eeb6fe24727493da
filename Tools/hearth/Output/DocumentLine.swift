import FirestoreJSON
import Hearth

/// How documents are written as JSON, one a line.
struct DocumentLine {
  let database: DatabaseID
  /// Whether as Firestore's REST interface has them, with all types.
  let isTyped: Bool
  /// The fields to write; `nil` for all.
  var fields: FieldList?
  /// Whether the path is told beside the id, as the results of a group's query need.
  var hasPath = false
  /// Whether the times of creation and of the last change are told.
  var hasTimes = false

  /// A line of JSON with its end.
  func line(_ document: DocumentSnapshot) throws(DatabaseError) -> [UInt8] {
    let data = try selected(document)
    var bytes: [UInt8] = []
    if isTyped {
      let name = try DocumentName(document.reference.path, in: database)
      TypedJSON.append(
        DocumentMessage(
          name: name, fields: data, createTime: document.createTime,
          updateTime: document.updateTime),
        to: &bytes)
    } else {
      var json = JSONLine()
      json.append("id", .string(document.id))
      if hasPath { json.append("path", .string(document.reference.path.description)) }
      json.append("fields", .map(data), relativeTo: database)
      if hasTimes {
        if let time = document.createTime { json.append("createTime", .timestamp(time)) }
        if let time = document.updateTime { json.append("updateTime", .timestamp(time)) }
      }
      json.append(to: &bytes)
    }
    bytes.append(.newline)
    return bytes
  }

  private func selected(_ document: DocumentSnapshot) throws(DatabaseError) -> MapValue {
    guard let fields else { return try document.data() ?? MapValue() }
    var selected = MapValue()
    for path in fields.paths {
      if let value = try document.value(path) { selected.set(value, at: path) }
    }
    return selected
  }
}
