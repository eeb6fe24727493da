/// The database that names are relative to: a project and a database id.
public struct DatabaseID: Sendable, Hashable, CustomStringConvertible {
  /// The project's id, such as `demo-project`.
  public let project: String
  /// The id of the database in its project, usually `(default)`.
  public let database: String

  /// The identity of a database that was created without one: `demo-project` and `(default)`.
  public static let `default` = DatabaseID(unchecked: "demo-project", "(default)")

  private init(unchecked project: String, _ database: String) {
    self.project = project
    self.database = database
  }

  /// - Throws: `invalidArgument` for an id that is empty or contains a slash.
  public init(project: String, database: String = "(default)") throws(DatabaseError) {
    for id in [project, database] where id.isEmpty || id.utf8.contains(UInt8(ascii: "/")) {
      throw .invalidArgument("\"\(id)\" is no project or database id.")
    }
    self.init(unchecked: project, database)
  }

  /// `projects/{project}/databases/{database}`
  public var description: String { "projects/\(project)/databases/\(database)" }

  public static func == (left: DatabaseID, right: DatabaseID) -> Bool {
    left.project.utf8Equal(right.project) && left.database.utf8Equal(right.database)
  }

  public func hash(into hasher: inout Hasher) {
    project.utf8Hash(into: &hasher)
    database.utf8Hash(into: &hasher)
  }

  /// Orders references to different databases: by project, then by database.
  public func compare(_ other: DatabaseID) -> Ordering {
    let order = project.utf8Compare(other.project)
    return order != .equal ? order : database.utf8Compare(other.database)
  }
}

/// The full name of a document, which is the content of a reference value (§1.1).
public struct DocumentName: Sendable, Hashable, CustomStringConvertible {
  /// The database that the document is in.
  public let database: DatabaseID
  /// The document's path in that database.
  public let path: ResourcePath

  /// - Throws: `invalidArgument` if `path` names no document.
  public init(_ path: ResourcePath, in database: DatabaseID = .default) throws(DatabaseError) {
    guard path.isDocument else {
      let name = "\(database)/documents/\(path)"
      throw .invalidArgument(
        "Document parent name \"\(name)\" lacks \"/\" at index \(name.utf8.count).")
    }
    self.init(unchecked: path, in: database)
  }

  package init(unchecked path: ResourcePath, in database: DatabaseID) {
    self.database = database
    self.path = path
  }

  /// `projects/{project}/databases/{database}/documents/{path}`
  public var description: String { "\(database)/documents/\(path)" }

  /// Compares segment by segment over the whole name (§2.3).
  public func compare(_ other: DocumentName) -> Ordering {
    let order = database.compare(other.database)
    return order != .equal ? order : path.compare(other.path)
  }
}
