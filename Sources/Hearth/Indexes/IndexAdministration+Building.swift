public import DocumentModel
public import QueryPlanning
import DocumentEngine

extension IndexAdministration {
  /// Begins to build composite indexes, and returns at once: one scan of the documents builds all
  /// of them. An index that is being built already is joined, and resumed if it was paused.
  ///
  /// ```swift
  /// for build in try database.indexes.begin([newest, byUser]) { try build.wait() }
  /// ```
  ///
  /// Where the database runs no background work, a build goes on only while somebody waits for it.
  ///
  /// - Parameters:
  ///   - definitions: the indexes.
  ///   - pace: how fast all builds go from now on, until none is left; `nil` leaves it.
  /// - Returns: the builds, in the order of the definitions.
  /// - Throws: `alreadyExists` for one that is ready; `invalidArgument` for a definition that is
  ///   refused (§3.4), or a pace that isn't valid; `resourceExhausted` for too many indexes
  ///   (§1.2). Then none is begun.
  public func begin(
    _ definitions: [IndexDefinition], pace: BuildPace? = nil
  ) throws(DatabaseError) -> [IndexBuild] {
    let builds = database.engine.builds
    try pace?.enginePace.validate()
    let numbers = try builds.begin(definitions)
    if let pace { try builds.setPace(pace.enginePace) } else { builds.requestSteps() }
    return numbers.map { IndexBuild(id: $0, database: database) }
  }

  /// The same, without blocking the calling thread.
  public func begin(
    _ definitions: [IndexDefinition], pace: BuildPace? = nil
  ) async throws(DatabaseError) -> [IndexBuild] {
    try await Blocking.run(.change) { () throws(DatabaseError) in
      try self.begin(definitions, pace: pace)
    }
  }

  /// Creates composite indexes, all in one scan of the documents; queries may use them when this
  /// returns.
  ///
  /// - Throws: as `begin`, and then the first reason why a build failed; the others go on.
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

  /// The same, without blocking the calling thread.
  public func createAll(_ definitions: [IndexDefinition]) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.createAll(definitions)
    }
  }

  /// The builds that are under way and the latest that are at their end, the oldest first.
  public func builds() throws(DatabaseError) -> [IndexBuild] {
    try database.engine.builds.list().map { IndexBuild(id: $0.number, database: database) }
  }

  /// The same, without blocking the calling thread.
  public func builds() async throws(DatabaseError) -> [IndexBuild] {
    try await Blocking.run { () throws(DatabaseError) in try self.builds() }
  }

  /// The build of a composite index that is under way.
  ///
  /// - Throws: `notFound`.
  public func build(of definition: IndexDefinition) throws(DatabaseError) -> IndexBuild {
    IndexBuild(id: try database.engine.builds.build(of: definition), database: database)
  }

  /// The same, without blocking the calling thread.
  public func build(of definition: IndexDefinition) async throws(DatabaseError) -> IndexBuild {
    try await Blocking.run { () throws(DatabaseError) in try self.build(of: definition) }
  }

  /// How fast the present builds go. It is unlimited again once none is left.
  public var pace: BuildPace { BuildPace(database.engine.builds.pace) }

  /// Changes how fast the present builds go, at any time.
  ///
  /// - Throws: `invalidArgument` for a rate that isn't 0.1 to 1e9 documents a second, or a latency
  ///   that isn't a microsecond to a day.
  public func setPace(_ pace: BuildPace) throws(DatabaseError) {
    try database.engine.builds.setPace(pace.enginePace)
  }
}
