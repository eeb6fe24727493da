// An order-preserving key, byte by byte:
//
//   integer   := 10 groups
//                where the integer becomes a double, its bits are made to sort as unsigned, and are
//                written as groups of 7 bits from the top; the low bit of each byte says that a
//                non-zero group follows
//   boolean   := 20 | 21
//   string    := 30, bytes with 00 written as 00 FF, 00
//   strings   := 40, string*, 01
//   name      := as a string without its tag
//
// A descending component has all of its bytes inverted. No tag is 00 or FF, so that a terminator
// never runs into an escape.

/// A key under construction; reused to keep its buffer.
package struct OrderedKey {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Starts a new key.
  package mutating func begin(_ prefix: KeyPrefix) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(prefix.rawValue)
  }

  /// Appends a small number of the layout's own: an index, a collection.
  package mutating func append(small number: Int) {
    append(number: UInt64(number))
  }

  /// Appends a number so that bytes sort as numbers do: a byte count, then that many bytes.
  package mutating func append(number: UInt64) {
    let byteCount = (64 - number.leadingZeroBitCount + 7) / 8
    bytes.append(UInt8(byteCount))
    for index in stride(from: byteCount - 1, through: 0, by: -1) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(index * 8)))
    }
  }

  /// Appends a number in 8 bytes, so that it can be found from the key's end.
  package mutating func append(fixed number: UInt64) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends a name taken from the end of an entry's key. A descending entry's name is inverted
  /// there.
  package mutating func append(storedName: Slice<UnsafeRawBufferPointer>, isInverted: Bool) {
    let start = bytes.count
    bytes.append(contentsOf: storedName)
    if isInverted { invert(from: start) }
  }

  package mutating func append(_ value: SampleValue, descending: Bool) {
    let start = bytes.count
    switch value {
    case .integer(let integer):
      bytes.append(0x10)
      append(groupsOf: Double(integer))
    case .boolean(let boolean):
      bytes.append(boolean ? 0x21 : 0x20)
    case .string(let string):
      bytes.append(0x30)
      append(terminated: string)
    case .strings(let strings):
      bytes.append(0x40)
      for string in strings {
        bytes.append(0x30)
        append(terminated: string)
      }
      bytes.append(0x01)
    }
    if descending { invert(from: start) }
  }

  package mutating func append(name: String, descending: Bool) {
    let start = bytes.count
    append(terminated: name)
    if descending { invert(from: start) }
  }

  package mutating func append(terminated string: String) {
    var string = string
    string.withUTF8 { utf8 in
      if utf8.contains(0) {
        for byte in utf8 {
          bytes.append(byte)
          if byte == 0 { bytes.append(0xFF) }
        }
      } else {
        bytes.append(contentsOf: utf8)
      }
    }
    bytes.append(0)
  }

  private mutating func append(groupsOf double: Double) {
    let pattern = double.bitPattern
    var rest = pattern >> 63 == 1 ? ~pattern : pattern | (1 << 63)
    repeat {
      let group = UInt8(truncatingIfNeeded: rest >> 57)
      rest <<= 7
      bytes.append(group << 1 | (rest == 0 ? 0 : 1))
    } while rest != 0
  }

  private mutating func invert(from start: Int) {
    for index in start..<bytes.count { bytes[index] = ~bytes[index] }
  }
}

/// The first byte of every key.
package enum KeyPrefix: UInt8 {
  /// Documents by name.
  case documentByName = 0x44
  /// Documents by number.
  case documentByNumber = 0x64
  /// From a name to a number.
  case numberOfName = 0x6E
  /// Index entries.
  case entry = 0x49
  /// The key index of a collection group: whole paths.
  case groupName = 0x47
}
