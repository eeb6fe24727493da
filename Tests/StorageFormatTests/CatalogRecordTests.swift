import HearthDocumentModel
import HearthStorageFormat
import TestSupport
import Testing

@Suite struct CatalogRecordTests {
  let composite = CatalogRecord.Composite(
    id: 9, collectionGroup: "cities", scopeIsGroup: true,
    columns: [
      .init(field: FieldPath(unchecked: ["a.b", "c"]), mode: 0), .init(field: .documentID, mode: 1),
    ], state: 2)
  let vectorIndex = CatalogRecord.Composite(
    id: 10, collectionGroup: "cities", scopeIsGroup: false,
    columns: [.init(field: .documentID, mode: 0)],
    vector: .init(field: FieldPath(unchecked: ["m", "emb"]), dimension: 768), state: 1)
  let override = CatalogRecord.Override(
    collectionGroup: "cities", field: FieldPath(unchecked: ["m"]),
    indexes: [.init(scopeIsGroup: false, mode: 1, state: 0)], isReverting: true)

  /// The state before its change is at its end.
  let changing = CatalogRecord.Override(
    collectionGroup: "cities", field: nil,
    indexes: [.init(scopeIsGroup: true, mode: 2, state: 0)], isReverting: false,
    earlier: .init(
      indexes: [.init(scopeIsGroup: false, mode: 0), .init(scopeIsGroup: true, mode: 1)],
      isInherited: true))

  let counts = CatalogRecord.Counts(
    id: 300, collectionGroup: "cities", scopeIsGroup: true,
    fields: [FieldPath(unchecked: ["a"]), FieldPath(unchecked: ["m", "x"])], state: 1)

  private func bytes(_ append: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    append(&bytes)
    return bytes
  }

  @Test func recordsComeBack() throws {
    var stored = bytes { composite.append(to: &$0) }
    #expect(try CatalogRecord.Composite(stored.span.bytes) == composite)
    stored = bytes { vectorIndex.append(to: &$0) }
    #expect(try CatalogRecord.Composite(stored.span.bytes) == vectorIndex)
    stored = bytes { override.append(to: &$0) }
    #expect(try CatalogRecord.Override(stored.span.bytes) == override)
    let all = CatalogRecord.Override(
      collectionGroup: "c", field: nil, indexes: [], isReverting: false)
    stored = bytes { all.append(to: &$0) }
    #expect(try CatalogRecord.Override(stored.span.bytes) == all)
    stored = bytes { changing.append(to: &$0) }
    #expect(try CatalogRecord.Override(stored.span.bytes) == changing)
    let identity = CatalogRecord.Identity(formatVersion: 1, database: .default)
    stored = bytes { identity.append(to: &$0) }
    #expect(try CatalogRecord.Identity(stored.span.bytes) == identity)
    let tuned = CatalogRecord.Identity(formatVersion: 1, database: .default, isTuned: true)
    stored = bytes { tuned.append(to: &$0) }
    #expect(stored[0] == 2)
    #expect(try CatalogRecord.Identity(stored.span.bytes) == tuned)
    stored = bytes { counts.append(to: &$0) }
    #expect(try CatalogRecord.Counts(stored.span.bytes) == counts)
    let covering = CatalogRecord.Covering(state: 2)
    stored = bytes { covering.append(to: &$0) }
    #expect(try CatalogRecord.Covering(stored.span.bytes) == covering)
    let state = StateRecord(
      commitNumber: 3, lastCommitTime: try Timestamp(microseconds: 12),
      nextDocumentNumber: .max >> 1,
      nextCollectionNumber: 5, nextIndexID: 1, catalogVersion: 300)
    stored = bytes { state.append(to: &$0) }
    #expect(try StateRecord(stored.span.bytes) == state)
  }

  @Test func aStateThatCanNotBeCountedOnIsRefused() throws {
    for number in [UInt64.max, 1 << 63] {
      var stored: [UInt8] = []
      StateRecord(
        commitNumber: number, lastCommitTime: try Timestamp(microseconds: 0), nextDocumentNumber: 1,
        nextCollectionNumber: 1, nextIndexID: 1, catalogVersion: 0
      ).append(to: &stored)
      #expect(throws: CorruptBytes.self) { try StateRecord(stored.span.bytes) }
    }
  }

  @Test func damagedRecordsAreRefusedOrRead() {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let records = [
      bytes { composite.append(to: &$0) }, bytes { vectorIndex.append(to: &$0) },
      bytes { override.append(to: &$0) }, bytes { changing.append(to: &$0) },
      bytes { StateRecord.initial.append(to: &$0) },
      bytes { CatalogRecord.Identity(formatVersion: 1, database: .default).append(to: &$0) },
    ]
    var refusedCount = 0
    for _ in 0..<GeneratedCases.count {
      var bytes = random.pick(records)
      let index = Int.random(in: 0..<bytes.count, using: &random)
      if random.oneIn(3) {
        bytes.removeSubrange(index...)
      } else {
        bytes[index] = random.pick([0, 1, 0x80, 0xFF])
      }
      let span = bytes.span.bytes
      do {
        _ = try CatalogRecord.Composite(span)
      } catch { refusedCount += 1 }
      _ = try? CatalogRecord.Override(span)
      _ = try? CatalogRecord.Identity(span)
      _ = try? StateRecord(span)
    }
    if GeneratedCases.areMany() { #expect(refusedCount > 0) }
  }

  @Test func otherVersionsAreRefused() {
    var bytes = bytes { composite.append(to: &$0) }
    bytes[0] = 3
    #expect(throws: CorruptBytes("known version", at: 0)) {
      try CatalogRecord.Composite(bytes.span.bytes)
    }
  }

  /// Databases have records of the first version, and indexes without vectors are still written in
  /// it.
  @Test func onlyVectorIndexesHaveTheSecondVersion() throws {
    let first: [UInt8] = [1, 9, 1, 0x63, 0, 1, 1, 1, 1, 0x61, 0]
    let index = CatalogRecord.Composite(
      id: 9, collectionGroup: "c", scopeIsGroup: false,
      columns: [.init(field: FieldPath(unchecked: ["a"]), mode: 0)], state: 1)
    #expect(bytes { index.append(to: &$0) } == first)
    #expect(try CatalogRecord.Composite(first.span.bytes) == index)
    var withVector = index
    withVector.vector = .init(field: FieldPath(unchecked: ["v"]), dimension: 300)
    let second = [2] + first.dropFirst() + [1, 1, 0x76, 0xAC, 0x02]
    #expect(bytes { withVector.append(to: &$0) } == second)
    for count in 0..<second.count {
      let cut = Array(second.prefix(count))
      #expect(throws: CorruptBytes.self) { try CatalogRecord.Composite(cut.span.bytes) }
    }
  }
}
