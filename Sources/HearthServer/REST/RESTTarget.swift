import HearthDocumentModel

/// The address of a request on documents: `/v1/projects/P/databases/D/documents/…:verb?parameters`.
struct RESTTarget {
  /// The database's name: `projects/P/databases/D`.
  let database: String
  /// Segments of the path below `documents`, decoded.
  let path: [String]
  /// Text after the last colon of the last segment, if it is a known verb; `nil` for none.
  let verb: String?
  /// Parameters in their order, decoded.
  let parameters: [(name: String, value: String)]

  private static let versions = ["v1", "v1beta1"]
  private static let verbs = [
    "batchGet", "commit", "batchWrite", "beginTransaction", "rollback", "executePipeline",
    "runQuery", "runAggregationQuery", "partitionQuery", "listCollectionIds",
  ]

  /// - Parameter takesVerb: whether the request's method is one that verbs have.
  /// - Returns: `nil` for an address of something else, and for one with broken escapes.
  init?(_ target: String, takesVerb: Bool) {
    guard var address = RESTAddress(target) else { return nil }
    verb = takesVerb ? address.removeVerb(of: RESTTarget.verbs) : nil
    guard let path = address.path, path.count >= 6, RESTTarget.versions.contains(path[0]),
      path[1] == "projects", path[3] == "databases", path[5] == "documents"
    else { return nil }
    database = "projects/\(path[2])/databases/\(path[4])"
    self.path = Array(path.dropFirst(6))
    parameters = address.parameters
  }

  /// The name of what the path names; the root of the documents for an empty path.
  var name: String { name(of: path[...]) }

  /// The name of the parent of the collection that the path names.
  var parent: String { name(of: path.dropLast()) }

  private func name(of path: ArraySlice<String>) -> String {
    (["\(database)/documents"] + path).joined(separator: "/")
  }
}
