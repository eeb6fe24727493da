import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import HearthStorageFormat
import TestSupport
import Testing

/// The catalogue's values come back from their records.
@Suite struct IndexRecordTests {
  let composite = CompositeIndex(
    id: 9,
    definition: IndexDefinition(
      "cities", [IndexColumn(FieldPath(unchecked: ["a.b", "c"]), .contains)],
      scope: .collectionGroup),
    state: .creating)
  let vectorIndex = CompositeIndex(
    id: 10,
    definition: IndexDefinition(
      "cities", [], vector: VectorColumn(FieldPath(unchecked: ["m", "emb"]), dimension: 768)),
    state: .ready)
  let override = FieldOverride(
    "cities", FieldPath(unchecked: ["m"]), [SingleFieldIndex(.descending): .creating])

  /// The state before its change is at its end.
  let change = OverrideChange(
    retiring: .groupContains, isReverting: true,
    earlier: EarlierOverride(
      [SingleFieldIndex(.ascending), SingleFieldIndex(.descending, scope: .collectionGroup)],
      isInherited: true))

  private func bytes(_ append: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    append(&bytes)
    return bytes
  }

  @Test func indexesComeBack() throws {
    var paused = composite
    paused.isPaused = true
    for index in [composite, paused, vectorIndex] {
      let read = try CompositeIndex.read(record: bytes(index.appendRecord).span.bytes)
      #expect(read.index == index && read.id == index.id)
    }
  }

  @Test func overridesComeBack() throws {
    for override in [override, FieldOverride("c", nil, [:])] {
      for change in [change, OverrideChange()] {
        let stored = bytes { override.appendRecord(change, to: &$0) }
        let read = try FieldOverride.read(record: stored.span.bytes)
        #expect(read.override == override)
        #expect(read.change.retiring == change.retiring)
        #expect(read.change.isReverting == change.isReverting)
        #expect(read.change.earlier?.indexes == change.earlier?.indexes)
        #expect(read.change.earlier?.isInherited == change.earlier?.isInherited)
      }
    }
  }

  @Test func countsComeBack() throws {
    let fields = [FieldPath(unchecked: ["a"]), FieldPath(unchecked: ["m", "x"])]
    let counts = KeptCounts(
      id: 300, definition: .init("cities", fields, scope: .collectionGroup), state: .ready)
    #expect(try KeptCounts(record: bytes(counts.appendRecord).span.bytes) == counts)
  }

  @Test func damagedRecordsAreRefusedOrRead() {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let records = [
      bytes(composite.appendRecord), bytes(vectorIndex.appendRecord),
      bytes { override.appendRecord(OverrideChange(), to: &$0) },
      bytes { override.appendRecord(change, to: &$0) },
    ]
    var refusedCount = 0
    for _ in 0..<GeneratedCases.count {
      let damaged = random.damaged(random.pick(records))
      do {
        _ = try CompositeIndex.read(record: damaged.span.bytes)
      } catch { refusedCount += 1 }
      _ = try? FieldOverride.read(record: damaged.span.bytes)
    }
    if GeneratedCases.areMany() { #expect(refusedCount > 0) }
  }

  @Test func otherVersionsAreRefused() {
    var bytes = bytes(composite.appendRecord)
    bytes[0] = 3
    #expect(throws: CorruptBytes("known version", at: 0)) {
      _ = try CompositeIndex.read(record: bytes.span.bytes)
    }
  }

  /// Databases have records of the first version, and indexes without vectors are still written in
  /// it.
  @Test func onlyVectorIndexesHaveTheSecondVersion() throws {
    let name: [UInt8] = [1, 8] + Array("__name__".utf8)
    let first: [UInt8] = [1, 9, 1, 0x63, 0, 1, 2, 1, 1, 0x61, 0] + name + [0]
    let columns = [IndexColumn(FieldPath(unchecked: ["a"]), .ascending)]
    func index(_ vector: VectorColumn?) -> CompositeIndex {
      CompositeIndex(
        id: 9, definition: IndexDefinition("c", columns, vector: vector), state: .ready)
    }
    #expect(bytes(index(nil).appendRecord) == first)
    #expect(try CompositeIndex.read(record: first.span.bytes).index == index(nil))
    let withVector = index(VectorColumn(FieldPath(unchecked: ["v"]), dimension: 300))
    let second = [2] + first.dropFirst() + [1, 1, 0x76, 0xAC, 0x02]
    #expect(bytes(withVector.appendRecord) == second)
    for count in 0..<second.count {
      let cut = Array(second.prefix(count))
      #expect(throws: CorruptBytes.self) { _ = try CompositeIndex.read(record: cut.span.bytes) }
    }
  }
}
