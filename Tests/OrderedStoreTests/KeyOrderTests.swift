import HearthOrderedStore
import TestSupport
import Testing

/// Large batches reach LevelDB in the order of their keys.
@Suite struct KeyOrderTests {
  private struct Step: Equatable {
    var operation: StoreBatch.Operation
    var entry: Entry
  }

  /// Keys of up to 30 bytes that begin alike, among them prefixes of others, and keys of several
  /// operations.
  private static func randomBatch(_ random: inout SeededGenerator) -> StoreBatch {
    var batch = StoreBatch()
    for number in 0..<Int.random(in: 0..<600, using: &random) {
      let byteCount = Int.random(in: 0...30, using: &random)
      let differing = Int.random(in: 0...3, using: &random)
      let key = (0..<byteCount).map { place in
        place + differing < byteCount ? UInt8(7) : [0, 7, 255].randomElement(using: &random) ?? 0
      }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: batch.delete(key)
      case 1: batch.discard(key)
      default: batch.put(key, Array("\(number)".utf8))
      }
    }
    return batch
  }

  @Test func operationsAreSortedAndStayInOrderOnOneKey() {
    let count = GeneratedCases.count(per: 100)
    let seed = GeneratedCases.seed()
    for run in 0..<count {
      var random = SeededGenerator(seed: seed &+ UInt64(run))
      let batch = Self.randomBatch(&random)
      var steps: [Step] = []
      batch.forEach {
        steps.append(Step(operation: $0, entry: Entry([UInt8](copying: $1), [UInt8](copying: $2))))
      }
      let places = steps.indices.sorted {
        let (left, right) = (steps[$0].entry.key, steps[$1].entry.key)
        return left == right ? $0 < $1 : left.lexicographicallyPrecedes(right)
      }
      var sorted: [Step] = []
      batch.forEachByKey {
        sorted.append(Step(operation: $0, entry: Entry([UInt8](copying: $1), [UInt8](copying: $2))))
      }
      #expect(sorted == places.map { steps[$0] })
    }
  }

  /// The last operation on a key wins, however large the batch is.
  @Test(arguments: StoreKind.allCases, [10, 1000])
  func lastOperationWins(_ kind: StoreKind, _ keyCount: Int) throws {
    let tested = try StoreUnderTest(kind)
    func key(_ number: Int) -> [UInt8] { [UInt8(number / 256), UInt8(number % 256)] }
    var batch = StoreBatch()
    for round: UInt8 in 0..<3 {
      for number in (0..<keyCount).reversed() { batch.put(key(number), [round]) }
    }
    for number in 0..<keyCount where number.isMultiple(of: 2) { batch.delete(key(number)) }
    for number in 0..<keyCount where number.isMultiple(of: 4) { batch.put(key(number), [9]) }
    try tested.store.write(batch)
    let expected = (0..<keyCount).filter { $0 % 4 != 2 }
      .map { Entry(key($0), [$0.isMultiple(of: 4) ? 9 : 2]) }
    #expect(try tested.store.makeSnapshot().entries() == expected)
  }
}
