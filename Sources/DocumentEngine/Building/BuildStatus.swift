package import DocumentModel
package import QueryPlanning

/// The progress of a build since it was begun or the database was opened.
package struct BuildProgress: Sendable, Equatable {
  package let documentsDone: Int
  package let documentsTotal: Int
}

/// What one build is doing, or came to.
package struct BuildStatus: Sendable {
  package enum State: Sendable, Hashable {
    case building
    /// It goes on when somebody resumes it, also after the database was opened again.
    case paused
    case ready
    /// A document can't be indexed; what was built is deleted.
    case failed
    /// The index was dropped before it was ready.
    case cancelled
  }

  /// What is built.
  package enum Subject: Sendable, Hashable {
    case index(IndexDefinition)
    /// Entries that are to carry their documents, or no longer.
    case covering(IndexDefinition)
    /// The index that a time to live finds its documents by.
    case timeToLive(collectionGroup: String, field: FieldPath)
    /// The single-field indexes of a field; `nil` is all fields of the group without their own.
    case fields(collectionGroup: String, field: FieldPath?)
  }

  /// Which build it is: no two of an open database have the same.
  package let number: Int
  package let subject: Subject
  package let state: State
  /// Why it failed; of one that goes on, what was in its way last.
  package let error: DatabaseError?
  /// Documents that have been read and whose entries are written. Of a build that an earlier open
  /// began, its part is estimated.
  package let documentsDone: Int
  /// About the documents that there are, by their numbers; exact where somebody had them counted.
  package let documentsTotal: Int
  /// The part that is done, 0...1.
  package let fraction: Double
  /// Entries that were written since the database was opened.
  package let entriesWritten: Int
  /// Over the last ten seconds or so; `nil` before anything is known.
  package let documentsPerSecond: Double?
  /// At the present rate.
  package let secondsLeft: Double?
  /// For how long nothing has moved, where that is too long for a build that isn't paused.
  package let stalledSeconds: Double?

  package var isStalled: Bool { stalledSeconds != nil }

  /// Whether something was in its way when it was last stepped.
  var isHeldUp: Bool { state == .building && error != nil }

  /// Whether it will not change any more.
  package var isFinished: Bool { state != .building && state != .paused }
}
