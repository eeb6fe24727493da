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
    firstSequence = record.littleEndian(at: 0)
    operationCount = UInt64(record.littleEndian(at: 8) as UInt32)
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
