public import DocumentModel
public import QueryPlanning
import DocumentEngine

/// The times to live of a database: which documents go by themselves, and when (§3.9).
///
/// ```swift
/// try database.timesToLive.set(FieldPath("expiresAt"), in: "sessions")
/// ```
///
/// A document whose time is past is deleted in the background, some time after it: up to then it is
/// read like any other. What lies below it stays.
public struct TimeToLiveAdministration: Sendable {
  let database: Database

  /// That documents of a collection group go by the time in a field.
  public struct Policy: Sendable, Hashable {
    /// The id of the collections.
    public let collectionGroup: String
    /// What has the time. Documents without it, or with something else there, stay.
    public let field: FieldPath
    /// How many seconds after that time.
    public let offsetSeconds: Int
    /// Whether documents go by it already, or the index is being built that they are found by.
    public let state: IndexState
  }

  /// Lets documents of a collection group go by the time in `field`, those that are there included.
  /// Where the field has a time to live, only the offset becomes another.
  ///
  /// Where that was broken off, it goes on by itself, or when it is asked for again.
  ///
  /// - Parameters:
  ///   - field: one of a collection group at most.
  ///   - collectionGroup: the id of the collections.
  ///   - offsetSeconds: how long after that time they go, 0...2,147,483,647 seconds.
  ///   - progress: is told how far the reading of the documents is.
  /// - Complexity: every document of the collection group is read once.
  /// - Throws: `invalidArgument` for `__name__` or an offset out of bounds; `failedPrecondition` if
  ///   another field of the collection group has one.
  public func set(
    _ field: FieldPath, in collectionGroup: String, offsetSeconds: Int = 0,
    progress: (IndexAdministration.Progress) -> Void = { _ in }
  ) throws(DatabaseError) {
    try database.observed(.indexBuild) { () throws(DatabaseError) in
      try database.engine.setTimeToLive(collectionGroup, field, offsetSeconds: offsetSeconds) {
        progress(IndexAdministration.Progress($0))
      }
    }
    database.background.requestSweep()
  }

  /// The same, without blocking the calling thread.
  public func set(
    _ field: FieldPath, in collectionGroup: String, offsetSeconds: Int = 0,
    progress: @escaping @Sendable (IndexAdministration.Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.set(field, in: collectionGroup, offsetSeconds: offsetSeconds, progress: progress)
    }
  }

  /// Lets documents no longer go by the time in `field`.
  ///
  /// - Complexity: one write for each document that has the field.
  /// - Throws: `notFound`.
  public func remove(
    _ field: FieldPath, in collectionGroup: String
  ) throws(DatabaseError) {
    try database.observed(.indexDrop) { () throws(DatabaseError) in
      try database.engine.removeTimeToLive(collectionGroup, field)
    }
  }

  /// The same, without blocking the calling thread.
  public func remove(
    _ field: FieldPath, in collectionGroup: String
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.remove(field, in: collectionGroup)
    }
  }

  /// All, in the order in which they were set.
  public func list() throws(DatabaseError) -> [Policy] {
    try database.engine.readView().catalog.timesToLive.map {
      Policy(
        collectionGroup: $0.collectionGroup, field: $0.field, offsetSeconds: $0.offsetSeconds,
        state: $0.state)
    }
  }

  /// The same, without blocking the calling thread.
  public func list() async throws(DatabaseError) -> [Policy] {
    try await Blocking.run { () throws(DatabaseError) in try self.list() }
  }

  /// Deletes all documents whose time is past now, without waiting for the background to do it.
  ///
  /// It is many commits. Listeners see what goes. Where it was much, the files are compacted there.
  ///
  /// - Parameter progress: is told how many were deleted so far, after each commit.
  /// - Complexity: an index entry and two point reads for each of these documents.
  /// - Returns: how many documents were deleted.
  /// - Throws: what the store reports; `dataLoss` for a document that can't be read, when all
  ///   others are deleted.
  @discardableResult
  public func sweep(progress: (Int) -> Void = { _ in }) throws(DatabaseError) -> Int {
    try database.observed(.sweep) { () throws(DatabaseError) in
      var sweep = TimeToLiveSweep(database.engine)
      var count = 0
      var damage: DatabaseError?
      while true {
        let advance = try sweep.step()
        damage = damage ?? advance.error
        guard !advance.isDone else { break }
        count += advance.documentCount
        progress(count)
      }
      try database.engine.compactAllDeleted(afterDeleting: count)
      if let damage { throw damage }
      return count
    }
  }

  /// The same, without blocking the calling thread.
  @discardableResult
  public func sweep(
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(DatabaseError) -> Int {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.sweep(progress: progress)
    }
  }
}

extension Database {
  /// Which documents go by themselves, and when.
  public var timesToLive: TimeToLiveAdministration { TimeToLiveAdministration(database: self) }
}
