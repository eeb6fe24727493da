/// A batch of a log: the number of its first operation and the count of its operations.
///
/// | bytes of a batch | meaning |
/// |---|---|
/// | 8 | number of its first operation, little-endian |
/// | 4 | count of operations, little-endian |
/// | … | for each: 1, key and value, or 0 and key; key and value follow their varint byte counts |
struct LoggedBatch: Equatable {
  private static let headerByteCount = 12

  var firstSequence: UInt64
  var operationCount: UInt64

  /// Number of the first operation of the batch after this one.
  var nextSequence: UInt64 { firstSequence &+ operationCount }

  /// Reads a batch; `nil` unless `record` is one from its first byte to its last.
  init?(_ record: borrowing RawSpan) {
    guard record.byteCount >= Self.headerByteCount else { return nil }
    firstSequence = UInt64(
      littleEndian: unsafe record.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self))
    operationCount = UInt64(
      UInt32(littleEndian: unsafe record.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt32.self)))
    var reader = WireOffset(Self.headerByteCount)
    var remaining = operationCount
    while remaining > 0 {
      guard let operation = reader.readByte(in: record), operation <= 1,
        reader.skipPrefixed(in: record), operation == 0 || reader.skipPrefixed(in: record)
      else { return nil }
      remaining &-= 1
    }
    guard reader.position == record.byteCount else { return nil }
  }
}

extension LoggedBatch {
  /// Calls `body` with each operation of the batch: its number, its key, and its value or `nil` for
  /// a delete. The ranges are places in `record`.
  ///
  /// - Parameter record: the record that the batch was read from.
  func forEachOperation(
    in record: borrowing RawSpan,
    _ body: (_ sequence: UInt64, _ key: Range<Int>, _ value: Range<Int>?) -> Void
  ) {
    var reader = WireOffset(Self.headerByteCount)
    var sequence = firstSequence
    while let operation = reader.readByte(in: record), let key = reader.readPrefixed(in: record) {
      let value = operation == 0 ? nil : reader.readPrefixed(in: record)
      body(sequence, key, value)
      sequence &+= 1
    }
  }
}

/// A position in bytes that LevelDB wrote, moved by reading. Each read is `nil` at the end.
struct WireOffset {
  private(set) var position: Int

  init(_ position: Int = 0) {
    self.position = position
  }

  mutating func readByte(in bytes: borrowing RawSpan) -> UInt8? {
    guard position < bytes.byteCount else { return nil }
    defer { position &+= 1 }
    return unsafe bytes.unsafeLoad(fromByteOffset: position, as: UInt8.self)
  }

  /// Reads seven bits a byte, the lowest first. The top bit says that more bytes follow.
  mutating func readVarint(in bytes: borrowing RawSpan) -> UInt64? {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64, let byte = readByte(in: bytes) {
      result |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 { return result }
      shift &+= 7
    }
    return nil
  }

  /// Skips bytes that follow their count.
  mutating func skipPrefixed(in bytes: borrowing RawSpan) -> Bool {
    readPrefixed(in: bytes) != nil
  }

  /// Returns the range of bytes that follow their count, and moves past them.
  mutating func readPrefixed(in bytes: borrowing RawSpan) -> Range<Int>? {
    guard let count = readVarint(in: bytes), count <= UInt64(bytes.byteCount &- position) else {
      return nil
    }
    return skip(Int(count), in: bytes)
  }

  /// Returns the range of the next `count` bytes, and moves past them.
  mutating func skip(_ count: Int, in bytes: borrowing RawSpan) -> Range<Int>? {
    guard count >= 0, count <= bytes.byteCount &- position else { return nil }
    defer { position &+= count }
    return position..<position &+ count
  }
}
