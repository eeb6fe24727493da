// A number whose encoding sorts by exact mathematical value (§2.3), integers among doubles:
//
//   magnitude   63 bits: the double d, without its sign
//   remainder   14 bits: |i| - d for an integer i, 0...1023; 0 for a double
//
// d is the double itself, or the largest one up to |i|. The 77 bits are written as eleven groups of
// seven, highest first, without the zero groups at the end; a byte is `group << 1 | 1`, and the
// last one `group << 1`. Zero is the byte 00. A negative number's bytes are inverted. The sign
// is in the label before it (`OrderedValue`). Small whole numbers take two to four bytes.
//
// 42 and 42.0 have one encoding, as have 0, 0.0 and -0.0: `EntryValue` holds the difference.

import HearthDocumentModel

/// The form of a number, which a key doesn't hold: equal forms have one encoding.
package enum NumberKind: UInt8, Sendable {
  /// An integer if the number is whole and in the range of integers, otherwise a double.
  case integerIfWhole = 0
  case double = 1
  /// The double -0.0.
  case negativeZero = 2
}

/// The magnitude of a number, in the two parts that the encoding holds.
struct OrderedMagnitude {
  /// The bits of a positive double.
  let bits: UInt64
  /// The difference between an integer and that double; 0 for a double.
  let remainder: UInt64

  init(_ value: Double) {
    bits = value.magnitude.bitPattern
    remainder = 0
  }

  init(_ value: Int64) {
    let magnitude = value.magnitude
    // A double holds 53 bits; the lower ones of a longer integer are the remainder.
    let excess = max(0, 11 &- magnitude.leadingZeroBitCount)
    remainder = magnitude & ((1 &<< UInt64(excess)) &- 1)
    bits = Double(magnitude &- remainder).bitPattern
  }

  private var groupCount: Int {
    guard remainder == 0 else { return remainder & 0x7F == 0 ? 10 : 11 }
    return bits == 0 ? 1 : 9 &- bits.trailingZeroBitCount / 7
  }

  func append(isNegative: Bool, to bytes: inout [UInt8]) {
    let mask: UInt64 = isNegative ? .max : 0
    let count = groupCount
    guard count > 8 else {
      // One byte for each group. All but the last have the mark that another follows.
      let marks = 0x0101_0101_0101_0100 &<< UInt64(8 &* (8 &- count))
      bytes.appendBigEndian((firstGroups | marks) ^ mask, byteCount: count)
      return
    }
    bytes.appendBigEndian((firstGroups | 0x0101_0101_0101_0101) ^ mask)
    // The double's last group and the remainder's two; 1 to 3 of them are written.
    let (first, second) = (bits &<< 1 & 0xFE, remainder &>> 6 & 0xFE)
    let last: UInt64 = first &<< 16 | second &<< 8 | remainder &<< 1 & 0xFE
    let marks: UInt64 = 0x010100 &<< UInt64(8 &* (11 &- count)) & 0xFFFFFF
    bytes.appendBigEndian(((last | marks) ^ mask) &<< 40, byteCount: count &- 8)
  }

  /// The first eight groups, one in the upper bits of each byte.
  private var firstGroups: UInt64 { (bits &>> 7).sevenBitGroups &<< 1 }
}

extension ColumnReader {
  mutating func readMagnitude(isNegative: Bool) throws(CorruptBytes) -> OrderedMagnitude {
    let start = offset
    var (bits, remainder): (UInt64, UInt64) = (0, 0)
    var index = 0
    var byte: UInt8
    repeat {
      guard index < 11 else { throw CorruptBytes("number", at: start) }
      byte = try readByte("number") ^ (isNegative ? 0xFF : 0)
      let group = UInt64(byte &>> 1)
      if index < 9 {
        bits |= group &<< UInt64(56 &- 7 &* index)
      } else {
        remainder |= group &<< UInt64(70 &- 7 &* index)
      }
      index &+= 1
    } while byte & 1 == 1
    let isShortest = byte != 0 || (index == 1 && !isNegative)
    guard isShortest, let magnitude = OrderedMagnitude(bits: bits, remainder: remainder) else {
      throw CorruptBytes("number", at: start)
    }
    return magnitude
  }
}

extension OrderedMagnitude {
  /// Creates a magnitude; `nil` for one that no number has: a NaN's bits, or a remainder that
  /// reaches the next double.
  init?(bits: UInt64, remainder: UInt64) {
    let value = Double(bitPattern: bits)
    guard !value.isNaN else { return nil }
    if remainder != 0 {
      guard value >= 0x1p53, value < 0x1p63, Double(remainder) < value.ulp else { return nil }
    }
    self.bits = bits
    self.remainder = remainder
  }

  /// Returns the number in the form of `kind`; `nil` if it has no such form.
  func number(_ kind: NumberKind, isNegative: Bool) -> Value? {
    let value = Double(bitPattern: bits)
    switch kind {
    case .negativeZero: return bits == 0 ? .double(-0.0) : nil
    case .double: return remainder == 0 ? .double(isNegative ? -value : value) : nil
    case .integerIfWhole:
      guard value <= 0x1p63, value == value.rounded(.towardZero) else {
        return .double(isNegative ? -value : value)
      }
      let magnitude = UInt64(value) &+ remainder
      if isNegative { return .integer(Int64(truncatingIfNeeded: 0 &- magnitude)) }
      return magnitude < 1 &<< 63 ? .integer(Int64(magnitude)) : .double(value)
    }
  }
}
