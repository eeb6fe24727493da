/// The key of a document's record, on the stack, so that a look-up allocates no memory for it.
package struct DocumentKey: BitwiseCopyable {
  /// The prefix, and an ordered number of nine bytes at most.
  private var storage = InlineArray<10, UInt8>(repeating: 0)
  private let byteCount: Int

  package init(_ number: UInt64) {
    storage[0] = StorageKey.Prefix.document.rawValue
    guard number >= 0x80 else {
      storage[1] = UInt8(truncatingIfNeeded: number)
      byteCount = 2
      return
    }
    let numberByteCount = 8 &- number.leadingZeroBitCount / 8
    storage[1] = 0x80 | UInt8(truncatingIfNeeded: numberByteCount)
    byteCount = numberByteCount &+ 2
    for index in 0..<numberByteCount {
      storage[byteCount &- 1 &- index] = UInt8(truncatingIfNeeded: number &>> UInt64(8 &* index))
    }
  }

  /// The bytes of the key, those of ``StorageKey/document(_:)``.
  package var bytes: RawSpan {
    @_lifetime(borrow self)
    get { storage.span.bytes.extracting(first: byteCount) }
  }
}
