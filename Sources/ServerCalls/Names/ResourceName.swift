import HearthDocumentModel

/// The name of a database, or of something in it, as requests write it:
/// `projects/{project}/databases/{database}` and then, perhaps, `/documents/{path}` (§1.1).
struct ResourceName {
  let text: String
  let database: DatabaseID
  /// The path below `documents`; the root for a database.
  let path: ResourcePath

  /// Reads the name of a database.
  ///
  /// - Throws: `invalidArgument`, with the index of the character at fault.
  init(database text: String) throws(DatabaseError) {
    var reader = ResourceNameReader(text, calledInErrors: "Database name")
    database = try reader.database()
    try reader.expectEnd()
    (self.text, path) = (text, .root)
  }

  /// Reads the name of a document.
  ///
  /// - Throws: `invalidArgument`, with the index of the character at fault, or for an id that is
  ///   reserved.
  init(document text: String) throws(DatabaseError) {
    var reader = ResourceNameReader(text, calledInErrors: "Document name")
    database = try reader.database()
    try reader.expectDocuments()
    path = try reader.documentPath()
    self.text = text
  }

  /// Reads the name of a parent of collections: a document, or the root of a database's documents.
  ///
  /// - Throws: like `init(document:)`.
  init(parent text: String) throws(DatabaseError) {
    var reader = ResourceNameReader(text, calledInErrors: "Document parent name")
    database = try reader.database()
    try reader.expectDocuments()
    path = reader.isAtEnd ? .root : try reader.documentPath()
    self.text = text
  }

  /// Returns the name of a document.
  ///
  /// - Throws: `invalidArgument` for the name of something else.
  func documentName() throws(DatabaseError) -> DocumentName {
    try DocumentName(path, in: database)
  }

  /// Returns the path.
  ///
  /// - Throws: `invalidArgument` for a name in another database.
  func path(in requested: DatabaseID) throws(DatabaseError) -> ResourcePath {
    guard database == requested else { throw .otherDatabase(database, than: requested) }
    return path
  }
}

extension DatabaseError {
  /// The error for a request about one database with the name of another one.
  static func otherDatabase(
    _ other: DatabaseID, than requested: DatabaseID
  ) -> DatabaseError {
    DatabaseError(
      .invalidArgument,
      "The request was for database '\(requested)' but was attempting to access database "
        + "'\(other)'")
  }
}

/// Reads a name from its beginning, and knows the index of the character at fault.
private struct ResourceNameReader {
  private let text: String
  private let label: String
  private let segments: [Substring]
  private var position = 0
  /// The index of the next segment's first byte.
  private var index = 0

  init(_ text: String, calledInErrors label: String) {
    self.text = text
    self.label = label
    segments = text.split(separator: "/", omittingEmptySubsequences: false)
  }

  var isAtEnd: Bool { position == segments.count }

  mutating func database() throws(DatabaseError) -> DatabaseID {
    try expect("projects")
    let project = try id(of: "a project")
    try expect("databases")
    return try DatabaseID(project: project, database: try id(of: "a database"))
  }

  mutating func expectDocuments() throws(DatabaseError) { try expect("documents") }

  func expectEnd() throws(DatabaseError) {
    guard isAtEnd else { throw refusal("has more than a database id", at: index - 1) }
  }

  /// Returns the rest, which has to be a document's path.
  mutating func documentPath() throws(DatabaseError) -> ResourcePath {
    guard !isAtEnd else { throw refusal("lacks \"/\"", at: text.utf8.count) }
    let rest = segments[position...]
    for segment in rest {
      guard segment != ".", segment != ".." else {
        throw refusal("contains a resource id \"\(segment)\"", at: index)
      }
      index += segment.utf8.count + 1
    }
    let path = try ResourcePath(segments: rest)
    guard path.isDocument else { throw refusal("lacks \"/\"", at: text.utf8.count) }
    return path
  }

  private mutating func expect(_ word: Substring) throws(DatabaseError) {
    guard try next() == word else { throw refusal("lacks \"\(word)\"", at: start) }
  }

  private mutating func id(of thing: String) throws(DatabaseError) -> String {
    let id = try next()
    guard !id.isEmpty else { throw refusal("lacks \(thing) id", at: start) }
    guard id != ".", id != ".." else {
      throw refusal("contains a resource id \"\(id)\"", at: start)
    }
    return String(id)
  }

  /// The index of the segment that was read last.
  private var start: Int { index - 1 - segments[position - 1].utf8.count }

  private mutating func next() throws(DatabaseError) -> Substring {
    guard !isAtEnd else { throw refusal("lacks \"/\"", at: text.utf8.count) }
    let segment = segments[position]
    position += 1
    index += segment.utf8.count + 1
    return segment
  }

  private func refusal(_ fault: String, at index: Int) -> DatabaseError {
    DatabaseError(.invalidArgument, "\(label) \"\(text)\" \(fault) at index \(index).")
  }
}
