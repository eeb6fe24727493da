import HearthDocumentModel
import HearthOrderedStore

/// The numbers of documents that were read by name. Each takes 64 bytes, and 16 once the memory is
/// used up.
///
/// The cache keeps a hash of the name and not the name. The number that it returns is a guess,
/// which the document's record confirms, since it holds its path. A number belongs to one name for
/// ever, so a guess is as good for one commit as for another: a document with the number and the
/// name is the right one.
final class NameCache: Sendable {
  private static let shardCount = 8

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
    shards[Int(truncatingIfNeeded: hash) & (NameCache.shardCount - 1)]
  }
}

/// A part of the cache of names: sets of four hashes and numbers. It grows with its contents up to
/// its memory. Then a new name takes the place of the oldest one in its set.
struct NameTable: Sendable {
  private struct Entry: Sendable {
    var hash: UInt64 = 0
    /// The document's number; 0, which no document has, for an empty place.
    var number: UInt64 = 0
  }

  private static let wayCount = 4

  private let capacity: Int
  private var entries: [Entry] = []
  private var count = 0

  init(byteCountLimit: Int) {
    capacity = byteCountLimit / MemoryLayout<Entry>.stride
  }

  func number(_ hash: UInt64) -> UInt64? {
    guard !entries.isEmpty else { return nil }
    let first = firstIndex(of: hash)
    for index in first..<(first &+ NameTable.wayCount)
    where entries[index].hash == hash && entries[index].number != 0 {
      return entries[index].number
    }
    return nil
  }

  mutating func insert(_ number: UInt64, _ hash: UInt64) {
    // When a quarter is full, one set in three hundred has more names than it holds. When half is
    // full, one in twenty has. Such names displace each other for ever.
    if count >= entries.count / 4 { grow() }
    guard !entries.isEmpty else { return }
    place(Entry(hash: hash, number: number))
  }

  /// Puts an entry first in its set. The newest entry of a set stands first.
  private mutating func place(_ entry: Entry) {
    let first = firstIndex(of: entry.hash)
    let ways = first..<(first &+ NameTable.wayCount)
    let last =
      ways.first { entries[$0].hash == entry.hash || entries[$0].number == 0 } ?? ways.upperBound
      - 1
    if entries[last].number == 0 { count += 1 }
    for index in ways.prefix(upTo: last).reversed() { entries[index + 1] = entries[index] }
    entries[first] = entry
  }

  /// The number of places at first. The number of sets is a power of two.
  private var firstSize: Int {
    min(256, 1 << (Int.bitWidth - 1 - capacity.leadingZeroBitCount))
  }

  private mutating func grow() {
    let size = entries.isEmpty ? firstSize : entries.count * 2
    guard size <= capacity, size >= NameTable.wayCount else { return }
    let old = entries
    entries = Array(repeating: Entry(), count: size)
    count = 0
    for entry in old.reversed() where entry.number != 0 { place(entry) }
  }

  private func firstIndex(of hash: UInt64) -> Int {
    let setCount = entries.count / NameTable.wayCount
    return (Int(truncatingIfNeeded: hash &>> 8) & (setCount &- 1)) &* NameTable.wayCount
  }
}

extension ResourcePath {
  fileprivate var byteHash: UInt64 { byteHash(ofFirst: segments.count) }
}
