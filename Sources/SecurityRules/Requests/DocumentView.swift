import HearthDocumentModel

/// A document as rules see it: a map of `data`, `id` and `__name__`.
final class DocumentView: MemberSource {
  /// The document's path; `nil` for any document that a query could return.
  private let path: ResourcePath?
  private let database: String
  private let data: RulesMap

  init(_ path: ResourcePath?, in database: String, data: RulesMap) {
    (self.path, self.database, self.data) = (path, database, data)
  }

  func value(of name: String) throws(RulesError) -> RulesValue? {
    switch name {
    case "data": return .map(data)
    case "id": return .string(try known().lastSegment ?? "")
    case "__name__": return .path(RulesPath(try known(), in: database))
    default: return nil
    }
  }

  private func known() throws(RulesError) -> ResourcePath {
    guard let path else { throw .unknown }
    return path
  }

  func entries() throws(RulesError) -> [RulesMap.Entry] {
    let path = try known()
    return [
      ("__name__", .path(RulesPath(path, in: database))), ("data", .map(data)),
      ("id", .string(path.lastSegment ?? "")),
    ]
  }
}
