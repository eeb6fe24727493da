// The record under a key `e`:
//
//   version              1 byte, 1
//   complete             1 byte: 0 while the entries that were there before are being summed up
//   begun                varint: the commit from which on changes are in it
//   of documents         count, low word, high word: 8 bytes little-endian each
//   of batches           the same
//
// A word is the wrapping sum of a hash of the key and value of each entry, a name's value without
// the zeros at its end.

/// An order-independent sum over index entries: their number, and 128 bits of hashes of their keys
/// and values.
///
/// Equal sums mean equal entries except for a chance of 1 in 2^128, as long as the entries were not
/// chosen to collide. The sum detects faults, not forgery.
package struct EntrySum: Sendable, Hashable {
  /// The number of entries, modulo 2^64: it is the bits of a negative number if more entries were
  /// removed than added.
  package private(set) var count: UInt64 = 0
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  package init() {}

  /// Creates the sum of one entry.
  init(key: RawSpan, value: RawSpan) {
    var hash = EntryHash()
    hash.combine(key)
    hash.combine(value)
    (count, low, high) = (1, hash.low, hash.high)
  }

  package static func += (sum: inout EntrySum, other: EntrySum) {
    sum.count &+= other.count
    sum.low &+= other.low
    sum.high &+= other.high
  }

  package static func -= (sum: inout EntrySum, other: EntrySum) {
    sum.count &-= other.count
    sum.low &-= other.low
    sum.high &-= other.high
  }

  fileprivate func append(to bytes: inout [UInt8]) {
    bytes.appendLittleEndian(count)
    bytes.appendLittleEndian(low)
    bytes.appendLittleEndian(high)
  }

  fileprivate init(_ reader: inout ByteReader) throws(CorruptBytes) {
    count = try reader.readLittleEndian("count of entries")
    low = try reader.readLittleEndian("sum of entries")
    high = try reader.readLittleEndian("sum of entries")
  }
}

/// Two hashes of the same bytes, with different multipliers.
private struct EntryHash {
  private(set) var low: UInt64 = 0x9E37_79B9_7F4A_7C15
  private(set) var high: UInt64 = 0xD1B5_4A32_D192_ED03

  private mutating func combine(_ bits: UInt64) {
    let lowProduct = (low ^ bits).multipliedFullWidth(by: 0xBF58_476D_1CE4_E5B9)
    low = (lowProduct.high ^ lowProduct.low) &+ bits
    let highProduct = (high &+ bits).multipliedFullWidth(by: 0x94D0_49BB_1331_11EB)
    high = (highProduct.high &+ highProduct.low) ^ bits
  }

  /// Adds `bytes` and their count to the hashes.
  mutating func combine(_ bytes: RawSpan) {
    var offset = 0
    while offset &+ 8 <= bytes.byteCount {
      combine(bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
      offset &+= 8
    }
    var rest: UInt64 = 0
    while offset < bytes.byteCount {
      rest = rest &<< 8 | UInt64(bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self))
      offset &+= 1
    }
    combine(rest)
    combine(UInt64(truncatingIfNeeded: bytes.byteCount))
  }
}

/// The two sums of a space's entries.
package struct EntrySums: Sendable, Hashable {
  private static let version: UInt8 = 1

  /// The sum over the entries that the documents account for.
  package var ofDocuments = EntrySum()
  /// The sum over the entries that batches put and deleted.
  package var ofBatches = EntrySum()
  /// The number of the first commit whose changes are in the sums.
  package var begun: UInt64
  /// Whether the entries from before that commit are in the sums, too.
  package var isComplete: Bool

  package init(begun: UInt64, isComplete: Bool) {
    self.begun = begun
    self.isComplete = isComplete
  }

  package func append(to bytes: inout [UInt8]) {
    bytes.append(EntrySums.version)
    bytes.append(isComplete ? 1 : 0)
    bytes.appendVarint(begun)
    ofDocuments.append(to: &bytes)
    ofBatches.append(to: &bytes)
  }

  /// - Throws: ``CorruptBytes``.
  package init(_ bytes: RawSpan) throws(CorruptBytes) {
    var reader = try ByteReader(bytes, version: EntrySums.version)
    isComplete = try reader.readFlag("complete")
    begun = try reader.readVarint("number of a commit")
    ofDocuments = try EntrySum(&reader)
    ofBatches = try EntrySum(&reader)
    try reader.requireEnd()
  }
}
