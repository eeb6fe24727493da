import Hearth
import HearthDocumentModel
import HearthProtocols

/// The fields of a document that an answer shows: the paths of a `DocumentMask`.
struct FieldMask {
  let paths: [FieldPath]

  /// - Returns: `nil` if the answer shows the whole document.
  /// - Throws: `invalidArgument` for a malformed path.
  init?(_ message: V1.DocumentMask?) throws(DatabaseError) {
    guard let message else { return nil }
    paths = try FieldPath.list(message.fieldPaths)
  }

  private init(_ paths: [FieldPath]) {
    self.paths = paths
  }

  /// Returns the mask of the fields that both masks show.
  func intersection(_ other: FieldMask) -> FieldMask {
    FieldMask(
      paths.flatMap { path in
        other.paths.compactMap { other in
          path.hasPrefix(other) ? path : other.hasPrefix(path) ? other : nil
        }
      })
  }

  func applied(to fields: MapValue) -> MapValue {
    var shown = MapValue()
    for path in paths {
      if let value = fields[path] { shown.set(value, at: path) }
    }
    return shown
  }
}

extension FieldPath {
  static func list(_ texts: [String]) throws(DatabaseError) -> [FieldPath] {
    var paths: [FieldPath] = []
    for text in texts { paths.append(try FieldPath(text)) }
    return paths
  }
}

extension DocumentSnapshot {
  /// Returns the document as it is sent.
  ///
  /// - Throws: `dataLoss` for stored bytes that are damaged.
  func message(
    in database: DatabaseID, _ mask: FieldMask? = nil
  ) throws(DatabaseError) -> V1.Document {
    var message = V1.Document()
    message.name = database.documentText(reference.path)
    guard let fields = try data() else { return message }
    message.fields = (mask?.applied(to: fields) ?? fields).messages
    if let createTime { message.createTime = createTime.message }
    if let updateTime { message.updateTime = updateTime.message }
    return message
  }
}

extension DatabaseID {
  /// Returns the full name of the document, or the parent, at `path`.
  func documentText(_ path: ResourcePath) -> String {
    path.segments.isEmpty ? "\(self)/documents" : "\(self)/documents/\(path)"
  }
}
