import HearthOrderedStore
import HearthStorageFormat

/// Documents that were read recently, by their numbers, shared by all readers.
///
/// A document that was read at some commit is right for every later one up to the commit that
/// changes it, which removes it first. So a reader takes documents that were read at its own commit
/// or before, and ignores newer ones. A document from a slow reader is refused if any document of
/// its shard was changed after the reader's commit, since it might be the one that changed.
final class DocumentCache: Sendable {
  private static let shardCount = 16

  private let shards: [Lock<CacheShard>]

  /// Returns `nil` if `byteCountLimit` is 0.
  init?(byteCountLimit: Int) {
    guard byteCountLimit > 0 else { return nil }
    shards = (0..<DocumentCache.shardCount).map { _ in
      Lock(CacheShard(byteCountLimit: byteCountLimit / DocumentCache.shardCount))
    }
  }

  /// Returns the document as of `commitNumber`; `nil` if it isn't kept.
  func record(_ number: UInt64, at commitNumber: UInt64) -> DocumentRecord? {
    shard(of: number).withLock { $0.record(number, at: commitNumber, countsMiss: true) }
  }

  /// Returns the document as the last commit left it; `nil` if it isn't kept. A miss isn't counted,
  /// since the caller asks once more, in a view.
  func latestRecord(_ number: UInt64) -> DocumentRecord? {
    shard(of: number).withLock { $0.record(number, at: .max, countsMiss: false) }
  }

  /// Keeps a document that a view read at `commitNumber`.
  ///
  /// - Parameter displacing: whether other documents may be evicted for it.
  func insert(
    _ record: DocumentRecord, _ number: UInt64, readAt commitNumber: UInt64,
    displacing: Bool = true
  ) {
    shard(of: number).withLock { [record] in
      guard commitNumber >= $0.lastChange else { return }
      $0.insert(record, number, since: commitNumber, displacing: displacing)
    }
  }

  /// Removes a document that the commit with this number is about to change.
  func remove(_ number: UInt64, changedBy commitNumber: UInt64) {
    shard(of: number).withLock {
      $0.lastChange = commitNumber
      $0.remove(number)
    }
  }

  /// Removes everything and keeps nothing any more.
  func close() {
    for shard in shards {
      shard.withLock { $0 = CacheShard(byteCountLimit: 0) }
    }
  }

  /// The contents of the cache and the number of its hits.
  var statistics: DocumentCacheStatistics {
    shards.reduce(DocumentCacheStatistics()) { total, shard in
      total.adding(shard.withLock { $0.statistics })
    }
  }

  private func shard(of number: UInt64) -> Lock<CacheShard> {
    shards[Int(truncatingIfNeeded: number) & (DocumentCache.shardCount - 1)]
  }
}
