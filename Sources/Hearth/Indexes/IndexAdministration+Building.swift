import HearthDocumentEngine
public import HearthDocumentModel
import HearthEngineUpkeep
public import HearthQueryPlanning
public import HearthReports

extension IndexAdministration {
  /// Begins to build composite indexes, and returns at once. One scan of the documents builds all
  /// of them. If an index is being built already, the call returns that build, and resumes it if it
  /// was paused.
  ///
  /// ```swift
  /// for build in try database.indexes.begin([newest, byUser]) { try build.wait() }
  /// ```
  ///
  /// If the database runs no background work, a build progresses only while a caller waits for it.
  ///
  /// - Parameters:
  ///   - definitions: the indexes.
  ///   - pace: the pace of all builds from now on, until none is left; `nil` leaves it unchanged.
  /// - Returns: the builds, in the order of the definitions.
  /// - Throws: `alreadyExists` for an index that is ready; `invalidArgument` for a definition that
  ///   is refused (§3.4), or a pace that isn't valid; `resourceExhausted` for too many indexes
  ///   (§1.2). On an error, no build is begun.
  public func begin(
    _ definitions: [IndexDefinition], pace: BuildPace? = nil
  ) throws(DatabaseError) -> [IndexBuild] {
    let builds = database.engine.builds
    try pace?.validate()
    let numbers = try builds.begin(definitions)
    if let pace { try builds.setPace(pace) } else { builds.requestSteps() }
    return numbers.map { IndexBuild(id: $0, database: database) }
  }

  /// Does the same without blocking the calling thread.
  public func begin(
    _ definitions: [IndexDefinition], pace: BuildPace? = nil
  ) async throws(DatabaseError) -> [IndexBuild] {
    try await Blocking.run(.change) { () throws(DatabaseError) in
      try self.begin(definitions, pace: pace)
    }
  }

  /// Creates composite indexes, all in one scan of the documents. Queries can use them when the
  /// call returns.
  ///
  /// - Throws: the errors of `begin`; the error of the first build that failed, after the other
  ///   builds have ended.
  public func createAll(_ definitions: [IndexDefinition]) throws(DatabaseError) {
    try database.observed(.indexBuild) { () throws(DatabaseError) in
      let builds = database.engine.builds
      var failure: DatabaseError?
      for number in try builds.begin(definitions) {
        do throws(DatabaseError) {
          try builds.wait(for: number)
        } catch {
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
    }
  }

  /// Does the same without blocking the calling thread.
  public func createAll(_ definitions: [IndexDefinition]) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.createAll(definitions)
    }
  }

  /// Returns the builds that are running and the latest finished ones, the oldest first.
  public func builds() throws(DatabaseError) -> [IndexBuild] {
    try database.engine.builds.list().map { IndexBuild(id: $0.number, database: database) }
  }

  /// Does the same without blocking the calling thread.
  public func builds() async throws(DatabaseError) -> [IndexBuild] {
    try await Blocking.run { () throws(DatabaseError) in try self.builds() }
  }

  /// Returns the running build of a composite index.
  ///
  /// - Throws: `notFound` if there is none.
  public func build(of definition: IndexDefinition) throws(DatabaseError) -> IndexBuild {
    IndexBuild(id: try database.engine.builds.build(of: definition), database: database)
  }

  /// Does the same without blocking the calling thread.
  public func build(of definition: IndexDefinition) async throws(DatabaseError) -> IndexBuild {
    try await Blocking.run { () throws(DatabaseError) in try self.build(of: definition) }
  }

  /// Pace of the present builds. It is unlimited again once none is left.
  public var pace: BuildPace { database.engine.builds.pace }

  /// Changes the pace of the present builds, at any time.
  ///
  /// - Throws: `invalidArgument` for a rate outside 0.1 to 1e9 documents per second, or a latency
  ///   outside a microsecond to a day.
  public func setPace(_ pace: BuildPace) throws(DatabaseError) {
    try database.engine.builds.setPace(pace)
  }
}
