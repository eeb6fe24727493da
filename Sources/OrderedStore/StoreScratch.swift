/// Room for bytes that are needed for a while and that no crash leaves behind. One thread at a time
/// may use it.
package protocol StoreScratch: AnyObject, Sendable {
  func append(_ bytes: [UInt8]) throws(StoreError)

  /// Returns the bytes in `range`, which were appended before.
  func bytes(in range: Range<Int>) throws(StoreError) -> [UInt8]
}

/// Scratch room in memory, for stores in memory.
package final class MemoryScratch: StoreScratch {
  private let contents = Lock<[UInt8]>([])

  package init() {}

  package func append(_ bytes: [UInt8]) throws(StoreError) { contents.withLock { $0 += bytes } }

  package func bytes(in range: Range<Int>) throws(StoreError) -> [UInt8] {
    contents.withLock { Array($0[range]) }
  }
}
