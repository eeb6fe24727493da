/// The fields of a serialised protocol buffer, in sequence.
struct ProtobufMessage {
  /// A field with its number in the message's definition.
  struct Field: Equatable {
    enum Contents: Equatable {
      case number(UInt64)
      /// A string, or a nested message.
      case bytes([UInt8])
      /// A number of four or eight bytes.
      case fixed
    }

    let number: UInt64
    let value: Contents
  }

  /// The error for bytes that are no such message.
  struct Malformed: Error {}

  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  /// Reads the next field; `nil` at the end.
  mutating func next() throws(Malformed) -> Field? {
    guard !rest.isEmpty else { return nil }
    let key = try readNumber()
    let number = key >> 3
    guard number > 0 else { throw Malformed() }
    switch key & 7 {
    case 0: return Field(number: number, value: .number(try readNumber()))
    case 1:
      _ = try take(8)
      return Field(number: number, value: .fixed)
    case 2:
      let count = try readNumber()
      return Field(number: number, value: .bytes(Array(try take(count))))
    case 5:
      _ = try take(4)
      return Field(number: number, value: .fixed)
    default: throw Malformed()
    }
  }

  /// Reads a varint: seven bits a byte, the lowest first; the highest bit says that more bytes
  /// follow.
  private mutating func readNumber() throws(Malformed) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = rest.popFirst() else { throw Malformed() }
      let bits = UInt64(byte & 0x7F)
      guard shift < 63 || bits <= 1 else { throw Malformed() }
      number |= bits << shift
      if byte & 0x80 == 0 { return number }
    }
    throw Malformed()
  }

  private mutating func take(_ count: UInt64) throws(Malformed) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw Malformed() }
    let taken = rest.prefix(Int(count))
    rest = rest.dropFirst(Int(count))
    return taken
  }
}
