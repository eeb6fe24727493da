import Glibc

extension UnsafeMutableRawBufferPointer {
  /// Allocates memory for a record, aligned for what lies behind it. ``freeRecord()`` frees it.
  ///
  /// Swift's own allocation asks the C library for an alignment, which costs it another search.
  static func allocateRecord(byteCount: Int) -> UnsafeMutableRawBufferPointer {
    guard let start = malloc(byteCount) else { preconditionFailure("no memory") }
    return UnsafeMutableRawBufferPointer(start: start, count: byteCount)
  }

  /// Frees the memory of ``allocateRecord(byteCount:)``.
  func freeRecord() { free(baseAddress) }
}
