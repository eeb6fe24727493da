import HearthOrderedStore

/// A reader of the records of a LevelDB log, which goes on after damage.
///
/// A log is a row of blocks of 32,768 bytes, the last one shorter. A block is a row of fragments. A
/// fragment begins only where its header still fits, and the rest of the block is zeros.
///
/// | bytes of a fragment | meaning |
/// |---|---|
/// | 4 | masked CRC-32C of the kind and the payload, little-endian |
/// | 2 | byte count of the payload, little-endian |
/// | 1 | kind: 1 whole record, 2 first of several, 3 in the middle, 4 last |
/// | … | payload |
struct LogRecordReader {
  enum Element: Equatable {
    /// A whole record; `payload` holds it until the next call.
    case record(Range<Int>)
    /// A part from this byte on that can't be read, up to the next record that is returned, if any.
    case damage(at: Int)
  }

  static let blockByteCount = 32_768
  static let headerByteCount = 7

  private enum Kind: UInt8 {
    case whole = 1
    case first, middle, last
  }

  private struct Fragment {
    var kind: Kind
    var start: Int
    var end: Int
  }

  private let bytes: [UInt8]
  private var offset = 0
  /// Start of the record whose last fragment has not come yet; `nil` if there is none.
  private var unfinishedStart: Int?
  /// Whether bytes before `offset` were damaged. Then the start of the next fragment is unknown,
  /// and the end of a record may come without its beginning.
  private var isSearching = false
  private(set) var payload: [UInt8] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the next record or damage; `nil` at the end of the log. Damage is returned once until
  /// a whole record follows.
  mutating func next() -> Element? {
    while let fragmentStart = startOfNextFragment() {
      guard let fragment = readFragment(at: fragmentStart) else {
        // No length in a damaged header can be trusted, so the next fragment may begin anywhere.
        offset = fragmentStart + 1
        if let damage = beginSearching(at: fragmentStart) { return damage }
        continue
      }
      if let element = take(fragment) { return element }
    }
    guard let start = unfinishedStart else { return nil }
    return beginSearching(at: start)
  }

  /// Returns the earliest start of the next fragment; `nil` at the end of the log.
  private func startOfNextFragment() -> Int? {
    let blockLeft = Self.blockByteCount - offset % Self.blockByteCount
    let start = blockLeft < Self.headerByteCount ? offset + blockLeft : offset
    return start < bytes.count ? start : nil
  }

  private mutating func beginSearching(at start: Int) -> Element? {
    let damageStart = unfinishedStart ?? start
    unfinishedStart = nil
    guard !isSearching else { return nil }
    isSearching = true
    return .damage(at: damageStart)
  }

  private mutating func take(_ fragment: Fragment) -> Element? {
    switch (fragment.kind, unfinishedStart) {
    case (.whole, nil), (.first, nil):
      payload.removeAll(keepingCapacity: true)
    case (.middle, .some), (.last, .some):
      break
    case (.whole, .some), (.first, .some):
      // The record before has no end. This fragment is read again afterwards.
      if let damage = beginSearching(at: fragment.start) { return damage }
      return nil
    case (.middle, nil), (.last, nil):
      // An end without a beginning: the rest of a damaged record, or damage itself.
      offset = fragment.end
      return beginSearching(at: fragment.start)
    }
    let recordStart = unfinishedStart ?? fragment.start
    payload.append(contentsOf: bytes[fragment.start + Self.headerByteCount..<fragment.end])
    offset = fragment.end
    guard fragment.kind == .whole || fragment.kind == .last else {
      unfinishedStart = recordStart
      return nil
    }
    unfinishedStart = nil
    isSearching = false
    return .record(recordStart..<fragment.end)
  }

  private func readFragment(at start: Int) -> Fragment? {
    guard start + Self.headerByteCount <= bytes.count, let kind = Kind(rawValue: bytes[start + 6]),
      let end = Self.endOfFragment(at: start, in: bytes), Self.isWhole(bytes, start..<end)
    else { return nil }
    return Fragment(kind: kind, start: start, end: end)
  }
}

// MARK: - Fragments

extension LogRecordReader {
  /// Returns the end of a fragment by the length in its header; `nil` if the fragment isn't
  /// complete. The header itself must be complete.
  static func endOfFragment(at start: Int, in bytes: [UInt8]) -> Int? {
    let blockEnd = (start / blockByteCount + 1) * blockByteCount
    let length = Int(bytes[start + 4]) + Int(bytes[start + 5]) << 8
    let end = start + headerByteCount + length
    return end <= min(blockEnd, bytes.count) ? end : nil
  }

  /// Whether the checksum of a fragment matches its kind and payload.
  static func isWhole(_ bytes: [UInt8], _ fragment: Range<Int>) -> Bool {
    let content = bytes.span.bytes.extracting(fragment.lowerBound + 6..<fragment.upperBound)
    return storedChecksum(bytes, at: fragment.lowerBound)
      == CRC32C.masked(CRC32C.checksum(of: content))
  }

  /// Whether the checksum matches a complete fragment of any kind and length. If so, it is the
  /// header that was damaged.
  static func holdsWholeFragment(_ bytes: [UInt8], at start: Int) -> Bool {
    let stored = storedChecksum(bytes, at: start)
    let payload = bytes[(start + headerByteCount)...].prefix(blockByteCount)
    for kind in Kind.whole.rawValue...Kind.last.rawValue {
      var running = CRC32C.Running()
      running.add(kind)
      for byte in payload {
        if CRC32C.masked(running.checksum) == stored { return true }
        running.add(byte)
      }
      if CRC32C.masked(running.checksum) == stored { return true }
    }
    return false
  }

  private static func storedChecksum(_ bytes: [UInt8], at start: Int) -> UInt32 {
    bytes.span.bytes.littleEndian(at: start)
  }
}
