public import DocumentModel
public import QueryPlanning
import DocumentEngine

/// An index that is being built, or was since the database was opened.
///
/// Writers maintain it from the beginning; queries use it once it is ready. A build that the end of
/// the process breaks off goes on by itself when the database is opened again.
///
/// ```swift
/// let builds = try await database.indexes.begin([newest, byUser])
/// for await status in builds[0].updates {
///   print("\(Int(status.fraction * 100)) %")
/// }
/// ```
public struct IndexBuild: Sendable, Identifiable {
  /// What a build is doing, or came to.
  public enum State: Sendable, Hashable {
    /// Documents are read, or entries written.
    case building
    /// It goes on when somebody resumes it, also after the database was opened again.
    case paused
    /// Queries use the index.
    case ready
    /// A document can't be indexed: the index is dropped again.
    case failed
    /// The index was dropped before it was ready.
    case cancelled
  }

  /// What is built.
  public enum Subject: Sendable, Hashable {
    /// A composite index.
    case index(IndexDefinition)
    /// A composite index whose entries are to carry their documents, or no longer.
    case covering(IndexDefinition)
    /// The single-field indexes of a field, `nil` for all of the group without their own.
    case fields(collectionGroup: String, field: FieldPath?)
    /// The index that a time to live finds its documents by.
    case timeToLive(collectionGroup: String, field: FieldPath)
  }

  /// How far a build is.
  public struct Status: Sendable {
    /// What is built.
    public let subject: Subject
    /// What it is doing.
    public let state: State
    /// Why it failed; of one that goes on, what was in its way last.
    public let error: DatabaseError?
    /// Documents whose entries are written.
    public let documentsDone: Int
    /// About all documents of the collection group; exact for a build whose caller is told its
    /// progress.
    public let documentsTotal: Int
    /// The part that is done, 0...1.
    public let fraction: Double
    /// Entries that were written since the database was opened.
    public let entriesWritten: Int
    /// Over the last ten seconds or so; `nil` before anything is known.
    public let documentsPerSecond: Double?
    /// At the present rate.
    public let secondsLeft: Double?
    /// For how many seconds nothing has moved, where that is too long; `nil` for a build that moves
    /// or is paused.
    public let stalledSeconds: Double?

    /// Whether nothing has moved for half a minute.
    public var isStalled: Bool { stalledSeconds != nil }
    /// Whether it will not change any more.
    public var isFinished: Bool { state != .building && state != .paused }
  }

  /// No two builds of an open database have the same.
  public let id: Int
  let database: Database

  private var builds: IndexBuilds { database.engine.builds }

  /// How far it is.
  ///
  /// - Throws: `notFound` for one that was at its end 1,100 builds ago.
  public func status() throws(DatabaseError) -> Status {
    Status(try builds.status(of: id))
  }

  /// The same, without blocking the calling thread.
  public func status() async throws(DatabaseError) -> Status {
    try await Blocking.run { () throws(DatabaseError) in try self.status() }
  }

  /// Its status now, whenever it has moved, and at last when it is at its end. Who is slow to ask
  /// gets the latest.
  ///
  /// They end, too, when something is in the build's way, such as a document that can't be read:
  /// the last status has the `error`, and the build isn't finished. Asking for updates again lets
  /// the database try again.
  public var updates: BuildUpdates { BuildUpdates(build: self) }

  /// Blocks until the index is ready, and builds meanwhile.
  ///
  /// - Parameter progress: is told how far it is, now and then.
  /// - Throws: why the build failed, with the document's name; `cancelled` if the index was
  ///   dropped; `failedPrecondition` if the database is closed before.
  public func wait(_ progress: (Status) -> Void = { _ in }) throws(DatabaseError) {
    try builds.wait(for: id, status: { progress(Status($0)) })
  }

  /// The same, for who can't wait for somebody to resume the build: it returns once that is paused.
  ///
  /// - Returns: whether the build is ready, and not paused.
  func waitUnlessPaused(_ progress: (Status) -> Void) throws(DatabaseError) -> Bool {
    try builds.wait(for: id, endsPaused: true, status: { progress(Status($0)) })
  }

  /// The same as `wait`, without blocking the calling thread.
  public func wait() async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in try self.wait() }
  }

  /// Holds the build up until it is resumed, also if the database is opened again. Writers maintain
  /// what there is.
  ///
  /// - Throws: `failedPrecondition` for a build that is at its end, or none of a composite index.
  public func pause() throws(DatabaseError) { try builds.pause(id) }

  /// The same, without blocking the calling thread.
  public func pause() async throws(DatabaseError) {
    try await Blocking.run(.change) { () throws(DatabaseError) in try self.pause() }
  }

  /// Lets a build go on that was paused.
  ///
  /// - Throws: as `pause`.
  public func resume() throws(DatabaseError) { try builds.resume(id) }

  /// The same, without blocking the calling thread.
  public func resume() async throws(DatabaseError) {
    try await Blocking.run(.change) { () throws(DatabaseError) in try self.resume() }
  }

  /// Gives the index up, and deletes what was built.
  ///
  /// - Complexity: the entries that it has.
  /// - Throws: as `pause`.
  public func cancel() throws(DatabaseError) { try builds.cancel(id) }

  /// The same, without blocking the calling thread.
  public func cancel() async throws(DatabaseError) {
    try await Blocking.run(.ending) { () throws(DatabaseError) in try self.cancel() }
  }
}

/// The statuses of a build, one after the other, up to its end or to what is in its way.
public struct BuildUpdates: AsyncSequence, Sendable {
  /// The same as of the sequence.
  public typealias Element = IndexBuild.Status
  /// Why a build failed, or what is in its way, is told by its last status.
  public typealias Failure = Never

  let build: IndexBuild

  /// Where somebody who listens is.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var base: AsyncStream<IndexBuild.Status>.AsyncIterator

    init(_ stream: AsyncStream<IndexBuild.Status>) {
      base = stream.makeAsyncIterator()
    }

    /// The next status that differs; `nil` when the build is at its end, or something is in its
    /// way, or the database is closed.
    public mutating func next() async -> IndexBuild.Status? { await base.next() }

    /// The same, for a caller on an actor.
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
