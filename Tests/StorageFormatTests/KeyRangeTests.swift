import HearthStorageFormat
import Testing

@Suite struct KeyRangeTests {
  @Test func successors() {
    #expect(KeyRange.successor(of: [1, 2]) == [1, 3])
    #expect(KeyRange.successor(of: [1, 0xFF, 0xFF]) == [2])
    #expect(KeyRange.successor(of: [0xFF]) == KeyRange.endOfKeys)
    #expect(KeyRange.successor(of: []) == KeyRange.endOfKeys)
  }

  @Test func intersections() {
    let range = KeyRange(lower: [2], upper: [5])
    #expect(
      range.intersection(KeyRange(lower: [3], upper: [9])) == KeyRange(lower: [3], upper: [5]))
    #expect(range.intersection(.all) == range)
    #expect(range.intersection(KeyRange(lower: [5], upper: [9])).isEmpty)
    #expect(!range.isEmpty)
    let keys: [([UInt8], Bool)] = [
      ([2], true), ([4, 255], true), ([5], false), ([1, 255], false),
    ]
    for (key, isInside) in keys {
      #expect(range.contains(key.span.bytes) == isInside)
    }
  }
}
