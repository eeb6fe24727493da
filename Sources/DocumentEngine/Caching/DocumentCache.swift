import OrderedStore
import StorageFormat

/// Documents that were read lately, by their numbers, for all readers to share.
///
/// A document that was read at some commit is right for every later one up to the commit that
/// changes it, which removes it first. So a reader takes what was read at its own commit or before,
/// and leaves what is newer. What a slow reader brings is refused if something was changed since
/// its commit: it might be what changed.
final class DocumentCache: Sendable {
  private static let shardCount = 16

  private let shards: [Lock<CacheShard>]

  /// `nil` for no memory at all.
  init?(byteCountLimit: Int) {
    guard byteCountLimit > 0 else { return nil }
    shards = (0..<DocumentCache.shardCount).map { _ in
      Lock(CacheShard(byteCountLimit: byteCountLimit / DocumentCache.shardCount))
    }
  }

  /// The document, if it is kept, as a view of this commit has it.
  func record(_ number: UInt64, at commitNumber: UInt64) -> DocumentRecord? {
    shard(of: number).withLock { $0.record(number, at: commitNumber, countsMiss: true) }
  }

  /// The document, if it is kept, as the last commit left it. A miss isn't counted: whoever asks
  /// here asks once more, in a view.
  func latestRecord(_ number: UInt64) -> DocumentRecord? {
    shard(of: number).withLock { $0.record(number, at: .max, countsMiss: false) }
  }

  /// Keeps a document that a view of this commit read.
  ///
  /// - Parameter displacing: whether others may have to go for it.
  func insert(
    _ record: DocumentRecord, _ number: UInt64, readAt commitNumber: UInt64,
    displacing: Bool = true
  ) {
    shard(of: number).withLock { [record] in
      guard commitNumber >= $0.lastChange else { return }
      $0.insert(record, number, since: commitNumber, displacing: displacing)
    }
  }

  /// Gives up a document that the commit with this number is about to change.
  func remove(_ number: UInt64, changedBy commitNumber: UInt64) {
    shard(of: number).withLock {
      $0.lastChange = commitNumber
      $0.remove(number)
    }
  }

  /// Gives up everything, and keeps nothing any more.
  func close() {
    for shard in shards {
      shard.withLock { $0 = CacheShard(byteCountLimit: 0) }
    }
  }

  /// What the cache holds, and how often it helped.
  var statistics: DocumentCacheStatistics {
    shards.reduce(DocumentCacheStatistics()) { total, shard in
      total.adding(shard.withLock { $0.statistics })
    }
  }

  private func shard(of number: UInt64) -> Lock<CacheShard> {
    shards[Int(truncatingIfNeeded: number) & (DocumentCache.shardCount - 1)]
  }
}
