public import DocumentModel
public import QueryPlanning
import DocumentEngine
import FirestoreJSON

extension IndexFile {
  /// Reads a `firestore.indexes.json` (§6.3).
  ///
  /// - Throws: `invalidArgument`, which names the place in the file, for what is no index file, and
  ///   for options that only other editions have.
  public init(text: String) throws(DatabaseError) {
    try self.init(json: Array(text.utf8))
  }

  /// The file as the Firebase tool writes it (§6.5), in the order that it has; see `sorted`.
  public var text: String { json + "\n" }
}

extension IndexAdministration {
  /// The indexes as an index file has them, in its order (§6.5), those that are being built too.
  ///
  /// ```swift
  /// let text = try database.indexes.file().text
  /// ```
  ///
  /// What only Hearth knows, such as kept counts, is not in it.
  public func file() throws(DatabaseError) -> IndexFile {
    try database.engine.indexFile()
  }

  /// The same, without blocking the calling thread.
  public func file() async throws(DatabaseError) -> IndexFile {
    try await Blocking.run { () throws(DatabaseError) in try self.file() }
  }

  /// What it takes to give the database the indexes of a file.
  ///
  /// - Parameters:
  ///   - file: what the database is to have.
  ///   - prunes: whether what the file lacks goes; otherwise it is told in the plan's `kept`.
  /// - Throws: `failedPrecondition` if the file's time to live would come beside one of the same
  ///   collection group that stays; `invalidArgument` if the file has two of them itself.
  public func plan(
    for file: IndexFile, prunes: Bool = false
  ) throws(DatabaseError) -> IndexFilePlan {
    try IndexFilePlan(from: try self.file(), to: file, prunes: prunes)
  }

  /// The same, without blocking the calling thread.
  public func plan(
    for file: IndexFile, prunes: Bool = false
  ) async throws(DatabaseError) -> IndexFilePlan {
    try await Blocking.run { () throws(DatabaseError) in try self.plan(for: file, prunes: prunes) }
  }

  /// Takes the steps of a plan, in their order; one scan of the documents builds all new composite
  /// indexes.
  ///
  /// ```swift
  /// let plan = try database.indexes.plan(for: IndexFile(text: text))
  /// try database.indexes.apply(plan)
  /// ```
  ///
  /// Each step holds by itself: if one fails, those before it stay taken, and a plan that is made
  /// then has the others. A second plan for the same file has no steps.
  ///
  /// - Parameters:
  ///   - plan: the steps.
  ///   - waits: whether queries may use the composite indexes of the file when this returns, also
  ///     those that were being built already, or new ones are only begun, as by `begin`. A plan
  ///     that drops something always waits: what is new has to be ready first.
  ///   - progress: is told how far the builds are.
  /// - Complexity: every document of the collection groups of new indexes is read once, and once
  ///   for each field whose indexes change.
  /// - Throws: as `create`, `drop`, `setOverride` and `removeOverride`; `aborted` if a build is
  ///   paused that is waited for.
  public func apply(
    _ plan: IndexFilePlan, waits: Bool = true, progress: (Progress) -> Void = { _ in }
  ) throws(DatabaseError) {
    try database.observed(.indexBuild) { () throws(DatabaseError) in
      try database.engine.apply(plan, waits: waits) { progress(Progress($0)) }
    }
  }

  /// The same, without blocking the calling thread.
  public func apply(
    _ plan: IndexFilePlan, waits: Bool = true,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.apply(plan, waits: waits, progress: progress)
    }
  }

  /// The composite indexes that queries could do without: other indexes serve the same queries,
  /// each by itself or merged.
  ///
  /// It follows from the indexes alone, whatever queries there are.
  public func redundant() throws(DatabaseError) -> [RedundantIndex] {
    try database.engine.readView().catalog.indexes.redundantIndexes()
  }

  /// The same, without blocking the calling thread.
  public func redundant() async throws(DatabaseError) -> [RedundantIndex] {
    try await Blocking.run { () throws(DatabaseError) in try self.redundant() }
  }
}
