// A record's parts lie in different places of memory. The processor fetches those of several
// records at once if it is told early.
extension DocumentRecord {
  /// The size of the processor's cache lines that is reckoned with.
  private static var lineByteCount: Int { 64 }
  /// The number of a record's first bytes that are fetched.
  private static var fetchedByteCount: Int { 512 }

  /// Fetches the record itself, which its caller keeps alive.
  @inline(__always)
  package static func prefetch(_ record: Unmanaged<DocumentRecord>) {
    Prefetch.line(at: record.toOpaque())
  }

  /// Fetches the bytes of the record, and its remembered fields.
  @inline(__always)
  package func prefetchParts() {
    if let found = remembered { Prefetch.line(at: found.toOpaque()) }
    // Only the address leaves the closure, so that no reference to the bytes is counted.
    let (start, byteCount) = bytes.withUnsafeBytes { ($0.baseAddress, $0.count) }
    guard let start else { return }
    let end = min(byteCount, DocumentRecord.fetchedByteCount)
    var offset = 0
    while offset < end {
      Prefetch.line(at: start + offset)
      offset &+= DocumentRecord.lineByteCount
    }
  }

  /// Fetches the places of the remembered fields.
  @inline(__always)
  package func prefetchPlaces() {
    remembered?._withUnsafeGuaranteedRef { $0.places.prefetch() }
  }
}
