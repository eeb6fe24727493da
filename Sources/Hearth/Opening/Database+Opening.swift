import HearthAdminSocket
public import HearthDocumentModel

// The one place that knows all parts of a database, and puts them together.
extension Database {
  /// Opens the database in a folder.
  ///
  /// - Throws: `notFound` if there is no database and none is to be created, or if the folder holds
  ///   something else; `unavailable` if another process holds it; `permissionDenied`;
  ///   `resourceExhausted` for a full disk or too few file handles; `unimplemented` if a later
  ///   release wrote it; `dataLoss` if its files are damaged; `failedPrecondition` for another
  ///   identity, or in a process that was forked from one in which a database was opened.
  public static func open(
    at path: String, options: Options = Options()
  ) throws(DatabaseError) -> Database {
    do throws(DatabaseError) {
      return try openPlainly(at: path, options: options)
    } catch {
      throw options.access == .readWrite ? error.advisingToRead(path) : error
    }
  }

  /// Does the same with errors that name no option of ``Options``. For the tool.
  package static func openPlainly(
    at path: String, options: Options
  ) throws(DatabaseError) -> Database {
    let database =
      switch options.access {
      case .readWrite: try openForWriting(path, options)
      case .readOnly: try openForReading(path, options)
      }
    let acceptsWrites = options.acceptsToolWrites
    database.startAdministration { database, request, replies in
      try database.answer(request, replies, acceptsWrites: acceptsWrites)
    }
    return database
  }

  /// Does the same without blocking the calling thread.
  public static func open(
    at path: String, options: Options = Options()
  ) async throws(DatabaseError) -> Database {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try Database.open(at: path, options: options)
    }
  }
}
