import HearthDocumentEngine
public import HearthDocumentModel
import HearthEngineUpkeep
public import HearthQueryPlanning
public import HearthReports

/// The times to live of a database: the documents that are deleted by themselves, and their times
/// (§3.9).
///
/// ```swift
/// try database.timesToLive.set(FieldPath("expiresAt"), in: "sessions")
/// ```
///
/// A document whose time to live is over is deleted in the background, some time later. Until then
/// it is read like any other. Documents below it stay.
public struct TimeToLiveAdministration: Sendable {
  let database: Database

  /// The time to live of a collection group's documents.
  public struct Policy: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
      case collectionGroup
      case field = "names"
      case offsetSeconds, state
    }

    /// Id of the collections.
    public let collectionGroup: String
    /// Field with the time. Documents without it, or with another type of value in it, stay.
    public let field: FieldPath
    /// Number of seconds after that time until a document is deleted.
    public let offsetSeconds: Int
    /// State of the policy, which tells whether it is in effect or its index is still being built.
    public let state: IndexState
  }

  /// Sets the time to live of a collection group's documents: the time is in `field`. Existing
  /// documents are included. If the field already has a time to live, only the offset changes.
  ///
  /// If the call is interrupted, the work resumes by itself, or when the call is repeated.
  ///
  /// - Parameters:
  ///   - field: the field with the time; a collection group can have only one.
  ///   - collectionGroup: the id of the collections.
  ///   - offsetSeconds: the time from the field's time to the deletion, 0...2,147,483,647 seconds.
  ///   - progress: receives the progress of reading the documents.
  /// - Complexity: every document of the collection group is read once.
  /// - Throws: `invalidArgument` for `__name__` or an offset out of bounds; `failedPrecondition` if
  ///   another field of the collection group has a time to live.
  public func set(
    _ field: FieldPath, in collectionGroup: String, offsetSeconds: Int = 0,
    progress: (IndexAdministration.Progress) -> Void = { _ in }
  ) throws(DatabaseError) {
    try database.observed(.indexBuild) { () throws(DatabaseError) in
      try database.engine.setTimeToLive(
        collectionGroup, field, offsetSeconds: offsetSeconds, progress: progress)
    }
    database.backgroundWork.requestSweep()
  }

  /// Does the same without blocking the calling thread.
  public func set(
    _ field: FieldPath, in collectionGroup: String, offsetSeconds: Int = 0,
    progress: @escaping @Sendable (IndexAdministration.Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.set(field, in: collectionGroup, offsetSeconds: offsetSeconds, progress: progress)
    }
  }

  /// Removes the time to live in `field`.
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

  /// Does the same without blocking the calling thread.
  public func remove(
    _ field: FieldPath, in collectionGroup: String
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.remove(field, in: collectionGroup)
    }
  }

  /// Returns all times to live, in the order in which they were set.
  public func list() throws(DatabaseError) -> [Policy] {
    try database.engine.readView().catalog.timesToLive.map {
      Policy(
        collectionGroup: $0.collectionGroup, field: $0.field, offsetSeconds: $0.offsetSeconds,
        state: $0.state)
    }
  }

  /// Does the same without blocking the calling thread.
  public func list() async throws(DatabaseError) -> [Policy] {
    try await Blocking.run { () throws(DatabaseError) in try self.list() }
  }

  /// Deletes all documents whose time to live is over now, without waiting for the background work.
  ///
  /// The call makes many commits, and listeners see the deletions. If many documents were deleted,
  /// the call also compacts the files there.
  ///
  /// - Parameter progress: receives the number of documents deleted so far, after each commit.
  /// - Complexity: an index entry and two point reads for each of these documents.
  /// - Returns: the number of documents deleted.
  /// - Throws: the store's error; `dataLoss` for a document that can't be read, after all others
  ///   are deleted.
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

  /// Does the same without blocking the calling thread.
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
  /// Administration of the times to live.
  public var timesToLive: TimeToLiveAdministration { TimeToLiveAdministration(database: self) }
}
