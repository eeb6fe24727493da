import DocumentEngine
package import DocumentModel
package import QueryPlanning

/// The progress of a build since it was begun or the database was opened.
package struct BuildProgress: Sendable, Equatable {
  package let documentsDone: Int
  package let documentsTotal: Int
}

/// The present state and progress of one build, or its outcome.
package struct BuildStatus: Sendable {
  package enum State: Sendable, Hashable {
    case building
    /// The build goes on when the application resumes it, also after the database was opened again.
    case paused
    case ready
    /// A document can't be indexed. The entries that were built are deleted.
    case failed
    /// The index was dropped before it was ready.
    case cancelled
  }

  /// The index or the entries that a build makes.
  package enum Subject: Sendable, Hashable {
    case index(IndexDefinition)
    /// Entries that are to carry their documents, or to carry them no longer.
    case covering(IndexDefinition)
    /// The index by which a time to live finds its documents.
    case timeToLive(collectionGroup: String, field: FieldPath)
    /// The single-field indexes of a field; `nil` for all fields of the group without an override.
    case fields(collectionGroup: String, field: FieldPath?)
  }

  /// The build's number. No two builds of an open database share one.
  package let number: Int
  package let subject: Subject
  package let state: State
  /// The reason of the failure; for an open build, the obstacle of its last step.
  package let error: DatabaseError?
  /// Documents that have been read and whose entries are written. The part that an earlier open of
  /// the database did is estimated.
  package let documentsDone: Int
  /// The number of documents, estimated from their numbers; exact if they were counted.
  package let documentsTotal: Int
  /// The part that is done, from 0 to 1.
  package let fraction: Double
  /// Entries written since the database was opened.
  package let entriesWritten: Int
  /// The rate over the last ten seconds or so; `nil` if it isn't known yet.
  package let documentsPerSecond: Double?
  /// The time left at the present rate; `nil` if there is no rate.
  package let secondsLeft: Double?
  /// Seconds without any move; `nil` if the build isn't stalled.
  package let stalledSeconds: Double?

  package var isStalled: Bool { stalledSeconds != nil }

  /// Whether the build won't change any more.
  package var isFinished: Bool { state != .building && state != .paused }
}
