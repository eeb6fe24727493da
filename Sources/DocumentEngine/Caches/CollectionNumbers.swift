import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The numbers that stand for collections in keys. Remembers a limited number of them.
///
/// A collection keeps its number for ever, so a remembered number is right for every snapshot. A
/// snapshot that is older than the collection just has no keys with it.
final class CollectionNumbers: Sendable {
  private static let capacity = 10_000
  private let known = StripedLock<[ResourcePath: UInt64]>([:])

  /// Returns the number of the collection at `path`; `nil` if no document was ever written to it.
  func number(of path: ResourcePath, in snapshot: any StoreSnapshot) throws -> UInt64? {
    if let number = known.read({ $0.pointee[path] }) { return number }
    guard let bytes = try snapshot.value(of: StorageKey.collection(path)) else { return nil }
    let number = try StorageKey.number(of: bytes.span.bytes)
    known.withLock { known in
      if known.count >= CollectionNumbers.capacity { known.removeAll(keepingCapacity: true) }
      known[path] = number
    }
    return number
  }
}
