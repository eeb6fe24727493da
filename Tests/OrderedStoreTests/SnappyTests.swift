import HearthLevelDBStore
import Testing

/// The decoder of Snappy's raw form, tested with bytes that were put together by hand.
@Suite struct SnappyTests {
  private func decompress(_ bytes: [UInt8]) -> [UInt8]? { Snappy.decompress(bytes.span.bytes) }

  @Test func literals() {
    #expect(decompress([0]) == [])
    #expect(decompress([3, 2 << 2, 7, 8, 9]) == [7, 8, 9])
    let long = [UInt8](repeating: 5, count: 70)
    #expect(decompress([70, 60 << 2, 69] + long) == long)
    let longer = [UInt8](repeating: 6, count: 300)
    #expect(decompress([0xac, 2, 61 << 2, 43, 1] + longer) == longer)
  }

  @Test func copies() {
    // Four bytes from two back: the bytes that the copy makes are copied again.
    #expect(decompress([6, 1 << 2, 1, 2, 0 << 2 | 1, 2]) == [1, 2, 1, 2, 1, 2])
    #expect(decompress([5, 1 << 2, 1, 2, 2 << 2 | 2, 1, 0]) == [1, 2, 2, 2, 2])
    #expect(decompress([5, 1 << 2, 1, 2, 2 << 2 | 3, 2, 0, 0, 0]) == [1, 2, 1, 2, 1])
    // A distance of more than 255 uses the tag's upper bits.
    let far = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
    let bytes = [0xb0, 2, 61 << 2, 43, 1] + far + [1 << 5 | 0 << 2 | 1, 44]
    #expect(decompress(bytes) == far + far[0..<4])
  }

  @Test(arguments: [
    [], [3], [3, 2 << 2, 7, 8], [2, 2 << 2, 7, 8, 9], [4, 2 << 2, 7, 8, 9],
    [6, 1 << 2, 1, 2, 1, 3], [6, 1 << 2, 1, 2, 1, 0], [6, 1 << 2, 1, 2, 1], [70, 60 << 2],
    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], [9, 63 << 2, 255, 255, 255, 255],
  ])
  func refusesIncompleteBytes(_ bytes: [UInt8]) {
    #expect(decompress(bytes) == nil)
  }
}
