/// Operations of stores on keys and values, which are plain bytes to them.

extension Array<UInt8> {
  /// Makes a copy of `span` with a lifetime of its own.
  package init(copying span: borrowing RawSpan) {
    self = unsafe span.withUnsafeBytes { bytes in unsafe [UInt8](bytes) }
  }

  /// Whether this key sorts before `other` in a store.
  package func precedes(_ other: [UInt8]) -> Bool {
    let left = span
    let right = other.span
    return left.bytes.precedes(right.bytes)
  }
}

extension RawSpan {
  package func equals(_ other: borrowing RawSpan) -> Bool {
    byteCount == other.byteCount && !precedes(other) && !other.precedes(self)
  }

  /// Whether these bytes lie before `other` in a store: unsigned order, a prefix first.
  ///
  /// - Complexity: linear in the shorter of the two.
  @usableFromInline package func precedes(_ other: borrowing RawSpan) -> Bool {
    let common = Swift.min(byteCount, other.byteCount)
    var offset = 0
    // Eight bytes at a time: words that are read as big-endian compare as their bytes do.
    while offset &+ 8 <= common {
      let left = unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let right = unsafe other.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if left != right { return left.bigEndian < right.bigEndian }
      offset &+= 8
    }
    while offset < common {
      let left = unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      let right = unsafe other.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      if left != right { return left < right }
      offset &+= 1
    }
    return byteCount < other.byteCount
  }
}
