import HearthDocumentModel
import HearthOrderedStore

/// The numbers of documents that were read by name. Each takes 18 to 37 bytes, and 8 once the
/// memory is used up.
///
/// The cache keeps a part of a hash of the name, and not the name. The number that it returns is a
/// guess, which the document's record confirms, since it holds its path. A number belongs to one
/// name for ever, so a guess is as good for one commit as for another: a document with the number
/// and the name is the right one.
final class NameCache: Sendable {
  private static let shardBitCount: UInt64 = 3
  private static let shardCount = 1 << Int(shardBitCount)

  private let shards: [Lock<NameTable>]

  /// Returns `nil` if `byteCountLimit` is 0.
  init?(byteCountLimit: Int) {
    guard byteCountLimit > 0 else { return nil }
    shards = (0..<NameCache.shardCount).map { _ in
      Lock(NameTable(byteCountLimit: byteCountLimit / NameCache.shardCount))
    }
  }

  /// Returns the number that the document at `path` may have; `nil` if it isn't kept.
  func number(of path: ResourcePath) -> UInt64? {
    let hash = path.byteHash
    return shard(of: hash).withLock { $0.number(hash) }
  }

  func insert(_ number: UInt64, of path: ResourcePath) {
    let hash = path.byteHash
    shard(of: hash).withLock { $0.insert(number, hash) }
  }

  /// Removes everything and keeps nothing any more.
  func close() {
    for shard in shards { shard.withLock { $0 = NameTable(byteCountLimit: 0) } }
  }

  private func shard(of hash: UInt64) -> Lock<NameTable> {
    // The parts' own tables use the other bits.
    shards[Int(truncatingIfNeeded: hash &>> (64 - NameCache.shardBitCount))]
  }
}

extension ResourcePath {
  fileprivate var byteHash: UInt64 { byteHash(ofFirst: segments.count) }
}
