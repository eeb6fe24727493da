public import DocumentModel

extension DocumentName {
  /// Reads a full name: `projects/{project}/databases/{database}/documents/{path}` (§1.1).
  ///
  /// - Throws: `invalidArgument`, worded as production does.
  public init(fullName name: String) throws(DatabaseError) {
    let segments = name.split(separator: "/", omittingEmptySubsequences: false)
    let index = { (position: Int) in
      segments.prefix(position).reduce(position) { $0 + $1.utf8.count }
    }
    for (position, word) in [(0, "projects"), (2, "databases"), (4, "documents")] {
      guard segments.count > position, String(segments[position]).utf8Equal(word) else {
        throw .invalidArgument(
          "Document name \"\(name)\" lacks \"\(word)\" at index "
            + "\(min(index(position), name.utf8.count)).")
      }
    }
    for (position, segment) in segments.enumerated().dropFirst(5) {
      guard [".", ".."].contains(where: String(segment).utf8Equal) else { continue }
      throw .invalidArgument(
        "Document name \"\(name)\" contains a resource id \"\(segment)\" at index "
          + "\(index(position)).")
    }
    let database = try DatabaseID(project: String(segments[1]), database: String(segments[3]))
    try self.init(try ResourcePath(segments: segments.dropFirst(5)), in: database)
  }
}
