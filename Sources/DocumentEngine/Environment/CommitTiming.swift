package import HearthDocumentModel

/// One synced write of the store, and the commits that shared it.
package struct CommitTiming: Sendable {
  package let requestCount: Int
  /// Number of documents that the requests write, whether or not they change.
  package let writeCount: Int
  /// Time that the earliest request had waited when the group began.
  package let wait: Duration
  /// Time spent reading the old documents and making the batch.
  package private(set) var staging = Duration.zero
  /// Time of the store's write.
  package private(set) var storing = Duration.zero
  /// Bytes of the batch; 0 for a group that changes nothing, since nothing is stored for it.
  package private(set) var byteCount = 0
  /// The error of the whole group; `nil` if there was none. A refused request fails alone.
  package internal(set) var error: DatabaseError?

  private var lastInstant: ContinuousClock.Instant

  /// Creates the timing of a commit that begins now.
  ///
  /// - Parameter submissionTime: the time of its earliest request.
  init(requestCount: Int, writeCount: Int, submissionTime: ContinuousClock.Instant?) {
    let now = ContinuousClock.now
    self.requestCount = requestCount
    self.writeCount = writeCount
    wait = submissionTime.map { now - $0 } ?? .zero
    lastInstant = now
  }

  /// Records that the batch is made and goes to the store now.
  mutating func stage(byteCount: Int) {
    self.byteCount = byteCount
    staging = lap()
  }

  /// Records that the store has written the batch or failed to.
  mutating func store() { storing = lap() }

  private mutating func lap() -> Duration {
    let now = ContinuousClock.now
    defer { lastInstant = now }
    return now - lastInstant
  }
}
