import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

/// Sums of index entries, and the quick check that compares them.
@Suite struct SumTests {
  private static let composite = IndexDefinition(
    "c",
    [
      IndexColumn(FieldPath(unchecked: ["a"]), .ascending),
      IndexColumn(FieldPath(unchecked: ["b"]), .descending),
    ])

  private func fields(_ number: Int) -> MapValue {
    [
      "a": .integer(Int64(number % 7)), "b": .string("b\(number)"),
      "tags": .array([.integer(Int64(number)), .integer(1)]),
    ]
  }

  /// Returns a fixture with some documents, an index and sums.
  private func summed(
    _ store: any OrderedStore = MemoryStore(), count: Int = 20
  ) throws -> EngineFixture {
    let fixture = try EngineFixture(store)
    try fixture.engine.createIndex(Self.composite)
    for number in 0..<count { try fixture.set("c/\(number)", fields(number)) }
    try fixture.engine.keepSums(true)
    return fixture
  }

  /// Returns the report of the sums alone.
  private func sumsOnly(_ engine: Engine) throws -> QuickVerificationReport {
    try engine.verifyQuickly(sampleCount: 0, seed: 1)
  }

  @Test func sumsFollowWhatIsWritten() throws {
    let fixture = try summed()
    for number in 0..<10 { try fixture.set("c/\(number)", fields(number + 1)) }
    for number in 5..<15 { _ = try fixture.engine.commit([.delete(ResourcePath("c/\(number)"))]) }
    for number in 30..<40 { try fixture.set("c/\(number)/d/x", fields(number)) }
    let report = try sumsOnly(fixture.engine)
    #expect(report.isClean && report.keepsSums && report.unsummed.isEmpty)
    // Names twice, single fields twice, and the index.
    #expect(report.summedCount == 5)
    try fixture.expectClean()
    let again = try EngineFixture(fixture.store)
    try again.set("c/1", fields(99))
    #expect(try sumsOnly(again.engine).summedCount == 5)
    try again.expectClean()
  }

  @Test func entryThatAWriteForgetsIsNoticed() throws {
    for change in 0..<3 {
      let store = ForgetfulStore()
      let whole = try summed(store)
      #expect(try sumsOnly(whole.engine).isClean)
      store.forgetOne()
      switch change {
      case 0: try whole.set("c/new", fields(100))
      case 1: try whole.set("c/3", fields(100))
      default: _ = try whole.engine.commit([.delete(ResourcePath("c/3"))])
      }
      // The engine has its sums in memory; a new open reads the sums of the store.
      let fixture = try EngineFixture(store)
      let report = try sumsOnly(fixture.engine)
      #expect(report.findings.problems.map(\.fault) == [.wrongSum], "change \(change)")
      #expect(try !fixture.engine.verify().isClean)
      #expect(try fixture.engine.repair().changeCount == 1)
      #expect(try sumsOnly(fixture.engine).isClean)
      try fixture.expectClean()
    }
  }

  @Test func writesGoOnWhileEntriesAreSummedUp() throws {
    let fixture = try EngineFixture()
    try fixture.engine.createIndex(Self.composite)
    for start in stride(from: 0, to: 2500, by: 500) {
      _ = try fixture.engine.commit(
        (start..<(start + 500)).map { .set(ResourcePath(unchecked: ["c", "\($0)"]), fields($0)) })
    }
    let failure = Lock<(any Error)?>(nil)
    try fixture.engine.keepSums(true) { count in
      do {
        for number in 0..<5 {
          try fixture.set("c/\(count + number)", fields(count))
          try fixture.set("c/\(number)", fields(count + number))
          try fixture.set("c/new\(count)\(number)", fields(number))
          _ = try fixture.engine.commit([.delete(ResourcePath("c/\(2000 + number)"))])
        }
      } catch {
        failure.withLock { $0 = error }
      }
    }
    #expect(failure.withLock { $0 } == nil)
    #expect(try sumsOnly(fixture.engine).summedCount == 5)
    try fixture.expectClean()
  }

  @Test func indexesThatComeLaterAreSummedUpWhenAsked() throws {
    let fixture = try summed()
    try fixture.engine.dropIndex(Self.composite)
    #expect(try sumsOnly(fixture.engine).summedCount == 4)
    try fixture.engine.createIndex(Self.composite)
    #expect(fixture.engine.lacksSums)
    #expect(try sumsOnly(fixture.engine).unsummed.count == 1)
    try fixture.engine.countSums()
    try fixture.engine.setOverride("c", FieldPath(unchecked: ["b"]), [])
    #expect(try sumsOnly(fixture.engine).unsummed.count == 2)
    try fixture.engine.countSums()
    #expect(try sumsOnly(fixture.engine).summedCount == 5)
    try fixture.engine.setCovering(true, of: Self.composite)
    try fixture.engine.countSums()
    try fixture.set("c/1", fields(50))
    #expect(try sumsOnly(fixture.engine).isClean)
    try fixture.expectClean()
    try fixture.engine.keepSums(false)
    let report = try sumsOnly(fixture.engine)
    #expect(!report.keepsSums && report.summedCount == 0 && report.unsummed.isEmpty)
    let cursor = try fixture.store.makeSnapshot().makeCursor()
    try cursor.seek(to: [0x65])
    #expect(!cursor.isValid || cursor.key.compare([0x66].span.bytes) != .less)
  }

  /// Documents of other groups don't affect it.
  @Test func oneCompositeIsSummedUpByItself() throws {
    let fixture = try summed()
    try fixture.set("other/1", fields(1))
    try fixture.engine.dropIndex(Self.composite)
    try fixture.engine.createIndex(Self.composite)
    // The last of all documents: it has the highest number.
    let cursor = try fixture.store.makeSnapshot().makeCursor()
    try cursor.seek(before: KeyRange.prefix(StorageKey.documentsPrefix).upper)
    let (key, record) = ([UInt8](copying: cursor.key), [UInt8](copying: cursor.value))
    var batch = StoreBatch()
    batch.put(key, Array(record.dropLast()))
    try fixture.store.write(batch)
    let engine = try EngineFixture(fixture.store).engine
    try engine.countSums()
    #expect(!engine.lacksSums)
    #expect(try sumsOnly(engine).isClean)
    batch.put(key, record)
    try fixture.store.write(batch)
    try EngineFixture(fixture.store).expectClean()
  }

  @Test func samplesFindWhatTheStoreLost() throws {
    let fixture = try summed(count: 400)
    try loseEntries(of: fixture.store, every: 20)
    let engine = try EngineFixture(fixture.store).engine
    // The sums describe the write, which was right.
    #expect(try sumsOnly(engine).isClean)
    let report = try engine.verifyQuickly(sampleCount: 100, seed: 1)
    #expect(!report.isExhaustive && !report.isClean)
    #expect(report.findings.documentCount == 100)
    #expect(report.findings.problems.contains { $0.fault == .missingEntry })
    let same = try engine.verifyQuickly(sampleCount: 100, seed: 1)
    #expect(same.findings.problems.map(\.subject) == report.findings.problems.map(\.subject))
    #expect(try engine.verifyQuickly(sampleCount: 401, seed: 1).isExhaustive)
    #expect(try engine.repair().putCount > 0)
    #expect(try engine.verifyQuickly(sampleCount: 100, seed: 1).isClean)
  }

  /// A count during a half-done repair counts entries that are still wrong.
  @Test func sumsCountedDuringARepairAreForgotten() throws {
    let fixture = try summed(count: 600)
    try loseEntries(of: fixture.store, every: 20)
    let engine = try EngineFixture(fixture.store).engine
    var counted = false
    let report = try engine.repair { count in
      guard !counted, count < 600 else { return }
      counted = true
      #expect(throws: Never.self) { try engine.countSums() }
    }
    #expect(counted && report.putCount > 0)
    #expect(try sumsOnly(engine).isClean)
    #expect(try engine.verify().isClean)
  }

  @Test func noDocumentCountsTwiceAsASample() throws {
    let fixture = try summed(count: 400)
    for number in 0..<380 { _ = try fixture.engine.commit([.delete(ResourcePath("c/\(number)"))]) }
    let some = try fixture.engine.verifyQuickly(sampleCount: 19, seed: 1)
    #expect(!some.isExhaustive && some.findings.documentCount < 19)
    #expect(some.tracedCount <= some.findings.documentCount)
    // Numbers went up to 400, but there are no more documents.
    let all = try fixture.engine.verifyQuickly(sampleCount: 20, seed: 1)
    #expect(all.isExhaustive && all.findings.documentCount == 20)
    #expect(
      code { _ = try fixture.engine.verifyQuickly(sampleCount: -1, seed: 1) } == .invalidArgument)
  }

  @Test func chancesAreThoseOfSamples() throws {
    let fixture = try summed(count: 400)
    let report = try fixture.engine.verifyQuickly(sampleCount: 100, seed: 1)
    #expect(report.lookedUpCount > 600 && report.tracedCount > 90)
    #expect(abs(report.documentDetection(ofShare: 0.01) - 0.63397) < 0.0001)
    #expect(report.missingEntryDetection(ofShare: 0.001) > 0.45)
    #expect(report.missingEntryDetection(ofShare: 0) == 0)
    #expect(report.missingEntryDetection(ofShare: 1) == 1)
  }

  /// Deletes single-field entries beneath the engine.
  private func loseEntries(of store: any OrderedStore, every step: Int) throws {
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: [0x61])
    var batch = StoreBatch()
    var place = 0
    while cursor.isValid, cursor.key.compare([0x62].span.bytes) == .less {
      if place % step == 0 { batch.delete([UInt8](copying: cursor.key)) }
      place += 1
      try cursor.next()
    }
    try store.write(batch)
  }
}

/// Repairs beside other work.
@Suite struct RepairTests {
  private let index = IndexDefinition(
    "c",
    [
      IndexColumn(FieldPath(unchecked: ["a"]), .ascending),
      IndexColumn(FieldPath(unchecked: ["b"]), .ascending),
    ])

  @Test func damagedDocumentIsToldAndLeftWithItsEntries() throws {
    let fixture = try EngineFixture()
    for number in 0..<5 {
      try fixture.set("c/\(number)", ["a": .integer(Int64(number)), "b": 1])
    }
    let entries = try entryCount(fixture.store)
    let cursor = try fixture.store.makeSnapshot().makeCursor()
    try cursor.seek(to: [0x64])
    var batch = StoreBatch()
    batch.put([UInt8](copying: cursor.key), [0xFF])
    try fixture.store.write(batch)
    let engine = try EngineFixture(fixture.store).engine
    let report = try engine.repair()
    #expect(report.documentCount == 5 && report.changeCount == 0)
    #expect(report.damagedCount == 1 && report.damaged.map(\.fault) == [.damagedRecord])
    #expect(try entryCount(fixture.store) == entries)
    #expect(code { _ = try engine.repairIndexes() } == .dataLoss)
  }

  @Test func repairLeavesBuildsAndDropsAlone() throws {
    let fixture = try EngineFixture(settings: .building(2))
    for number in 0..<10 {
      try fixture.set("c/\(number)", ["a": .integer(Int64(number)), "b": 1])
    }
    _ = try fixture.engine.builds.begin([index])
    for _ in 0..<2 { _ = try fixture.engine.builds.step() }
    _ = try fixture.engine.repair()
    while try fixture.engine.builds.step() != nil {}
    try fixture.expectClean()
    try fixture.engine.dropIndex(index)
    #expect(try fixture.engine.repair().changeCount == 0)
    try fixture.expectClean()
  }

  /// Entries are traced back only if there are more than documents account for.
  @Test func checksAndRepairsTraceOnlyWhatDiffers() throws {
    let counter = StoreCounter()
    let store = MemoryStore()
    let fixture = try EngineFixture(
      ObservedStore(store, observer: counter), settings: .uncached)
    for number in 0..<200 {
      try fixture.set("c/\(number)", ["a": .integer(Int64(number)), "b": 1])
    }
    func lookUps(_ body: () throws -> Void) throws -> Int {
      counter.reset()
      try body()
      return counter.counts.gets + counter.counts.seeks + counter.counts.nexts
    }
    let atRest = try lookUps { try fixture.expectClean() }
    // Each document with its collection, and each entry twice.
    #expect(try atRest < fixture.engine.verify().entryCount * 2 + 200 * 2 + 40)
    #expect(try lookUps { _ = try fixture.engine.repair() } < atRest + 20)
    let build = try fixture.engine.builds.begin([index])[0]
    try fixture.engine.builds.pause(build)
    #expect(try lookUps { try fixture.expectClean() } < atRest + 20)
    try fixture.engine.builds.cancel(build)
    // A lost entry is no reason to trace the others back.
    func groupName(_ path: String) throws -> [UInt8] {
      StorageKey.groupName(collectionID: "c", path: try ResourcePath(path))
    }
    let lost = try groupName("c/7")
    let value = try #require(try store.makeSnapshot().value(of: lost))
    var batch = StoreBatch()
    batch.delete(lost)
    try store.write(batch)
    let engine = try EngineFixture(ObservedStore(store, observer: counter), settings: .uncached)
      .engine
    var report: VerificationReport?
    #expect(try lookUps { report = try engine.verify() } < atRest + 20)
    #expect(report?.problems.map(\.fault) == [.missingEntry])
    // A surplus entry is found among those of its kind, even if another one is lost.
    batch.put(try groupName("c/nobody"), value)
    try store.write(batch)
    let last = try EngineFixture(ObservedStore(store, observer: counter), settings: .uncached)
      .engine
    let count = try lookUps { report = try last.verify() }
    #expect(report?.problems.map(\.fault) == [.missingEntry, .strayEntry])
    #expect(count < atRest + 200 * 3 + 20)
    let repaired = try last.repair()
    #expect(repaired.putCount == 1 && repaired.deletedCount == 1)
    #expect(try last.verify().isClean)
  }

  /// The repair of right entries takes no turn of the writers.
  @Test func aRepairCommitsOnlyWhatDiffers() throws {
    let counter = StoreCounter()
    let fixture = try EngineFixture(ObservedStore(MemoryStore(), observer: counter))
    for number in 0..<20 {
      try fixture.set("c/\(number)", ["tags": .array((0..<100).map { .integer($0) })])
    }
    let keys = try fixture.automaticKeys()
    counter.reset()
    #expect(try fixture.engine.repair().changeCount == 0)
    #expect(counter.counts.writes == 0)
    // Documents have a hundred entries each: some of them fill a commit.
    var batch = StoreBatch()
    for key in keys { batch.delete(key) }
    try fixture.store.write(batch)
    let engine = try EngineFixture(fixture.store).engine
    counter.reset()
    #expect(try engine.repair().putCount == keys.count)
    #expect(counter.counts.writes > 3 && counter.counts.writes < 10)
    #expect(try engine.verify().isClean)
  }

  private func entryCount(_ store: any OrderedStore) throws -> Int {
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: [])
    var count = 0
    while cursor.isValid {
      if cursor.key.unsafeLoad(as: UInt8.self) != 0x64 { count += 1 }
      try cursor.next()
    }
    return count
  }
}

extension EngineFixture {
  /// Returns the keys of single-field entries.
  fileprivate func automaticKeys() throws -> [[UInt8]] {
    let range = KeyRange.prefix(EntrySpace.automatic.prefix)
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: range.lower)
    var keys: [[UInt8]] = []
    while cursor.isValid, range.contains(cursor.key) {
      keys.append([UInt8](copying: cursor.key))
      try cursor.next()
    }
    return keys
  }
}
