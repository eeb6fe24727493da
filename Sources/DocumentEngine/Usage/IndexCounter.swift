import HearthDocumentModel
import HearthStorageFormat
import Synchronization

/// The counts of one index's use. Any thread may count, without a lock.
final class IndexCounter: Sendable {
  /// Time at which the counting began.
  let since: Timestamp
  private let queryCount: Atomic<UInt64>
  private let entryWriteCount: Atomic<UInt64>
  /// Time of the last query in microseconds; `.min` for never.
  private let lastQueryTime: Atomic<Int64>

  init(_ record: UsageRecord) {
    since = record.since
    queryCount = Atomic(record.queryCount)
    entryWriteCount = Atomic(record.entryWriteCount)
    lastQueryTime = Atomic(record.lastQueryTime?.microseconds ?? .min)
  }

  /// Counts a query that has begun and that the index serves.
  func countQuery(atMicroseconds time: Int64) {
    queryCount.add(1, ordering: .relaxed)
    lastQueryTime.store(time, ordering: .relaxed)
  }

  func count(entryWrites count: UInt64) {
    entryWriteCount.add(count, ordering: .relaxed)
  }

  /// All counts so far. They may include a part of a concurrent change.
  var record: UsageRecord {
    let time = lastQueryTime.load(ordering: .relaxed)
    return UsageRecord(
      since: since, lastQueryTime: time == .min ? nil : try? Timestamp(microseconds: time),
      queryCount: queryCount.load(ordering: .relaxed),
      entryWriteCount: entryWriteCount.load(ordering: .relaxed))
  }
}
