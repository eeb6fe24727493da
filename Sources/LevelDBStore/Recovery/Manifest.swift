import OrderedStore

/// Which files LevelDB holds for its own, after all the edits of its MANIFEST.
///
/// A MANIFEST is a log of edits. An edit is a row of fields, each behind its varint tag:
///
/// | tag | field |
/// |---|---|
/// | 1 | name of the order of keys |
/// | 2, 9 | number of the oldest live log; of one more, from old versions (0: none) |
/// | 3, 4 | next number of a file; last number of an operation |
/// | 5 | level, key: where compaction goes on |
/// | 6 | level, number of a table that goes |
/// | 7 | level, number, byte count, first key, last key of a table that comes |
struct Manifest: Equatable {
  private(set) var logNumber: UInt64 = 0
  private(set) var previousLogNumber: UInt64 = 0
  private(set) var lastSequence: UInt64 = 0
  private(set) var tables: Set<UInt64> = []

  /// - Returns: `false` where `record` is no edit; the manifest is then of no use.
  mutating func apply(_ record: borrowing RawSpan) -> Bool {
    var reader = WireOffset()
    while reader.position < record.byteCount {
      guard let tag = reader.readVarint(in: record),
        applyField(tag, in: record, from: &reader)
      else { return false }
    }
    return true
  }

  private mutating func applyField(
    _ tag: UInt64, in record: borrowing RawSpan, from reader: inout WireOffset
  ) -> Bool {
    switch tag {
    case 1: return reader.skipPrefixed(in: record)
    case 2: return reader.read(into: &logNumber, in: record)
    case 3: return reader.readVarint(in: record) != nil
    case 4: return reader.read(into: &lastSequence, in: record)
    case 5: return reader.readVarint(in: record) != nil && reader.skipPrefixed(in: record)
    case 6:
      guard reader.readVarint(in: record) != nil, let number = reader.readVarint(in: record)
      else { return false }
      tables.remove(number)
      return true
    case 7:
      guard reader.readVarint(in: record) != nil, let number = reader.readVarint(in: record),
        reader.readVarint(in: record) != nil, reader.skipPrefixed(in: record),
        reader.skipPrefixed(in: record)
      else { return false }
      tables.insert(number)
      return true
    case 9: return reader.read(into: &previousLogNumber, in: record)
    default: return false
    }
  }
}

extension WireOffset {
  fileprivate mutating func read(into target: inout UInt64, in bytes: borrowing RawSpan) -> Bool {
    guard let number = readVarint(in: bytes) else { return false }
    target = number
    return true
  }
}
