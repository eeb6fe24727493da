import HearthOrderedStore
import TestSupport
import Testing

/// Random work on a store, compared with a sorted dictionary after every step.
@Suite("Generated store runs") struct GeneratedStoreTests {
  private static let stepsPerRun = 400

  @Test(arguments: StoreKind.allCases)
  func agreesWithTheModel(_ kind: StoreKind) throws {
    // A case is a step, of which a run has many.
    let count = GeneratedCases.count(unlessTold: 8 * Self.stepsPerRun)
    let seed = GeneratedCases.seed(count: count)
    for run in 0..<GeneratedCases.count(per: Self.stepsPerRun, of: count) {
      let tested = try StoreUnderTest(kind)
      try StoreRun(store: tested.store, seed: seed &+ UInt64(run)).perform(
        stepCount: min(Self.stepsPerRun, count - run * Self.stepsPerRun))
    }
  }
}

private final class StoreRun {
  private let store: any OrderedStore
  private var generator: SeededGenerator
  /// The expected contents of the store.
  private var model: [[UInt8]: [UInt8]] = [:]
  private var snapshots: [(snapshot: any StoreSnapshot, entries: [Entry])] = []

  init(store: any OrderedStore, seed: UInt64) {
    self.store = store
    generator = SeededGenerator(seed: seed)
  }

  func perform(stepCount: Int) throws {
    for _ in 0..<stepCount {
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<10: try write()
      case 10..<14: try walk()
      case 14..<16: try get()
      case 16..<18: try keepSnapshot()
      case 18: if !snapshots.isEmpty { snapshots.removeFirst() }
      default: try store.compact(from: randomKey(), to: randomKey())
      }
    }
    for (snapshot, entries) in snapshots {
      #expect(try snapshot.entries() == entries)
      #expect(try snapshot.entriesBackwards() == entries.reversed())
    }
    #expect(try store.makeSnapshot().entries() == sorted())
  }

  private func sorted() -> [Entry] {
    model.map { Entry($0.key, $0.value) }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  /// Few bytes and short keys, so that keys meet again and are prefixes of each other.
  private func randomKey() -> [UInt8] {
    let bytes: [UInt8] = [0, 1, 0x61, 0x7f, 0x80, 0xff]
    let stem: [UInt8] = Bool.random(using: &generator) ? [] : [1, 2, 3, 4, 5, 6, 7]
    return stem
      + (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        bytes[Int.random(in: 0..<bytes.count, using: &generator)]
      }
  }

  private func write() throws {
    var batch = StoreBatch()
    for _ in 0..<Int.random(in: 0...30, using: &generator) {
      let key = randomKey()
      if Int.random(in: 0..<3, using: &generator) == 0 {
        batch.delete(key)
        model[key] = nil
      } else {
        // Four bytes FF are the store's own.
        let byte = UInt8.random(in: 0...254, using: &generator)
        let value = [UInt8](repeating: byte, count: Int.random(in: 0...300, using: &generator))
        batch.put(key, value)
        model[key] = value
      }
    }
    try store.write(batch)
  }

  private func get() throws {
    let key = randomKey()
    #expect(try store.makeSnapshot().value(of: key) == model[key])
  }

  private func keepSnapshot() throws {
    snapshots.append((try store.makeSnapshot(), sorted()))
  }

  /// Moves a cursor over an old or the newest view, and an index over its entries beside it.
  private func walk() throws {
    let useOld = !snapshots.isEmpty && Bool.random(using: &generator)
    let (snapshot, entries) = useOld ? snapshots[0] : (try store.makeSnapshot(), sorted())
    let cursor = try snapshot.makeCursor()
    var index: Int?
    for _ in 0..<20 {
      let move = Int.random(in: 0..<6, using: &generator)
      if let current = index, move < 4 {
        if move < 2 { try cursor.next() } else { try cursor.previous() }
        let target = move < 2 ? current + 1 : current - 1
        index = entries.indices.contains(target) ? target : nil
      } else {
        let key = randomKey()
        let first =
          entries.firstIndex { !$0.key.lexicographicallyPrecedes(key) } ?? entries.count
        if move % 2 == 0 { try cursor.seek(to: key) } else { try cursor.seek(before: key) }
        let target = move % 2 == 0 ? first : first - 1
        index = entries.indices.contains(target) ? target : nil
      }
      #expect(cursor.entry() == index.map { entries[$0] })
    }
    try cursor.checkReads()
  }
}
