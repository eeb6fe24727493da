import HearthOrderedStore
import HearthStorageFormat
import Synchronization

/// Documents that were read recently, by their numbers, shared by all readers.
///
/// A document that was read at some commit is right for every later one up to the commit that
/// changes it, which removes it first. So a reader takes documents that were read at its own commit
/// or before, and ignores newer ones. A document from a slow reader is refused if any document of
/// its shard was changed after the reader's commit, since it might be the one that changed.
final class DocumentCache: Sendable {
  private typealias Shards = InlineArray<16, CacheShard>

  /// A document that a view read from the store.
  struct StoredRead {
    let record: DocumentRecord
    let number: UInt64
    /// Whether other documents may be evicted for it.
    let isDisplacing: Bool
  }

  private let shards: StripedLock<Shards>
  private let hitCount = Atomic(0)
  private let missCount = Atomic(0)

  /// Returns `nil` if `byteCountLimit` is 0.
  init?(byteCountLimit: Int) {
    guard byteCountLimit > 0 else { return nil }
    shards = StripedLock(
      Shards { _ in CacheShard(byteCountLimit: byteCountLimit / Shards.count) })
  }

  /// Returns the document as of `commitNumber`; `nil` if it isn't kept.
  func record(_ number: UInt64, at commitNumber: UInt64) -> DocumentRecord? {
    let record = read(number, at: commitNumber)
    count(record == nil ? 0 : 1, of: 1)
    return record
  }

  /// Returns the document as the last commit left it; `nil` if it isn't kept. A miss isn't counted,
  /// since the caller asks once more, in a view.
  func latestRecord(_ number: UInt64) -> DocumentRecord? {
    let record = read(number, at: .max)
    if record != nil { hitCount.wrappingAdd(1, ordering: .relaxed) }
    return record
  }

  private func read(_ number: UInt64, at commitNumber: UInt64) -> DocumentRecord? {
    let (record, isRecent) = shards.read { shards in
      var isRecent = true
      let shard = DocumentCache.shard(of: number)
      let record = shards.pointee[shard].record(number, at: commitNumber, &isRecent)
      record?._withUnsafeGuaranteedRef { $0.prefetchParts() }
      return (record?.takeUnretainedValue(), isRecent)
    }
    if !isRecent { note(CollectionOfOne(number)) }
    return record
  }

  /// Reads the documents as of `commitNumber` into `records`, which is uninitialized memory for as
  /// many, in the order of their numbers, with `nil` for those that aren't kept. The references are
  /// counted: the caller releases them.
  ///
  /// The parts of a document lie in different places of memory. So they are fetched for all
  /// documents, one part after the other, before a reference is counted: the processor waits for
  /// each count, and reads nothing ahead meanwhile.
  func read(
    _ numbers: [UInt64], at commitNumber: UInt64,
    into records: UnsafeMutableBufferPointer<Unmanaged<DocumentRecord>?>
  ) {
    let (found, areRecent) = shards.read { shards in
      for number in numbers { shards.pointee[DocumentCache.shard(of: number)].prefetch(number) }
      var areRecent = true
      var found = 0
      for (index, number) in numbers.enumerated() {
        let shard = DocumentCache.shard(of: number)
        let record = shards.pointee[shard].record(number, at: commitNumber, &areRecent)
        if let record { DocumentRecord.prefetch(record) }
        found &+= record == nil ? 0 : 1
        records.initializeElement(at: index, to: record)
      }
      for record in records { record?._withUnsafeGuaranteedRef { $0.prefetchParts() } }
      for record in records { _ = record?.retain() }
      return (found, areRecent)
    }
    if !areRecent { note(numbers) }
    count(found, of: numbers.count)
  }

  private func count(_ found: Int, of wanted: Int) {
    if found > 0 { hitCount.wrappingAdd(found, ordering: .relaxed) }
    if found < wanted { missCount.wrappingAdd(wanted - found, ordering: .relaxed) }
  }

  /// Notes that readers asked for these documents. That is seldom needed, since a visit counts
  /// until memory is short.
  private func note(_ numbers: some Sequence<UInt64>) {
    shards.withLock { shards in
      for number in numbers { shards[DocumentCache.shard(of: number)].note(number) }
    }
  }

  /// Keeps documents that a view read at `commitNumber`.
  ///
  /// - Returns: whether there was room for all of them. Documents that are too large, or that may
  ///   have changed since, need none.
  @discardableResult
  func insert(_ documents: some Collection<StoredRead>, readAt commitNumber: UInt64) -> Bool {
    guard !documents.isEmpty else { return true }
    return shards.withLock { [documents] shards in
      var hasRoom = true
      for document in documents {
        let shard = DocumentCache.shard(of: document.number)
        guard commitNumber >= shards[shard].lastChange else { continue }
        let isTaken = shards[shard].insert(
          document.record, document.number, since: commitNumber, displacing: document.isDisplacing)
        hasRoom = hasRoom && isTaken
      }
      return hasRoom
    }
  }

  /// Removes documents that the commit with this number is about to change.
  func remove(_ numbers: some Sequence<UInt64>, changedBy commitNumber: UInt64) {
    shards.withLock { shards in
      for number in numbers {
        let shard = DocumentCache.shard(of: number)
        shards[shard].lastChange = commitNumber
        shards[shard].remove(number)
      }
    }
  }

  /// Whether the document is kept, as of any commit. It counts neither as a hit nor as a visit.
  func keeps(_ number: UInt64) -> Bool {
    shards.read { $0.pointee[DocumentCache.shard(of: number)].keeps(number) }
  }

  /// Calls `body` with the documents that are kept, in no order. It must not use the cache.
  func forEach(_ body: (_ number: UInt64, _ record: DocumentRecord) -> Void) {
    shards.read { shards in
      for index in shards.pointee.indices { shards.pointee[index].forEach(body) }
    }
  }

  /// Removes everything and keeps nothing any more.
  func close() {
    shards.withLock { shards in
      for index in shards.indices { shards[index] = CacheShard(byteCountLimit: 0) }
    }
  }

  /// The contents of the cache and the number of its hits.
  var statistics: DocumentCacheStatistics {
    var statistics = shards.read { shards in
      var sum = DocumentCacheStatistics()
      for index in shards.pointee.indices {
        sum.documentCount += shards.pointee[index].documentCount
        sum.byteCount += shards.pointee[index].byteCount
      }
      return sum
    }
    statistics.hitCount = hitCount.load(ordering: .relaxed)
    statistics.missCount = missCount.load(ordering: .relaxed)
    return statistics
  }

  private static func shard(of number: UInt64) -> Int {
    Int(truncatingIfNeeded: number) & (Shards.count - 1)
  }
}
