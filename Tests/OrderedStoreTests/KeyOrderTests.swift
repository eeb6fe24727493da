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

  private static func steps(of batch: StoreBatch, byKey: Bool) -> [Step] {
    var steps: [Step] = []
    func add(_ operation: StoreBatch.Operation, _ key: RawSpan, _ value: RawSpan) {
      let entry = Entry([UInt8](copying: key), [UInt8](copying: value))
      steps.append(Step(operation: operation, entry: entry))
    }
    if byKey { batch.forEachByKey(add) } else { batch.forEach(add) }
    return steps
  }

  private static func batch(of steps: some Sequence<Step>) -> StoreBatch {
    var batch = StoreBatch()
    for step in steps {
      switch step.operation {
      case .put: batch.put(step.entry.key, step.entry.value)
      case .delete: batch.delete(step.entry.key)
      case .discard: batch.discard(step.entry.key)
      }
    }
    return batch
  }

  /// Also of batches that are sorted, but for their last operation or without exception.
  @Test func operationsAreSortedAndStayInOrderOnOneKey() {
    let count = GeneratedCases.count(per: 100)
    let seed = GeneratedCases.seed()
    for run in 0..<count {
      var random = SeededGenerator(seed: seed &+ UInt64(run))
      var batch = Self.randomBatch(&random)
      let first = Self.steps(of: batch, byKey: false).prefix(1)
      for _ in 0..<3 {
        let steps = Self.steps(of: batch, byKey: false)
        let places = steps.indices.sorted {
          let (left, right) = (steps[$0].entry.key, steps[$1].entry.key)
          return left == right ? $0 < $1 : left.lexicographicallyPrecedes(right)
        }
        let sorted = Self.steps(of: batch, byKey: true)
        #expect(sorted == places.map { steps[$0] }, "seed \(seed &+ UInt64(run))")
        let isExact = Bool.random(using: &random)
        batch = Self.batch(of: sorted + (isExact ? [] : first))
      }
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
