import HearthDocumentModel

/// Reads one column and undoes its direction. It keeps the same budget as the writer did: only the
/// budget tells where a cut can stand.
struct ColumnReader: ~Escapable {
  private var reader: ByteReader
  private let mask: UInt8
  private var budget = Limits.indexedValueByteCount
  /// Whether the column ended with a cut. Nothing follows then.
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

  /// Reads the mark before each part of a sequence: whether another part follows. The end or the
  /// cut is read if none does.
  mutating func readHasMore() throws(CorruptBytes) -> Bool {
    let mark = try peek("part")
    if mark == OrderedValue.end {
      _ = try readByte("end")
      return false
    }
    return try !readCutIfSpent()
  }

  /// Reads the cut if the budget is spent. A cut stands nowhere else.
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

  /// Passes escaped bytes to `body`, up to the end or the cut, and reads that mark too.
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

  /// Reads the stored part of a string. Of a string that was cut, only whole characters are
  /// returned.
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
  /// Removes a last character of UTF-8 that lacks some of its bytes.
  fileprivate mutating func removeSplitCharacter() {
    guard let lead = lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return }
    let byteCount = 1 + Swift.max(0, (~self[lead]).leadingZeroBitCount - 1)
    if count - lead < byteCount { removeSubrange(lead...) }
  }
}
