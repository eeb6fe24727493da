import DocumentModel
import StorageFormat
import Synchronization

/// What was counted of the use of one index: by any thread, without a lock.
final class IndexCounter: Sendable {
  /// Since when it counts.
  let since: Timestamp
  private let queryCount: Atomic<UInt64>
  private let entryWriteCount: Atomic<UInt64>
  /// In microseconds; the year 1 and before for never.
  private let lastQueryTime: Atomic<Int64>

  init(_ record: UsageRecord) {
    since = record.since
    queryCount = Atomic(record.queryCount)
    entryWriteCount = Atomic(record.entryWriteCount)
    lastQueryTime = Atomic(record.lastQueryTime?.microseconds ?? .min)
  }

  /// A query has begun that the index serves.
  func countQuery(atMicroseconds time: Int64) {
    queryCount.add(1, ordering: .relaxed)
    lastQueryTime.store(time, ordering: .relaxed)
  }

  func count(entryWrites count: UInt64) {
    entryWriteCount.add(count, ordering: .relaxed)
  }

  /// All that it counted so far. Of what is counted meanwhile it may have a part.
  var record: UsageRecord {
    let time = lastQueryTime.load(ordering: .relaxed)
    return UsageRecord(
      since: since, lastQueryTime: time == .min ? nil : try? Timestamp(microseconds: time),
      queryCount: queryCount.load(ordering: .relaxed),
      entryWriteCount: entryWriteCount.load(ordering: .relaxed))
  }
}
