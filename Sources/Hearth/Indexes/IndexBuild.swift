import DocumentEngine
public import DocumentModel
import EngineUpkeep
public import QueryPlanning

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
  public enum State: Sendable, Hashable {
    /// Documents are being read, or entries written.
    case building
    /// The build is paused until it is resumed, even after the database is opened again.
    case paused
    /// The index is ready for queries.
    case ready
    /// A document can't be indexed; the index is dropped again.
    case failed
    /// The index was dropped before it was ready.
    case cancelled
  }

  /// Kinds of things that are built.
  public enum Subject: Sendable, Hashable {
    /// A composite index.
    case index(IndexDefinition)
    /// A composite index whose entries start or stop carrying their documents.
    case covering(IndexDefinition)
    /// The single-field indexes of a field; `nil` for all fields of the group without an override.
    case fields(collectionGroup: String, field: FieldPath?)
    /// The index by which a time to live finds its documents.
    case timeToLive(collectionGroup: String, field: FieldPath)
  }

  /// Status of a build.
  public struct Status: Sendable {
    /// The index that is built.
    public let subject: Subject
    /// State of the build.
    public let state: State
    /// Reason why the build failed; for an unfinished build, the last obstacle.
    public let error: DatabaseError?
    /// Number of documents whose entries are written.
    public let documentsDone: Int
    /// Approximate number of documents in the collection group; exact if the build has a caller
    /// that receives its progress.
    public let documentsTotal: Int
    /// Fraction of the work that is done, 0...1.
    public let fraction: Double
    /// Number of entries written since the database was opened.
    public let entriesWritten: Int
    /// Rate over about the last ten seconds; `nil` before it is known.
    public let documentsPerSecond: Double?
    /// Estimated number of seconds left at the present rate; `nil` before it is known.
    public let secondsLeft: Double?
    /// Number of seconds without progress, if that is too long; `nil` for a build that progresses
    /// or is paused.
    public let stalledSeconds: Double?

    /// Whether the build has made no progress for half a minute.
    public var isStalled: Bool { stalledSeconds != nil }
    /// Whether the build has ended, so that its status won't change any more.
    public var isFinished: Bool { state != .building && state != .paused }
  }

  /// Identifier of the build. No other build of this open database has the same.
  public let id: Int
  let database: Database

  private var builds: IndexBuilds { database.engine.builds }

  /// Returns the present status of the build.
  ///
  /// - Throws: `notFound` for a build that ended 1,100 or more builds ago.
  public func status() throws(DatabaseError) -> Status {
    Status(try builds.status(of: id))
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
    try builds.wait(for: id, status: { progress(Status($0)) })
  }

  /// Does the same as `wait`, but returns once the build is paused, for a caller that can't wait
  /// until it is resumed.
  ///
  /// - Returns: whether the build is ready, and not paused.
  func waitUnlessPaused(_ progress: (Status) -> Void) throws(DatabaseError) -> Bool {
    try builds.wait(for: id, endsPaused: true, status: { progress(Status($0)) })
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
          tell: { continuation.yield(IndexBuild.Status($0)) }, end: { continuation.finish() })
        let id = builds.watch(number, watcher)
        continuation.onTermination = { _ in builds.unwatch(id) }
      })
  }
}

extension IndexBuild.Status {
  init(_ status: BuildStatus) {
    subject = IndexBuild.Subject(status.subject)
    state = IndexBuild.State(status.state)
    error = status.error
    documentsDone = status.documentsDone
    documentsTotal = status.documentsTotal
    fraction = status.fraction
    entriesWritten = status.entriesWritten
    documentsPerSecond = status.documentsPerSecond
    secondsLeft = status.secondsLeft
    stalledSeconds = status.stalledSeconds
  }
}

extension IndexBuild.Subject {
  init(_ subject: BuildStatus.Subject) {
    switch subject {
    case .index(let definition): self = .index(definition)
    case .covering(let definition): self = .covering(definition)
    case .fields(let group, let field): self = .fields(collectionGroup: group, field: field)
    case .timeToLive(let group, let field):
      self = .timeToLive(collectionGroup: group, field: field)
    }
  }
}

extension IndexBuild.State {
  init(_ state: BuildStatus.State) {
    switch state {
    case .building: self = .building
    case .paused: self = .paused
    case .ready: self = .ready
    case .failed: self = .failed
    case .cancelled: self = .cancelled
    }
  }
}
