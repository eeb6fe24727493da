import HearthDocumentEngine
import HearthDocumentModel
import HearthStorageFormat
import TestSupport
import Testing

@Suite struct RangeMapTests {
  private func found(_ map: RangeMap<Int>, _ key: [UInt8]) -> Set<Int> {
    var found: Set<Int> = []
    map.forEach(containing: key.span.bytes) { element in
      #expect(found.insert(element).inserted, "\(element) was found twice")
    }
    return found
  }

  @Test func aRangeHoldsItsLowerBoundAndNotItsUpperOne() {
    var map = RangeMap<Int>()
    let handle = map.insert(KeyRange(lower: [1, 2], upper: [1, 4]), 7)
    #expect(found(map, [1, 2]) == [7])
    #expect(found(map, [1, 3, 255]) == [7])
    #expect(found(map, [1, 1, 255]).isEmpty)
    #expect(found(map, [1, 4]).isEmpty)
    map.remove(handle)
    #expect(found(map, [1, 2]).isEmpty)
    #expect(map.count == 0)
  }

  @Test func equalRangesAreHeldApart() {
    var map = RangeMap<Int>()
    let range = KeyRange.prefix([5])
    let handles = (0..<4).map { map.insert(range, $0) }
    map.remove(handles[1])
    map.remove(handles[3])
    #expect(found(map, [5, 0]) == [0, 2])
    #expect(map.count == 2)
  }

  /// The map agrees with a list that is searched from end to end.
  @Test func itFindsWhatAListFinds() {
    var random = SplitMix64(seed: GeneratedCases.seed())
    var map = RangeMap<Int>()
    var listed: [(element: Int, range: KeyRange, handle: RangeMap<Int>.Handle)] = []
    func key() -> [UInt8] {
      (0..<Int.random(in: 0...3, using: &random)).map { _ in UInt8.random(in: 0...3, using: &random)
      }
    }
    for step in 0..<GeneratedCases.count {
      if listed.count > 60 || (!listed.isEmpty && random.oneIn(3)) {
        let index = Int.random(in: listed.indices, using: &random)
        map.remove(listed.remove(at: index).handle)
      } else {
        let (left, right) = (key(), key())
        let isOrdered = left.byteCompare(right) != .greater
        let range = KeyRange(lower: isOrdered ? left : right, upper: isOrdered ? right : left)
        listed.append((step, range, map.insert(range, step)))
      }
      let key = key()
      let expected = Set(listed.filter { $0.range.contains(key.span.bytes) }.map(\.element))
      guard found(map, key) == expected, map.count == listed.count else {
        Issue.record("step \(step): \(found(map, key)) in place of \(expected)")
        return
      }
    }
  }

  /// Ranges that are added in order make a list of a tree that isn't balanced.
  @Test func aSearchLooksAtFewRanges() {
    var map = RangeMap<Int>()
    let handles = (0..<100_000).map { number in
      map.insert(.prefix(withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) }), number)
    }
    for handle in handles[..<50_000] { map.remove(handle) }
    #expect(map.count == 50_000)
    #expect(map.depth < 50, "depth \(map.depth)")
    var hits = 0
    let key: [UInt8] = withUnsafeBytes(of: UInt32(70_000).bigEndian) { Array($0) } + [1]
    let visited = map.forEach(containing: key.span.bytes) { _ in hits += 1 }
    #expect(hits == 1)
    #expect(visited < 50, "looked at \(visited)")
  }
}
