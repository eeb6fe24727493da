public import HearthDocumentModel

extension DocumentName {
  /// Reads a full name: `projects/{project}/databases/{database}/documents/{path}` (§1.1).
  ///
  /// - Throws: `invalidArgument` in production's words.
  public init(fullName name: String) throws(DatabaseError) {
    try self.init(fullName: name, calledInErrors: "Document parent name")
  }

  /// Reads the full name of a document that a request is about.
  ///
  /// - Throws: `invalidArgument` in production's words, also for another database's document.
  public init(requested name: String, in database: DatabaseID) throws(DatabaseError) {
    try self.init(fullName: name, calledInErrors: "Document name")
    try validate(in: database)
  }

  /// - Parameter label: the name in production's errors for a name that names a collection.
  init(fullName name: String, calledInErrors label: String) throws(DatabaseError) {
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
    let path = try ResourcePath(segments: segments.dropFirst(5))
    guard path.isDocument else {
      throw .invalidArgument("\(label) \"\(name)\" lacks \"/\" at index \(name.utf8.count).")
    }
    try self.init(path, in: database)
  }

  /// - Throws: `invalidArgument` for another database's document.
  func validate(in database: DatabaseID) throws(DatabaseError) {
    guard self.database == database else {
      throw .invalidArgument(
        "The request was for database '\(database)' but was attempting to access database "
          + "'\(self.database)'")
    }
  }
}
