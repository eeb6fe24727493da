import HearthDocumentEngine
public import HearthDocumentModel
import HearthEngineUpkeep
import HearthFirestoreJSON
public import HearthQueryPlanning
public import HearthReports

extension IndexFile {
  /// Reads a `firestore.indexes.json` (§6.3).
  ///
  /// - Throws: `invalidArgument`, which names the place in the file, for a text that is not an
  ///   index file, and for options that only other editions have.
  public init(text: String) throws(DatabaseError) {
    try self.init(json: Array(text.utf8))
  }

  /// The file as the Firebase tool writes it (§6.5), in its present order; see `sorted`.
  public var text: String { json + "\n" }
}

extension IndexAdministration {
  /// Returns the indexes in the form of an index file, in its order (§6.5), including those that
  /// are being built.
  ///
  /// ```swift
  /// let text = try database.indexes.file().text
  /// ```
  ///
  /// Settings that only Hearth has, such as kept counts, are not in it.
  public func file() throws(DatabaseError) -> IndexFile {
    try database.engine.indexFile()
  }

  /// Does the same without blocking the calling thread.
  public func file() async throws(DatabaseError) -> IndexFile {
    try await Blocking.run { () throws(DatabaseError) in try self.file() }
  }

  /// Returns the steps that give the database the indexes of a file.
  ///
  /// - Parameters:
  ///   - file: the indexes that the database should have.
  ///   - prunes: whether indexes that the file lacks are removed; otherwise the plan lists them in
  ///     its `kept`.
  /// - Throws: `failedPrecondition` if the file's time to live would be added to a collection group
  ///   that keeps another one; `invalidArgument` if the file itself has two of one group.
  public func plan(
    for file: IndexFile, prunes: Bool = false
  ) throws(DatabaseError) -> IndexFilePlan {
    try IndexFilePlan(from: try self.file(), to: file, prunes: prunes)
  }

  /// Does the same without blocking the calling thread.
  public func plan(
    for file: IndexFile, prunes: Bool = false
  ) async throws(DatabaseError) -> IndexFilePlan {
    try await Blocking.run { () throws(DatabaseError) in try self.plan(for: file, prunes: prunes) }
  }

  /// Performs the steps of a plan, in their order. One scan of the documents builds all new
  /// composite indexes.
  ///
  /// ```swift
  /// let plan = try database.indexes.plan(for: IndexFile(text: text))
  /// try database.indexes.apply(plan)
  /// ```
  ///
  /// Each step takes effect by itself. If one fails, the earlier ones remain in effect, and a plan
  /// made after that has the remaining steps. A second plan for the same file has no steps.
  ///
  /// - Parameters:
  ///   - plan: the steps.
  ///   - waits: whether to wait until queries can use the composite indexes of the file, including
  ///     those that were being built already. Otherwise new ones are only begun, as by `begin`. A
  ///     plan that drops something always waits: the new indexes have to be ready first.
  ///   - progress: receives the progress of the builds.
  /// - Complexity: every document of the collection groups of new indexes is read once, and once
  ///   for each field whose indexes change.
  /// - Throws: the errors of `create`, `drop`, `setOverride` and `removeOverride`; `aborted` if a
  ///   build that the call waits for is paused.
  public func apply(
    _ plan: IndexFilePlan, waits: Bool = true, progress: (Progress) -> Void = { _ in }
  ) throws(DatabaseError) {
    try database.observed(.indexBuild) { () throws(DatabaseError) in
      try database.engine.apply(plan, waits: waits, progress: progress)
    }
  }

  /// Does the same without blocking the calling thread.
  public func apply(
    _ plan: IndexFilePlan, waits: Bool = true,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.apply(plan, waits: waits, progress: progress)
    }
  }

  /// Returns the composite indexes that queries can do without: other indexes serve the same
  /// queries, each by itself or merged.
  ///
  /// The result follows from the indexes alone, and holds for all queries.
  public func redundant() throws(DatabaseError) -> [RedundantIndex] {
    try database.engine.readView().catalog.indexes.redundantIndexes()
  }

  /// Does the same without blocking the calling thread.
  public func redundant() async throws(DatabaseError) -> [RedundantIndex] {
    try await Blocking.run { () throws(DatabaseError) in try self.redundant() }
  }
}
