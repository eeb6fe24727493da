import HearthDocumentEngine
import HearthStorageFormat
import TestSupport
import Testing

/// Law: a run sorts its entries by the bytes of their keys, however long the bytes are that keys
/// share, and where keys end or have zeros.
@Suite struct EntryRunTests {
  @Test(arguments: [1, 2, 40, 5000])
  func entriesAreSortedByTheirKeys(_ count: Int) throws {
    let first = GeneratedCases.seed()
    for number in 0..<GeneratedCases.count(per: 100) {
      let seed = first &+ UInt64(number)
      var generator = RunKeys(seed: seed)
      expectSorted(generator.distinct(count), "HEARTH_SEED=\(seed) HEARTH_CASES=1")
    }
  }

  /// Each key goes sixteen bytes further than the one before, up to the length of the longest keys.
  @Test func everyKeyMaySettleTheOrderAtAnotherPlace() {
    let keys = (0..<480).map { place in
      RunKeys.prefix(of: 1) + [UInt8](repeating: 5, count: 16 * place)
        + [UInt8(place % 2 == 0 ? 4 : 6)]
    }
    expectSorted(keys, "of sixteen bytes more each")
    expectSorted(keys.map { $0 + [UInt8](repeating: 0, count: 16) }, "with zeros behind")
  }

  private func expectSorted(_ keys: [[UInt8]], _ comment: Comment) {
    var run = EntryRun()
    for (number, key) in keys.enumerated() {
      run.append(of: UInt64(number)) { bytes in
        bytes += key
        let keyEnd = bytes.count
        bytes.append(7)
        return keyEnd
      }
    }
    var halves = run
    let middle = keys.count / 2
    halves.merge(run.sorted(0..<middle), run.sorted(middle..<keys.count))
    run.sort()
    let expected = keys.sorted { $0.lexicographicallyPrecedes($1) }
    for sorted in [run, halves] {
      #expect(sorted.entries.map { Array(sorted.key($0)) } == expected, comment)
      #expect(sorted.entries.map { keys[Int($0.documentNumber)] } == expected, comment)
      #expect(sorted.entries.allSatisfy { Array(sorted.value($0)) == [7] }, comment)
    }
  }
}

/// Keys of a few indexes whose columns have few values, some of them long.
private struct RunKeys {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func distinct(_ count: Int) -> [[UInt8]] {
    var known: Set<[UInt8]> = []
    var keys: [[UInt8]] = []
    while keys.count < count {
      let key = key()
      if known.insert(key).inserted { keys.append(key) }
    }
    return keys
  }

  /// Returns the beginning of the keys of an index.
  static func prefix(of id: UInt64) -> [UInt8] {
    var key: [UInt8] = []
    StorageKey.appendCompositePrefix(id: id, collection: 1, to: &key)
    return key
  }

  private mutating func key() -> [UInt8] {
    var key = RunKeys.prefix(of: .random(in: 1...3, using: &random))
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let byte = [0, 0, 1, 255].randomElement(using: &random) ?? 0
      key += Array(repeating: UInt8(byte), count: .random(in: 0...24, using: &random))
    }
    return key
  }
}
