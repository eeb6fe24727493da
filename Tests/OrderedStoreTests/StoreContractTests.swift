import HearthOrderedStore
import Testing

/// The promises of every ordered store, on each implementation and on two side by side.
@Suite("Store contract") struct StoreContractTests {
  @Test(arguments: StoreKind.allCases)
  func keysOrderAsUnsignedBytes(_ kind: StoreKind) throws {
    let tested = try StoreUnderTest(kind)
    let ordered: [[UInt8]] = [
      [], [0], [0, 0], [0, 0xff], [1], [0x7f], [0x7f, 1], [0x80], [0xfe, 0xff], [0xff],
      [0xff, 0], [0xff, 0xff],
    ]
    // Long enough to be compared by words, with the first difference at each place of a word.
    let stem: [UInt8] = [0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    var long: [[UInt8]] = []
    for place in stem.indices {
      for byte: UInt8 in [0x30, 0xa0] { long.append(stem[..<place] + [byte] + stem) }
    }
    let keys = (ordered + long).sorted { $0.lexicographicallyPrecedes($1) }
    #expect(keys.filter(ordered.contains) == ordered)
    for key in keys.reversed() { try tested.put((key, key + [9])) }
    let expected = keys.map { Entry($0, $0 + [9]) }
    let snapshot = try tested.store.makeSnapshot()
    #expect(try snapshot.entries() == expected)
    #expect(try snapshot.entriesBackwards() == expected.reversed())
  }

  @Test(arguments: StoreKind.allCases)
  func emptyValueIsNoMissingValue(_ kind: StoreKind) throws {
    let tested = try StoreUnderTest(kind)
    try tested.put(([1], []))
    let snapshot = try tested.store.makeSnapshot()
    #expect(try snapshot.value(of: [1]) == [])
    #expect(try snapshot.value(of: [2]) == nil)
    #expect(try snapshot.value(of: []) == nil)
    #expect(try snapshot.entries() == [Entry([1], [])])
  }

  @Test(arguments: StoreKind.allCases)
  func valuesAreLentAsTheyAreReturned(_ kind: StoreKind) throws {
    let tested = try StoreUnderTest(kind)
    try tested.put(([1], []), ([2], [20, 21]), ([3], [30]))
    var batch = StoreBatch()
    batch.delete([3])
    try tested.store.write(batch)
    let snapshot = try tested.store.makeSnapshot()
    for key: UInt8 in 0...4 {
      var lent: [[UInt8]] = []
      try snapshot.withValue(of: [key].span.bytes) { lent.append([UInt8](copying: $0)) }
      #expect(try lent.first == snapshot.value(of: [key]) && lent.count < 2)
    }
    var lent: [UInt8]?
    let second: [UInt8] = [2]
    try snapshot.withValue(of: second.span.bytes) { lent = [UInt8](copying: $0) }
    #expect(lent == [20, 21])
  }

  @Test(arguments: StoreKind.allCases)
  func seeksBeforeBetweenAndAfter(_ kind: StoreKind) throws {
    let tested = try StoreUnderTest(kind)
    let cursorOfNothing = try tested.store.makeSnapshot().makeCursor()
    #expect(!cursorOfNothing.isValid)
    try cursorOfNothing.seek(to: [])
    #expect(!cursorOfNothing.isValid)
    try cursorOfNothing.seek(before: [9])
    #expect(!cursorOfNothing.isValid)

    try tested.put(([2], [20]), ([4], [40]), ([4, 0], [41]))
    let cursor = try tested.store.makeSnapshot().makeCursor()
    #expect(!cursor.isValid)
    let cases: [(key: [UInt8], to: [UInt8]?, before: [UInt8]?)] = [
      ([], [2], nil), ([1], [2], nil), ([2], [2], nil), ([2, 0], [4], [2]), ([3], [4], [2]),
      ([4], [4], [2]), ([4, 0], [4, 0], [4]), ([4, 1], nil, [4, 0]), ([9], nil, [4, 0]),
    ]
    for (key, to, before) in cases {
      try cursor.seek(to: key)
      #expect(cursor.entry()?.key == to, "seek to \(key)")
      #expect(try !cursor.seekReadable(to: key) && cursor.entry()?.key == to)
      try cursor.seek(before: key)
      #expect(cursor.entry()?.key == before, "seek before \(key)")
    }
    try cursor.checkReads()
  }

  @Test(arguments: StoreKind.allCases)
  func cursorTurnsRoundAndComesBackFromTheEnds(_ kind: StoreKind) throws {
    let tested = try StoreUnderTest(kind)
    try tested.put(([1], [1]), ([2], [2]), ([3], [3]))
    let cursor = try tested.store.makeSnapshot().makeCursor()
    try cursor.seek(to: [2])
    try cursor.next()
    #expect(cursor.entry() == Entry([3], [3]))
    try cursor.previous()
    #expect(cursor.entry() == Entry([2], [2]))
    try cursor.previous()
    #expect(cursor.entry() == Entry([1], [1]))
    try cursor.next()
    #expect(cursor.entry() == Entry([2], [2]))
    try cursor.seek(to: [3])
    try cursor.next()
    #expect(!cursor.isValid)
    try cursor.seek(before: [2])
    #expect(cursor.entry() == Entry([1], [1]))
    try cursor.previous()
    #expect(!cursor.isValid)
    try cursor.seek(to: [])
    #expect(cursor.entry() == Entry([1], [1]))
  }

  @Test(arguments: StoreKind.allCases)
  func snapshotsRepeatTheirReads(_ kind: StoreKind) throws {
    let tested = try StoreUnderTest(kind)
    try tested.put(([1], [1]), ([2], [2]))
    let early = try tested.store.makeSnapshot()
    let cursor = try early.makeCursor()
    try cursor.seek(to: [])
    try tested.put(([0], [0]), ([1], [10]))
    try tested.delete([2])
    try tested.store.compact(from: nil, to: nil)
    let late = try tested.store.makeSnapshot()
    #expect(try late.entries() == [Entry([0], [0]), Entry([1], [10])])
    #expect(try early.entries() == [Entry([1], [1]), Entry([2], [2])])
    #expect(try early.value(of: [0]) == nil)
    #expect(try early.value(of: [1]) == [1])
    #expect(try early.value(of: [2]) == [2])
    #expect(cursor.entry() == Entry([1], [1]))
    try cursor.next()
    #expect(cursor.entry() == Entry([2], [2]))
  }

  @Test(arguments: StoreKind.allCases)
  func laterOperationsOfABatchWin(_ kind: StoreKind) throws {
    let tested = try StoreUnderTest(kind)
    try tested.put(([9], [9]))
    var batch = StoreBatch()
    batch.put([1], [1])
    batch.delete([1])
    batch.delete([2])
    batch.put([2], [2])
    batch.put([3], [3])
    batch.put([3], [33])
    batch.delete([9])
    batch.delete([8])
    batch.put([4], [4])
    batch.delete([3])
    #expect(batch.count == 10)
    try tested.store.write(batch)
    try tested.store.write(StoreBatch())
    #expect(try tested.store.makeSnapshot().entries() == [Entry([2], [2]), Entry([4], [4])])
  }

  @Test(arguments: StoreKind.allCases)
  func takesBigBatchesAndValues(_ kind: StoreKind) throws {
    let tested = try StoreUnderTest(kind)
    let count = 40_000
    var batch = StoreBatch()
    for number in 0..<count {
      // In an order that is neither ascending nor descending.
      let key = bigEndian(number &* 7919 % count)
      batch.put(key, key)
    }
    try tested.store.write(batch)
    let snapshot = try tested.store.makeSnapshot()
    let entries = try snapshot.entries()
    #expect(entries == (0..<count).map { Entry(bigEndian($0), bigEndian($0)) })

    let large = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try tested.put(([0xff], large))
    #expect(try tested.store.makeSnapshot().value(of: [0xff]) == large)
    #expect(try snapshot.value(of: [0xff]) == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func compactsAnyRange(_ kind: StoreKind) throws {
    let tested = try StoreUnderTest(kind)
    for number in 0..<200 { try tested.put((bigEndian(number), [UInt8](repeating: 1, count: 999))) }
    for number in 0..<190 { try tested.delete(bigEndian(number)) }
    let expected = (190..<200).map { Entry(bigEndian($0), [UInt8](repeating: 1, count: 999)) }
    let ranges: [([UInt8]?, [UInt8]?)] = [
      (nil, nil), ([], nil), (nil, []), ([2], [1]), (bigEndian(3), bigEndian(100)),
      (nil, bigEndian(50)), (bigEndian(50), nil),
    ]
    for (lower, upper) in ranges {
      try tested.store.compact(from: lower, to: upper)
      #expect(try tested.store.makeSnapshot().entries() == expected)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func sizesGrowWithTheRange(_ kind: StoreKind) throws {
    let tested = try StoreUnderTest(kind)
    var generator = SeededGenerator(seed: 1)
    for number in 0..<1000 {
      try tested.put(
        (bigEndian(number), (0..<1000).map { _ in UInt8.random(in: 0...255, using: &generator) }))
    }
    try tested.store.compact(from: nil, to: nil)
    let store = tested.store
    let all = try store.approximateByteCount(from: [], to: [0xff])
    let half = try store.approximateByteCount(from: [], to: bigEndian(500))
    #expect((900_000..<1_200_000).contains(all))
    #expect((350_000..<650_000).contains(half))
    #expect(try store.approximateByteCount(from: [0xff], to: []) == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func refusesEverythingOnceClosed(_ kind: StoreKind) throws {
    let tested = try StoreUnderTest(kind)
    let store = tested.store
    try tested.put(([1], [1]))
    let snapshot = try store.makeSnapshot()
    let cursor = try snapshot.makeCursor()
    try cursor.seek(to: [])
    let untouched = try snapshot.makeCursor()
    try store.close()
    try store.close()
    expectClosed { () throws(StoreError) in _ = try store.makeSnapshot() }
    expectClosed { () throws(StoreError) in try store.write(StoreBatch()) }
    expectClosed { () throws(StoreError) in try store.compact(from: nil, to: nil) }
    expectClosed { () throws(StoreError) in _ = try store.approximateByteCount(from: [], to: []) }
    expectClosed { () throws(StoreError) in _ = try snapshot.value(of: [1]) }
    expectClosed { () throws(StoreError) in _ = try snapshot.makeCursor() }
    // The cursor's present entry stays readable until the cursor is moved.
    #expect(cursor.entry() == Entry([1], [1]))
    expectClosed { () throws(StoreError) in try cursor.next() }
    expectClosed { () throws(StoreError) in try cursor.seek(to: []) }
    expectClosed { () throws(StoreError) in try cursor.checkReads() }
    expectClosed { () throws(StoreError) in try untouched.seek(before: []) }
  }
}

func expectClosed(_ body: () throws(StoreError) -> Void) {
  do throws(StoreError) {
    try body()
    Issue.record("a closed store answered")
  } catch {
    #expect(error.code == .closed)
  }
}

/// Returns four bytes that order as the number does.
func bigEndian(_ number: Int) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
}
