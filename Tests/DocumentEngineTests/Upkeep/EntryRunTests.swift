import HearthDocumentEngine
import HearthStorageFormat
import TestSupport
import Testing

/// Law: a run sorts its entries by the bytes of their keys, however long the bytes are that keys
/// share, and where keys end or have zeros.
@Suite struct EntryRunTests {
  @Test(arguments: [1, 2, 40, 5000])
  func entriesAreSortedByTheirKeys(_ count: Int) throws {
    let seed = GeneratedCases.seed()
    for number in 0..<GeneratedCases.count(per: 100) {
      let seed = seed &+ UInt64(number)
      var generator = RunKeys(seed: seed)
      let keys = generator.distinct(count)
      var run = EntryRun()
      for (number, key) in keys.enumerated() {
        run.append(of: UInt64(number)) { bytes in
          bytes += key
          let keyEnd = bytes.count
          bytes.append(7)
          return keyEnd
        }
      }
      run.sort()
      let sorted = run.entries.map { Array(run.key($0)) }
      let expected = keys.sorted { $0.lexicographicallyPrecedes($1) }
      #expect(sorted == expected, "HEARTH_SEED=\(seed) HEARTH_CASES=1")
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

  private mutating func key() -> [UInt8] {
    var key: [UInt8] = []
    let id = UInt64.random(in: 1...3, using: &random)
    StorageKey.appendCompositePrefix(id: id, collection: 1, to: &key)
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let byte = [0, 0, 1, 255].randomElement(using: &random) ?? 0
      key += Array(repeating: UInt8(byte), count: .random(in: 0...24, using: &random))
    }
    return key
  }
}
