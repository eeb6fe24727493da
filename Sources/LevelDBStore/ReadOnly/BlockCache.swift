import HearthOrderedStore

/// The contents of blocks that were read lately, bounded in bytes.
///
/// There are two halves. A block that is read goes to the young half, and so does one that is found
/// in the old half. When the young half is full, it becomes the old half, and the former old half
/// is dropped.
final class BlockCache: Sendable {
  struct Place: Hashable {
    /// Number of the table.
    let table: UInt64
    let offset: Int
  }

  private struct Halves {
    var young: [Place: [UInt8]] = [:]
    var old: [Place: [UInt8]] = [:]
    var youngByteCount = 0
  }

  private let halves = Lock(Halves())
  private let byteCountLimit: Int

  init(byteCount: Int) {
    byteCountLimit = byteCount
  }

  /// Returns the contents of a block. `load` reads them if the cache doesn't have them.
  func contents<Failure: Error>(
    at place: Place, _ load: () throws(Failure) -> [UInt8]
  ) throws(Failure) -> [UInt8] {
    if let kept = find(place) { return kept }
    let contents = try load()
    keep(contents, at: place)
    return contents
  }

  private func find(_ place: Place) -> [UInt8]? {
    let found = halves.withLock { ($0.young[place], $0.old[place]) }
    if let old = found.1, found.0 == nil { keep(old, at: place) }
    return found.0 ?? found.1
  }

  private func keep(_ contents: [UInt8], at place: Place) {
    halves.withLock { [byteCountLimit] halves in
      guard halves.young.updateValue(contents, forKey: place) == nil else { return }
      halves.youngByteCount += contents.count
      guard halves.youngByteCount > byteCountLimit / 2 else { return }
      halves.old = halves.young
      halves.young = [:]
      halves.youngByteCount = 0
    }
  }
}
