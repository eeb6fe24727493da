import HearthDocumentModel
import HearthStorageFormat
import TestSupport
import Testing

@Suite struct StateRecordTests {
  private func bytes(_ append: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    append(&bytes)
    return bytes
  }

  @Test func recordsComeBack() throws {
    let identity = IdentityRecord(formatVersion: 1, database: .default)
    var stored = bytes { identity.append(to: &$0) }
    #expect(try IdentityRecord(stored.span.bytes) == identity)
    let tuned = IdentityRecord(formatVersion: 1, database: .default, isTuned: true)
    stored = bytes { tuned.append(to: &$0) }
    #expect(stored[0] == 2)
    #expect(try IdentityRecord(stored.span.bytes) == tuned)
    var state = StateRecord(
      commitNumber: 3, lastCommitTime: try Timestamp(microseconds: 12),
      nextDocumentNumber: .max >> 1,
      nextCollectionNumber: 5, nextIndexID: 1, catalogVersion: 300)
    stored = bytes { state.append(to: &$0) }
    #expect(try StateRecord(stored.span.bytes) == state)
    state.unindexedStart = 700
    stored = bytes { state.append(to: &$0) }
    #expect(stored[0] == 2)
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
      bytes { StateRecord.initial.append(to: &$0) },
      bytes { IdentityRecord(formatVersion: 1, database: .default).append(to: &$0) },
    ]
    var refusedCount = 0
    for _ in 0..<GeneratedCases.count {
      let span = random.damaged(random.pick(records))
      _ = try? IdentityRecord(span.span.bytes)
      do {
        _ = try StateRecord(span.span.bytes)
      } catch { refusedCount += 1 }
    }
    if GeneratedCases.areMany() { #expect(refusedCount > 0) }
  }
}
