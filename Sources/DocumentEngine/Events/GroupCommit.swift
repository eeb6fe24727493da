package import DocumentModel

/// One synced write of the store, and the commits that shared it.
package struct GroupCommit: Sendable {
  package let requestCount: Int
  /// The documents that the requests write, whether they change or not.
  package let writeCount: Int
  /// How long the request that came first had waited for the group before it.
  package let wait: Duration
  /// Reading the old documents and making the batch.
  package private(set) var staging = Duration.zero
  /// The store's write.
  package private(set) var storing = Duration.zero
  /// Nothing is stored for a group that changes nothing.
  package private(set) var byteCount = 0
  /// Why the whole group failed. A request that is refused fails alone.
  package internal(set) var error: DatabaseError?

  private var lastInstant: ContinuousClock.Instant

  /// A group that begins now.
  init(_ requests: [CommitRequest]) {
    let now = ContinuousClock.now
    requestCount = requests.count
    writeCount = requests.reduce(0) { $0 + Set($1.paths).count }
    wait = requests.compactMap(\.submissionTime).min().map { now - $0 } ?? .zero
    lastInstant = now
  }

  /// The batch is made and goes to the store now.
  mutating func stage(byteCount: Int) {
    self.byteCount = byteCount
    staging = lap()
  }

  /// The store has written the batch, or failed to.
  mutating func store() { storing = lap() }

  private mutating func lap() -> Duration {
    let now = ContinuousClock.now
    defer { lastInstant = now }
    return now - lastInstant
  }
}
