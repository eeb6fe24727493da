import HearthDocumentEngine
import TestSupport
import Testing

/// The table of names keeps what fits, and no name is lost when it grows.
@Suite struct NameTableTests {
  /// Returns hashes that fill the sets evenly, so that no set has more names than others.
  private static func evenHashes(_ count: Int) -> [UInt64] {
    var random = SplitMix64(seed: 7)
    return (0..<count).map { UInt64($0) | UInt64.random(in: 0..<1 << 40, using: &random) << 16 }
  }

  private static func table(of hashes: some Sequence<UInt64>, _ byteCountLimit: Int) -> NameTable {
    var table = NameTable(byteCountLimit: byteCountLimit)
    for (index, hash) in hashes.enumerated() { table.insert(UInt64(index + 1), hash) }
    return table
  }

  @Test func everyNameIsFoundAfterTheTableHasGrown() {
    let hashes = Self.evenHashes(16_000)
    let table = Self.table(of: hashes, 1 << 20)
    #expect(hashes.indices.allSatisfy { table.number(hashes[$0]) == UInt64($0 + 1) })
  }

  @Test func otherNamesAreNotFound() {
    let hashes = Self.evenHashes(6_000)
    let table = Self.table(of: hashes.prefix(3_000), 1 << 20)
    #expect(hashes.dropFirst(3_000).allSatisfy { table.number($0) == nil })
    #expect(NameTable(byteCountLimit: 1 << 20).number(hashes[0]) == nil)
  }

  @Test func theOldestNameMakesRoomWhereMemoryEnds() {
    let hashes = Self.evenHashes(64 * 9)
    // 64 sets have room for 512 names, and each gets a ninth one.
    let table = Self.table(of: hashes, 64 * 64)
    let lost = hashes.indices.filter { table.number(hashes[$0]) == nil }
    #expect(lost == Array(0..<64))
  }

  /// The number of sets is a power of two.
  @Test(arguments: [(3, 2), (63, 32), (100, 64)])
  func theNumberOfSetsIsRoundedDown(_ lineCount: Int, _ setCount: Int) {
    let hashes = Self.evenHashes(setCount * 9)
    let table = Self.table(of: hashes, lineCount * 64)
    let kept = hashes.indices.filter { table.number(hashes[$0]) != nil }
    #expect(kept == Array(setCount..<setCount * 9))
  }

  @Test func aTableWithoutRoomKeepsNothing() {
    let hashes = Self.evenHashes(100)
    let table = Self.table(of: hashes, 63)
    #expect(hashes.allSatisfy { table.number($0) == nil })
    let small = Self.table(of: hashes, 64)
    #expect(hashes.suffix(8).allSatisfy { small.number($0) != nil })
  }

  @Test func aNewNumberTakesThePlaceOfTheNamesOldOne() {
    let hashes = Self.evenHashes(8)
    var table = Self.table(of: hashes, 64)
    for number in 20...30 as ClosedRange<UInt64> { table.insert(number, hashes[3]) }
    #expect(table.number(hashes[3]) == 30)
    #expect(hashes.allSatisfy { table.number($0) != nil })
  }

  @Test func aNumberOfMoreThan36BitsIsNotKept() {
    var table = NameTable(byteCountLimit: 64)
    let largest: UInt64 = 1 << 36 - 1
    // With this hash no bit of a longer number would change the entry's hash.
    table.insert(largest, .max)
    table.insert(largest + 1, .max)
    #expect(table.number(.max) == largest)
  }
}
