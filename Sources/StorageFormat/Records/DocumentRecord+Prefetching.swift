extension DocumentRecord {
  /// The size of the processor's cache lines that is reckoned with.
  private static var lineByteCount: Int { 64 }
  /// The number of a record's first bytes that are fetched.
  private static var fetchedByteCount: Int { 512 }
  /// The number of bytes behind them, where a small record has the places of its fields.
  private static var placesByteCount: Int { 80 }

  /// Fetches the record itself, which its caller keeps alive.
  @inline(__always)
  package static func prefetch(_ record: Unmanaged<DocumentRecord>) {
    Prefetch.line(at: record.toOpaque())
  }

  /// Fetches the bytes of the record, and the places of its fields.
  @inline(__always)
  package func prefetchParts() {
    let start = start
    let end = min(byteCount, DocumentRecord.fetchedByteCount) &+ DocumentRecord.placesByteCount
    var offset = 0
    while offset < end {
      Prefetch.line(at: start + offset)
      offset &+= DocumentRecord.lineByteCount
    }
  }
}
