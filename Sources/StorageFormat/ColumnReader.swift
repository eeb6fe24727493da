import DocumentModel

/// Reads one column, undoing its direction, and keeps the same budget as the writer did: only this
/// tells where a cut can stand.
struct ColumnReader: ~Escapable {
  private var reader: ByteReader
  private let mask: UInt8
  private var budget = Limits.indexedValueByteCount
  /// Once set, the column has ended.
  private(set) var isCut = false

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, at offset: Int, _ order: ColumnOrder) {
    reader = ByteReader(bytes, at: offset)
    mask = order.mask
  }

  var offset: Int { reader.offset }

  mutating func readByte(_ what: String) throws(CorruptBytes) -> UInt8 {
    try reader.readByte(what) ^ mask
  }

  mutating func readLabel() throws(CorruptBytes) -> OrderedValue.Label {
    let start = offset
    guard let label = OrderedValue.Label(rawValue: try readByte("label")) else {
      throw CorruptBytes("label", at: start)
    }
    return label
  }

  mutating func spend(_ cost: Int) {
    budget -= cost
  }

  /// What comes before each part of a sequence: whether there is another part, or the end or the
  /// cut that then was read.
  mutating func readHasMore() throws(CorruptBytes) -> Bool {
    let mark = try peek("part")
    if mark == OrderedValue.end {
      _ = try readByte("end")
      return false
    }
    return try !readCutIfSpent()
  }

  /// Reads the cut where the budget is spent, and only there.
  mutating func readCutIfSpent() throws(CorruptBytes) -> Bool {
    guard budget <= 0 else { return false }
    let start = offset
    guard try readByte("cut") == OrderedValue.cut else { throw CorruptBytes("cut", at: start) }
    isCut = true
    return true
  }

  private func peek(_ what: String) throws(CorruptBytes) -> UInt8 {
    var ahead = reader
    return try ahead.readByte(what) ^ mask
  }

  /// Hands out escaped bytes up to their end or the cut, both of which are read.
  mutating func readEscaped(
    isCounted: Bool = true, _ body: (UInt8) -> Void
  ) throws(CorruptBytes) {
    while true {
      let start = offset
      let byte = try readByte("escaped bytes")
      if byte == OrderedValue.end { return }
      if isCounted {
        if budget <= 0 {
          guard byte == OrderedValue.cut else { throw CorruptBytes("cut", at: start) }
          isCut = true
          return
        }
        budget &-= 1
      }
      guard byte == 1 else {
        body(byte)
        continue
      }
      let escaped = try readByte("escaped byte")
      guard escaped == 1 || escaped == 2 else { throw CorruptBytes("escaped byte", at: start) }
      body(escaped &- 1)
    }
  }

  /// As much of a string as was kept; of a cut one, whole characters only.
  mutating func readString(isCounted: Bool = true) throws(CorruptBytes) -> String {
    let start = offset
    var bytes: [UInt8] = []
    try readEscaped(isCounted: isCounted) { bytes.append($0) }
    if isCut { bytes.removeSplitCharacter() }
    guard let string = String(validatingUTF8: bytes.span.bytes) else {
      throw CorruptBytes("UTF-8", at: start)
    }
    return string
  }
}

extension [UInt8] {
  /// Drops a character of UTF-8 that lacks its last bytes.
  fileprivate mutating func removeSplitCharacter() {
    guard let lead = lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return }
    let byteCount = 1 + Swift.max(0, (~self[lead]).leadingZeroBitCount - 1)
    if count - lead < byteCount { removeSubrange(lead...) }
  }
}
