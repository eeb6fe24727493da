package import CoreMetrics
import Hearth
package import HearthDocumentModel
import HearthServerCalls

/// The places where a server's databases are: memory, a folder for each in a folder of all, or one
/// folder alone.
package struct DatabasePlaces: Sendable {
  private enum Place: Sendable {
    case memory
    case root(DatabaseRoot)
    case one(path: String, DatabaseID)
  }

  private let place: Place
  private let makesUnknown: Bool
  /// The indexes that each database gets.
  let indexes: SharedIndexes
  /// The options to open a database with, but for its identity.
  private let options: Database.Options

  /// Looks at the place. A folder is made if it is missing; a folder that is a database is opened
  /// once, so that faults are told at the start.
  ///
  /// - Parameter metrics: receives the metrics of all databases; `nil` for none.
  /// - Throws: `failedPrecondition` for a file, or for a database of another project; the errors of
  ///   `Database.open`.
  package init(
    _ served: ServedDatabases, metrics: (any MetricsFactory)? = nil
  ) throws(DatabaseError) {
    makesUnknown = served.makesUnknown
    indexes = try SharedIndexes(served)
    options = DatabasePlaces.options(served, metrics)
    switch served.place {
    case .memory: place = .memory
    case .folder(let path) where DatabaseRoot.isDatabase(path):
      var options = options
      if let project = served.project { options.databaseID = try DatabaseID(project: project) }
      let database = try Database.openPlainly(at: path, options: options)
      place = .one(path: path, try database.id())
      try database.close()
    case .folder(let path): place = .root(try DatabaseRoot(path))
    }
  }

  /// Does the same without blocking the calling thread.
  static func prepared(
    _ served: ServedDatabases, metrics: any MetricsFactory
  ) async throws(DatabaseError) -> DatabasePlaces {
    try await Waiting.run { () throws(DatabaseError) in
      try DatabasePlaces(served, metrics: metrics)
    }
  }

  /// Whether a database that is closed can be opened again.
  var outlastClosing: Bool {
    if case .memory = place { false } else { true }
  }

  /// The only database there is; `nil` where there may be any number.
  package var only: DatabaseID? {
    if case .one(_, let id) = place { id } else { nil }
  }

  /// Returns the number of databases in folders that may be open at once, of `limit` in all.
  func storedCount(upTo limit: Int) -> Int {
    switch place {
    case .memory: 0
    case .one: 1
    case .root: limit
    }
  }

  /// The folder of a database; `nil` in memory, and for an id that has none.
  package func folder(of id: DatabaseID) -> String? {
    switch place {
    case .memory: nil
    case .root(let root): try? root.folder(of: id)
    case .one(let path, let only): only == id ? path : nil
    }
  }

  /// The folder of the database of all accounts; `nil` for memory. No id of a project or database
  /// has its name, and no file of a database.
  package var accountsFolder: String? {
    switch place {
    case .memory: nil
    case .root(let root): root.accountsFolder
    case .one(let path, _): "\(path)/\(DatabaseRoot.accountsName)"
    }
  }

  /// Whether a database is stored.
  func holds(_ id: DatabaseID) -> Bool {
    folder(of: id).map(DatabaseRoot.isDatabase) ?? false
  }

  /// Returns the databases of a project that are stored.
  ///
  /// - Throws: `invalidArgument` for an id that can't name a folder.
  func ids(inProject project: String) throws(DatabaseError) -> [DatabaseID] {
    switch place {
    case .memory: []
    case .root(let root): try root.ids(inProject: project)
    case .one(_, let only): only.project.utf8Equal(project) ? [only] : []
    }
  }

  /// Opens a database, or makes it.
  ///
  /// - Parameters:
  ///   - use: the purpose, which decides whether a database that doesn't exist is made.
  ///   - cacheByteCount: the memory for the caches of a database that is one of many.
  /// - Returns: the database, whether it only stands in for one that doesn't exist, and the error
  ///   for which it lacks indexes of the server's file.
  /// - Throws: `notFound` for a database that doesn't exist and isn't to be made; `invalidArgument`
  ///   for an id that can't name a folder; the errors of `Database.open`.
  func open(
    _ id: DatabaseID, for use: DatabaseUse, cacheByteCount: Int
  ) async throws(DatabaseError) -> (
    database: Database, isStandIn: Bool, indexFailure: DatabaseError?
  ) {
    let path: String
    var options = options
    switch place {
    case .memory:
      guard makesUnknown || use == .creating else { throw .unknownDatabase(id) }
      let database = try inMemory(id)
      return (database, use == .reading, try await applyIndexes(to: database))
    case .one(let only, let known):
      guard known == id else { throw .unknownDatabase(id) }
      path = only
    case .root(let root):
      path = try root.folder(of: id)
      if !DatabaseRoot.isDatabase(path) {
        guard makesUnknown || use == .creating else { throw .unknownDatabase(id) }
        guard use != .reading else {
          let database = try inMemory(id)
          return (database, true, try await applyIndexes(to: database))
        }
        try root.makeFolder(of: id)
      }
      options.shareCaches(cacheByteCount)
    }
    options.databaseID = id
    let database = try await Database.open(at: path, options: options)
    return (database, false, try await applyIndexes(to: database))
  }

  /// Removes the files of a database that is closed.
  ///
  /// - Throws: `unavailable`, with the system's words.
  func remove(_ id: DatabaseID) throws(DatabaseError) {
    switch place {
    case .memory: break
    case .one:
      throw DatabaseError(.failedPrecondition, "The only database of a server can't be removed.")
    case .root(let root): try root.remove(id)
    }
  }

  private static func options(
    _ served: ServedDatabases, _ metrics: (any MetricsFactory)?
  ) -> Database.Options {
    var options = Database.Options()
    options.lockTimeout = served.lockTimeout
    options.locks = served.locks
    options.acceptsToolWrites = served.acceptsToolWrites
    options.startsWarm = served.startsWarm
    // Reads at a time see it.
    options.history = HistoryLimits()
    options.observability.metrics = metrics
    return options
  }

  private func inMemory(_ id: DatabaseID) throws(DatabaseError) -> Database {
    try Database.inMemory(
      databaseID: id, history: options.history, locks: options.locks,
      observability: options.observability)
  }

  /// Gives a database the indexes of the server's file.
  ///
  /// - Returns: the error if it has no room for them. It is served without them.
  private func applyIndexes(
    to database: Database
  ) async throws(DatabaseError) -> DatabaseError? {
    guard let file = indexes.present else { return nil }
    do throws(DatabaseError) {
      let plan = try await database.indexes.plan(for: file)
      guard !plan.steps.isEmpty else { return nil }
      try await database.indexes.apply(plan, waits: database.openReport.isNew)
      return nil
    } catch {
      guard error.code == .resourceExhausted else { throw error }
      return error
    }
  }
}
