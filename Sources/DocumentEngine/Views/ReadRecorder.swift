import HearthOrderedStore

/// Records the keys that are read through a view, from any thread.
///
/// Documents are recorded as they are read. Every query checks its reads before its results are
/// used, and is recorded then, and so is every page of a listing. Partitions are no part of
/// transactions, and are not recorded.
final class ReadRecorder: Sendable {
  private let reads = Lock(ReadSet())

  func record<Failure>(_ body: (inout ReadSet) throws(Failure) -> Void) throws(Failure) {
    try reads.withLock { reads throws(Failure) in try body(&reads) }
  }

  func merged() -> ReadSet.Merged {
    reads.withLock { $0 }.merged()
  }

  /// The memory that the record takes.
  var byteCount: Int { reads.withLock(\.byteCount) }

  /// Returns the keys that were read, in order. Queries add the lower bounds of their scans.
  func keys() -> [[UInt8]] { reads.withLock { $0 }.lowerBounds }
}
