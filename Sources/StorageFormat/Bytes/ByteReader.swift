package import HearthDocumentModel

/// Reads values in sequence from bytes that may be damaged.
///
/// Every read checks its input and throws if it is malformed. No bytes can make it trap.
package struct ByteReader: ~Escapable {
  let bytes: RawSpan
  package private(set) var offset: Int

  @_lifetime(copy bytes)
  package init(_ bytes: RawSpan, at offset: Int = 0) {
    self.bytes = bytes
    // An offset outside the bytes is moved to the end, so that the next read throws.
    self.offset = offset < 0 || offset > bytes.byteCount ? bytes.byteCount : offset
  }

  package var remainingByteCount: Int { bytes.byteCount &- offset }
  package var isAtEnd: Bool { offset == bytes.byteCount }

  /// Checks that no bytes are left.
  ///
  /// - Throws: ``CorruptBytes`` if bytes follow.
  package func requireEnd() throws(CorruptBytes) {
    guard isAtEnd else { throw CorruptBytes("end", at: offset) }
  }

  @inline(__always)
  package mutating func readByte(_ what: String) throws(CorruptBytes) -> UInt8 {
    guard offset < bytes.byteCount else { throw CorruptBytes(what, at: offset) }
    defer { offset &+= 1 }
    return bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  /// Returns the next `count` bytes. They belong to the owner of the bytes that the reader was made
  /// with.
  @inline(__always)
  @_lifetime(copy self)
  package mutating func readBytes(_ count: Int, _ what: String) throws(CorruptBytes) -> RawSpan {
    guard count >= 0, count <= remainingByteCount else { throw CorruptBytes(what, at: offset) }
    defer { offset &+= count }
    return bytes.extracting(offset..<(offset &+ count))
  }

  @inline(__always)
  package mutating func skip(_ count: Int, _ what: String) throws(CorruptBytes) {
    guard count >= 0, count <= remainingByteCount else { throw CorruptBytes(what, at: offset) }
    offset &+= count
  }

  /// Moves on to an offset that is known to be within the bytes.
  @inline(__always)
  mutating func move(to offset: Int) { self.offset = offset }
}

extension ByteReader {
  /// Reads a varint: seven bits a byte, the lowest first; a set top bit says that more bytes
  /// follow. Only the shortest form of a number is valid.
  @inline(__always)
  package mutating func readVarint(_ what: String) throws(CorruptBytes) -> UInt64 {
    // Most varints are lengths and counts of one byte.
    if offset < bytes.byteCount {
      let byte = bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
      if byte < 0x80 {
        offset &+= 1
        return UInt64(byte)
      }
    }
    // With eight bytes left, the groups of most varints can be taken in one load.
    if bytes.byteCount &- offset >= 8 {
      let bits = UInt64(
        littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
      let ends = ~bits & 0x8080_8080_8080_8080
      let count = ends.trailingZeroBitCount / 8 &+ 1
      // The last byte of the shortest form isn't 0.
      if ends != 0, (bits &>> UInt64(8 &* (count &- 1))) & 0xFF != 0 {
        offset &+= count
        return bits.varintGroups(count)
      }
    }
    let value: UInt64
    (value, offset) = try ByteReader.longVarint(in: bytes, at: offset, what)
    return value
  }

  /// Returns a varint and its end. It takes no reader, which would have to lie in memory for this
  /// rare case.
  @inline(never)
  private static func longVarint(
    in bytes: RawSpan, at start: Int, _ what: String
  ) throws(CorruptBytes) -> (value: UInt64, end: Int) {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    var offset = start
    while offset < bytes.byteCount {
      let byte = bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
      let group = UInt64(byte & 0x7F)
      guard shift < 63 || (shift == 63 && group <= 1) else { throw CorruptBytes(what, at: start) }
      value |= group &<< shift
      offset &+= 1
      if byte < 0x80 {
        guard byte != 0 || shift == 0 else { throw CorruptBytes(what, at: start) }
        return (value, offset)
      }
      shift &+= 7
    }
    throw CorruptBytes(what, at: offset)
  }

  /// Reads the count of items that take at least one byte each. A count above the number of
  /// remaining bytes is refused.
  @inline(__always)
  package mutating func readCount(_ what: String) throws(CorruptBytes) -> Int {
    let start = offset
    let count = try readVarint(what)
    guard count <= UInt64(remainingByteCount) else { throw CorruptBytes(what, at: start) }
    return Int(count)
  }

  @inline(__always)
  package mutating func readSigned(_ what: String) throws(CorruptBytes) -> Int64 {
    let zigzag = try readVarint(what)
    return Int64(bitPattern: (zigzag &>> 1) ^ (0 &- (zigzag & 1)))
  }

  package mutating func readLittleEndian(_ what: String) throws(CorruptBytes) -> UInt64 {
    let span = try readBytes(8, what)
    return UInt64(
      littleEndian: span.unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: UInt64.self))
  }

  package mutating func readDouble(_ what: String) throws(CorruptBytes) -> Double {
    Double(bitPattern: try readLittleEndian(what))
  }

  /// Replaces the elements of `doubles` by the same number of doubles from the bytes.
  package mutating func readDoubles(
    into doubles: inout [Double], _ what: String
  ) throws(CorruptBytes) {
    let (byteCount, isTooLarge) = doubles.count.multipliedReportingOverflow(by: 8)
    guard !isTooLarge else { throw CorruptBytes(what, at: offset) }
    let span = try readBytes(byteCount, what)
    for index in doubles.indices {
      let bits = span.unsafeLoadUnaligned(fromUncheckedByteOffset: index &* 8, as: UInt64.self)
      doubles[index] = Double(bitPattern: UInt64(littleEndian: bits))
    }
  }

  /// Reads a varint byte count and that many bytes of UTF-8.
  package mutating func readString(_ what: String) throws(CorruptBytes) -> String {
    String(copying: try readUTF8(what))
  }

  /// Reads what ``readString(_:)`` reads, without copying it. It belongs to the owner of the bytes
  /// that the reader was made with.
  @inline(__always)
  @_lifetime(copy self)
  package mutating func readUTF8(_ what: String) throws(CorruptBytes) -> UTF8Span {
    let count = try readCount(what)
    let bytes = try readBytes(count, what)
    guard bytes.isASCII else { return try readUnicode(bytes, what) }
    return UTF8Span(unchecked: Span<UInt8>(_bytes: bytes), isKnownASCII: true)
  }

  /// Validates the bytes before this reader's place.
  @inline(never)
  @_lifetime(copy bytes)
  private func readUnicode(
    _ bytes: RawSpan, _ what: String
  ) throws(CorruptBytes) -> UTF8Span {
    do {
      return try UTF8Span(validating: Span<UInt8>(_bytes: bytes))
    } catch {
      throw CorruptBytes("UTF-8 of \(what)", at: offset &- bytes.byteCount)
    }
  }

  /// Reads a varint byte count and that many bytes.
  package mutating func readByteArray(_ what: String) throws(CorruptBytes) -> [UInt8] {
    let count = try readCount(what)
    return try readBytes(count, what).withUnsafeBytes { Array($0) }
  }

  /// Skips the bytes that ``readString(_:)`` or ``readByteArray(_:)`` reads.
  @inline(__always)
  package mutating func skipString(_ what: String) throws(CorruptBytes) {
    try skip(try readCount(what), what)
  }
}

// MARK: - Parts of records

extension ByteReader {
  /// Creates a reader that stands after the byte for a record's version.
  ///
  /// - Throws: ``CorruptBytes`` for another version.
  @_lifetime(copy bytes)
  package init(_ bytes: RawSpan, version: UInt8) throws(CorruptBytes) {
    self.init(bytes)
    _ = try readVersion(version, or: version)
  }

  /// Reads a record's version. Returns whether it is the later one.
  package mutating func readVersion(_ version: UInt8, or later: UInt8) throws(CorruptBytes) -> Bool
  {
    let start = offset
    let byte = try readByte("version")
    guard byte == version || byte == later else { throw CorruptBytes("known version", at: start) }
    return byte == later
  }

  package mutating func readFlag(_ what: String) throws(CorruptBytes) -> Bool {
    let start = offset
    let byte = try readByte(what)
    guard byte <= 1 else { throw CorruptBytes(what, at: start) }
    return byte == 1
  }

  mutating func readTimestamp(_ what: String) throws(CorruptBytes) -> Timestamp {
    let start = offset
    let microseconds = Int64(bitPattern: try readLittleEndian(what))
    guard let timestamp = try? Timestamp(microseconds: microseconds) else {
      throw CorruptBytes(what, at: start)
    }
    return timestamp
  }

  mutating func readDatabase() throws(CorruptBytes) -> DatabaseID {
    let start = offset
    let (project, id) = (try readString("project"), try readString("database"))
    guard let database = try? DatabaseID(project: project, database: id) else {
      throw CorruptBytes("database", at: start)
    }
    return database
  }

  /// Reads the path that `append(_:)` appends: its name count (varint) and names (strings).
  package mutating func readFieldPath() throws(CorruptBytes) -> FieldPath {
    let start = offset
    var names: [String] = []
    for _ in 0..<(try readCount("field path")) { names.append(try readString("field name")) }
    guard !names.isEmpty, !names.contains(where: \.isEmpty) else {
      throw CorruptBytes("field path", at: start)
    }
    return FieldPath(unchecked: names)
  }
}

extension UInt64 {
  /// Returns the seven low bits of each of the first `count` bytes, joined in their order.
  @inline(__always)
  fileprivate func varintGroups(_ count: Int) -> UInt64 {
    var bits = self & (.max &>> UInt64(64 &- 8 &* count)) & 0x7F7F_7F7F_7F7F_7F7F
    bits = (bits & 0x007F_007F_007F_007F) | (bits & 0x7F00_7F00_7F00_7F00) &>> 1
    bits = (bits & 0x0000_3FFF_0000_3FFF) | (bits & 0x3FFF_0000_3FFF_0000) &>> 2
    return (bits & 0x0000_0000_0FFF_FFFF) | (bits & 0x0FFF_FFFF_0000_0000) &>> 4
  }
}

extension String {
  /// Creates a string from UTF-8; `nil` for other bytes. It never inserts a replacement character.
  init?(validatingUTF8 bytes: RawSpan) {
    guard let characters = try? UTF8Span(validating: Span<UInt8>(_bytes: bytes)) else { return nil }
    self.init(copying: characters)
  }
}
