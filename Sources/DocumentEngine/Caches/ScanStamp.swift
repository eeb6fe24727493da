import Synchronization

/// A sign that a kept scan has the entries that were read of it. A commit ends it before it changes
/// one of them, and so does the cache when it gives the scan up.
final class ScanStamp: Sendable {
  private let hasEnded = Atomic(false)

  var isRight: Bool { !hasEnded.load(ordering: .acquiring) }

  func end() { hasEnded.store(true, ordering: .releasing) }
}
