import HearthStorageFormat
import Testing

@Suite struct ByteReaderTests {
  private func varint(_ bytes: [UInt8]) throws -> UInt64 {
    var reader = ByteReader(bytes.span.bytes)
    let value = try reader.readVarint("varint")
    try reader.requireEnd()
    return value
  }

  private static let ones = [UInt8](repeating: 0xFF, count: 9)

  @Test func numbersComeBack() throws {
    for value in [0, 1, 127, 128, 300, 1 << 35, .max - 1, .max] as [UInt64] {
      var bytes: [UInt8] = []
      bytes.appendVarint(value)
      #expect(try varint(bytes) == value)
    }
    for value in [0, -1, 1, -64, 64, .min, .max] as [Int64] {
      var bytes: [UInt8] = []
      bytes.appendSigned(value)
      var reader = ByteReader(bytes.span.bytes)
      #expect(try reader.readSigned("number") == value)
      #expect((bytes.count == 1) == (-64...63).contains(value))
    }
    #expect(try varint(Self.ones + [1]) == .max)
  }

  /// The least and the greatest number of each size.
  @Test(arguments: 1...10)
  func varintsHaveTheShortestForm(_ byteCount: Int) throws {
    let least: UInt64 = byteCount == 1 ? 0 : 1 << (7 * (byteCount - 1))
    let greatest: UInt64 = byteCount == 10 ? .max : 1 << (7 * byteCount) - 1
    for value in [least, greatest, least + (greatest - least) / 3] {
      var bytes: [UInt8] = [0xAA]
      bytes.appendVarint(value)
      #expect(bytes.count == 1 + byteCount)
      #expect(try varint(Array(bytes.dropFirst())) == value)
    }
  }

  @Test(arguments: [[], [0x80], [0x80, 0], [0xFF, 0x80, 0], ones + [2], ones + [0xFF, 0]])
  func otherFormsAreRefused(_ bytes: [UInt8]) {
    #expect(throws: CorruptBytes.self) { try varint(bytes) }
  }

  @Test func readsPastTheEndAreRefused() throws {
    let bytes: [UInt8] = [3, 0x61, 0x62]
    var reader = ByteReader(bytes.span.bytes)
    #expect(throws: CorruptBytes("text", at: 0)) { try varintString(bytes) }
    #expect(throws: CorruptBytes.self) { try skip(bytes, .max) }
    #expect(throws: CorruptBytes.self) { try skip(bytes, -1) }
    #expect(try reader.readByte("byte") == 3)
    #expect(reader.offset == 1 && reader.remainingByteCount == 2)
  }

  private func varintString(_ bytes: [UInt8]) throws -> String {
    var reader = ByteReader(bytes.span.bytes)
    return try reader.readString("text")
  }

  private func skip(_ bytes: [UInt8], _ count: Int) throws {
    var reader = ByteReader(bytes.span.bytes)
    try reader.skip(count, "bytes")
  }
}
