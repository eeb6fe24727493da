import HearthLevelDBStore
import HearthOrderedStore
import TestSupport
import Testing

/// Programs of puts and deletes of long keys, of views that are held, of compactions and openings:
/// every view, and the present, are compared with a model after each step.
@Suite("Held views") struct HeldViewTests {
  private static let stepsPerProgram = 100

  @Test func heldViewsNeverShowADeletedKey() throws {
    // A case is a step, of which a program has many.
    let count = GeneratedCases.count(unlessTold: 2 * Self.stepsPerProgram)
    let seed = GeneratedCases.seed(count: count)
    var comparisonCount = 0
    for run in 0..<GeneratedCases.count(per: Self.stepsPerProgram, of: count) {
      let program = try ViewProgram(seed: seed &+ UInt64(run), deletesPlainly: false)
      for _ in 0..<min(Self.stepsPerProgram, count - run * Self.stepsPerProgram) {
        try program.step()
      }
      comparisonCount += program.comparisonCount
      #expect(program.wrongViewCount == 0, "seed \(seed &+ UInt64(run))")
    }
    print("\(comparisonCount) comparisons")
  }

  /// The same programs with LevelDB's own deletes: one of a few shows what it brings back.
  @Test func plainDeletesShowTheFault() throws {
    var wrongViewCount = 0
    for seed: UInt64 in 1...20 where wrongViewCount == 0 {
      let program = try ViewProgram(seed: seed, deletesPlainly: true)
      for _ in 0..<Self.stepsPerProgram where program.wrongViewCount == 0 { try program.step() }
      wrongViewCount += program.wrongViewCount
    }
    #expect(wrongViewCount > 0)
  }
}

private final class ViewProgram {
  private struct View {
    let snapshot: any StoreSnapshot
    let model: [UInt8: [UInt8]]
  }

  private static let keyCount: UInt8 = 40

  private let folder: TemporaryFolder
  private let deletesPlainly: Bool
  private var store: LevelDBStore
  private var random: SplitMix64
  /// Values by the first bytes of keys.
  private var model: [UInt8: [UInt8]] = [:]
  private var views: [View] = []
  private var stepCount: UInt8 = 0
  private(set) var comparisonCount = 0
  private(set) var wrongViewCount = 0

  init(seed: UInt64, deletesPlainly: Bool) throws {
    folder = try TemporaryFolder()
    self.deletesPlainly = deletesPlainly
    random = SplitMix64(seed: seed)
    store = try Self.open(folder, &random)
  }

  private static func open(
    _ folder: TemporaryFolder, _ random: inout SplitMix64
  ) throws -> LevelDBStore {
    var options = LevelDBOptions()
    options.isDurable = false
    options.isCompressed = false
    options.tableByteCount = 1 << 20
    options.writeBufferByteCount = random.pick([512 << 10, 16 << 20])
    options.deadKeyByteCount = random.pick([0, 2 << 20, 16 << 20])
    options.drainTime = random.pick([.zero, .seconds(1)])
    return try LevelDBStore.open(folder: folder.path(of: "database"), options: options).store
  }

  private static func key(_ first: UInt8) -> [UInt8] {
    [first] + [UInt8](repeating: 0x2E, count: 60_000 + 1000 * Int(first))
  }

  /// Changes a few keys that lie together, so that tables of upper levels span few of the lower.
  func step() throws {
    stepCount += 1
    try write(band: UInt8.random(in: 0..<Self.keyCount - 4, using: &random))
    if random.oneIn(3) { views.append(View(snapshot: try store.makeSnapshot(), model: model)) }
    while views.count > 4 || !views.isEmpty && random.oneIn(6) {
      views.remove(at: Int.random(in: 0..<views.count, using: &random))
    }
    let part = UInt8.random(in: 0..<Self.keyCount - 4, using: &random)
    if random.oneIn(2) { try store.compact(from: [part], to: [part + 4]) }
    if random.oneIn(10) { try store.compact(from: nil, to: nil) }
    if random.oneIn(40) { try reopen() }
    try compare(store.makeSnapshot(), model)
    for view in views { try compare(view.snapshot, view.model) }
  }

  private func write(band: UInt8) throws {
    var batch = StoreBatch()
    for first in band..<band + 4 where !random.oneIn(4) {
      let isDelete = model[first] == nil ? random.oneIn(8) : !random.oneIn(8)
      if !isDelete {
        model[first] = [stepCount]
        batch.put(Self.key(first), [stepCount])
      } else {
        model[first] = nil
        if deletesPlainly { batch.discard(Self.key(first)) } else { batch.delete(Self.key(first)) }
      }
    }
    try store.write(batch)
  }

  private func reopen() throws {
    views = []
    try store.close()
    store = try Self.open(folder, &random)
  }

  private func compare(_ snapshot: any StoreSnapshot, _ model: [UInt8: [UInt8]]) throws {
    comparisonCount += 1
    var found: [UInt8: [UInt8]] = [:]
    let cursor = try snapshot.makeCursor()
    try cursor.seek(to: [])
    while cursor.isValid {
      found[[UInt8](copying: cursor.key.extracting(first: 1))[0]] = [UInt8](copying: cursor.value)
      try cursor.next()
    }
    if found != model { wrongViewCount += 1 }
  }
}
