import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The numbers that stand for collections in keys. Remembers a limited number of them.
///
/// A collection keeps its number for ever, so a remembered number is right for every snapshot. A
/// snapshot that is older than the collection just has no keys with it.
final class CollectionNumbers: Sendable {
  private struct Known: Sendable {
    let path: ResourcePath
    let number: UInt64
  }

  private static let capacity = 10_000
  /// The collections by the hashes of their paths. Of two with the same hash, the first is
  /// remembered.
  private let known = StripedLock<[UInt64: Known]>([:])

  /// Returns the number of the collection that the first `count` segments of `path` name; `nil` if
  /// no document was ever written to it.
  ///
  /// A document's path is enough, so a look-up makes no path of the collection.
  func number(
    ofFirst count: Int, of path: ResourcePath, in snapshot: any StoreSnapshot
  ) throws -> UInt64? {
    let hash = path.byteHash(ofFirst: count)
    let (remembered, isTaken) = known.read { known -> (UInt64?, isTaken: Bool) in
      guard let known = known.pointee[hash] else { return (nil, isTaken: false) }
      let isSame = known.path.segments.count == count && path.hasPrefix(known.path)
      return (isSame ? known.number : nil, isTaken: true)
    }
    if let remembered { return remembered }
    let collection = path.prefix(count)
    guard let bytes = try snapshot.value(of: StorageKey.collection(collection)) else { return nil }
    let number = try StorageKey.number(of: bytes.span.bytes)
    if isTaken { return number }
    known.withLock { known in
      if known.count >= CollectionNumbers.capacity { known.removeAll(keepingCapacity: true) }
      known[hash] = Known(path: collection, number: number)
    }
    return number
  }
}
