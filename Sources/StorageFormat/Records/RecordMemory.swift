import Glibc

extension UnsafeMutableRawBufferPointer {
  /// Returns memory for a record, aligned for what lies behind it. ``endRecord()`` gives it back.
  ///
  /// Swift's own allocation asks the C library for an alignment, which costs it another search.
  static func record(byteCount: Int) -> UnsafeMutableRawBufferPointer {
    guard let start = malloc(byteCount) else { preconditionFailure("no memory") }
    return UnsafeMutableRawBufferPointer(start: start, count: byteCount)
  }

  func endRecord() { free(baseAddress) }
}
