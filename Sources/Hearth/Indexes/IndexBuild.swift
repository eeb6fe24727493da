import HearthDocumentEngine
public import HearthDocumentModel
import HearthEngineUpkeep
public import HearthReports

/// The build of an index, either running or finished since the database was opened.
///
/// Writers maintain the index from the beginning; queries use it once it is ready. A build that the
/// end of the process interrupts resumes by itself when the database is opened again.
///
/// ```swift
/// let builds = try await database.indexes.begin([newest, byUser])
/// for await status in builds[0].updates {
///   print("\(Int(status.fraction * 100)) %")
/// }
/// ```
public struct IndexBuild: Sendable, Identifiable {
  /// States of a build.
  public typealias State = BuildStatus.State

  /// Kinds of things that are built.
  public typealias Subject = BuildStatus.Subject

  /// Status of a build.
  public typealias Status = BuildStatus

  /// Identifier of the build. No other build of this open database has the same.
  public let id: Int
  let database: Database

  private var builds: IndexBuilds { database.engine.builds }

  /// Returns the present status of the build.
  ///
  /// - Throws: `notFound` for a build that ended 1,100 or more builds ago.
  public func status() throws(DatabaseError) -> Status {
    try builds.status(of: id)
  }

  /// Does the same without blocking the calling thread.
  public func status() async throws(DatabaseError) -> Status {
    try await Blocking.run { () throws(DatabaseError) in try self.status() }
  }

  /// Status of the build now, after each progress, and at the end. A slow reader gets only the
  /// latest one.
  ///
  /// The sequence also ends when the build meets an obstacle, such as a document that can't be
  /// read. The last status then has the `error`, and the build isn't finished. Iterating `updates`
  /// again makes the database try again.
  public var updates: BuildUpdates { BuildUpdates(build: self) }

  /// Blocks until the index is ready, and builds it meanwhile.
  ///
  /// - Parameter progress: receives the status, now and then.
  /// - Throws: the reason why the build failed, with the document's name; `cancelled` if the index
  ///   was dropped; `failedPrecondition` if the database is closed before.
  public func wait(_ progress: (Status) -> Void = { _ in }) throws(DatabaseError) {
    try builds.wait(for: id, status: progress)
  }

  /// Does the same as `wait`, but returns once the build is paused, for a caller that can't wait
  /// until it is resumed.
  ///
  /// - Returns: whether the build is ready, and not paused.
  func waitUnlessPaused(_ progress: (Status) -> Void) throws(DatabaseError) -> Bool {
    try builds.wait(for: id, endsPaused: true, status: progress)
  }

  /// Does the same as `wait` without blocking the calling thread.
  public func wait() async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in try self.wait() }
  }

  /// Pauses the build until it is resumed, even if the database is opened again. Writers still
  /// maintain the entries that exist.
  ///
  /// - Throws: `failedPrecondition` for a build that has ended, or that isn't of a composite index.
  public func pause() throws(DatabaseError) { try builds.pause(id) }

  /// Does the same without blocking the calling thread.
  public func pause() async throws(DatabaseError) {
    try await Blocking.run(.change) { () throws(DatabaseError) in try self.pause() }
  }

  /// Resumes a paused build.
  ///
  /// - Throws: the errors of `pause`.
  public func resume() throws(DatabaseError) { try builds.resume(id) }

  /// Does the same without blocking the calling thread.
  public func resume() async throws(DatabaseError) {
    try await Blocking.run(.change) { () throws(DatabaseError) in try self.resume() }
  }

  /// Drops the index, and deletes the entries built so far.
  ///
  /// - Complexity: the number of its entries.
  /// - Throws: the errors of `pause`.
  public func cancel() throws(DatabaseError) { try builds.cancel(id) }

  /// Does the same without blocking the calling thread.
  public func cancel() async throws(DatabaseError) {
    try await Blocking.run(.ending) { () throws(DatabaseError) in try self.cancel() }
  }
}

/// The statuses of a build, one after the other, up to its end or an obstacle.
public struct BuildUpdates: AsyncSequence, Sendable {
  /// The status of the build.
  public typealias Element = IndexBuild.Status
  /// No error is thrown: the last status has the reason of a failure or the obstacle.
  public typealias Failure = Never

  let build: IndexBuild

  /// The position of one reader of the sequence.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var base: AsyncStream<IndexBuild.Status>.AsyncIterator

    init(_ stream: AsyncStream<IndexBuild.Status>) {
      base = stream.makeAsyncIterator()
    }

    /// Returns the next status that differs; `nil` when the build has ended, or has met an
    /// obstacle, or the database is closed.
    public mutating func next() async -> IndexBuild.Status? { await base.next() }

    /// Does the same for a caller on an actor.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> IndexBuild.Status? {
      await base.next(isolation: actor)
    }
  }

  /// Begins to listen.
  public func makeAsyncIterator() -> AsyncIterator {
    let builds = build.database.engine.builds
    let number = build.id
    return AsyncIterator(
      AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        let watcher = BuildWatcher(
          tell: { continuation.yield($0) }, end: { continuation.finish() })
        let id = builds.watch(number, watcher)
        continuation.onTermination = { _ in builds.unwatch(id) }
      })
  }
}
