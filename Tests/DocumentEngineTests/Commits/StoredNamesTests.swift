import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthLevelDBStore
import HearthOrderedStore
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

/// The values of names, with zeros that make their blocks small and that earlier builds left out.
@Suite struct StoredNamesTests {
  private static let names = KeyRange.prefix(StorageKey.namesPrefix)

  /// Takes the zeros from every name, as an earlier build would have written it.
  private func shortenNames(in store: any OrderedStore) throws {
    var batch = StoreBatch()
    try store.makeSnapshot().forEachEntry(in: Self.names) { key, value in
      batch.put(
        [UInt8](copying: key), [UInt8](copying: EntryValue.content(of: value, at: key)))
      return true
    }
    try store.write(batch)
  }

  private func values(in store: any OrderedStore) throws -> [[UInt8]] {
    var values: [[UInt8]] = []
    try store.makeSnapshot().forEachEntry(in: Self.names) { _, value in
      values.append([UInt8](copying: value))
      return true
    }
    return values
  }

  @Test func namesOfEarlierBuildsAreRight() throws {
    let store = MemoryStore()
    let first = try EngineFixture(store)
    try first.engine.keepSums(true)
    for number in 0..<20 { try first.set("c/\(number)", ["a": .integer(Int64(number))]) }
    let byteCount = try values(in: store).joined().count
    try shortenNames(in: store)
    let short = try values(in: store)
    #expect(short.joined().count < byteCount)

    let fixture = try EngineFixture(store, settings: .uncached)
    for number in 0..<20 {
      let document = try fixture.engine.document(at: ResourcePath("c/\(number)"))
      #expect(try document?.fields()["a"] == .integer(Int64(number)))
    }
    try fixture.expectClean()
    #expect(try fixture.engine.verifyQuickly(sampleCount: 20, seed: 1).isClean)
    #expect(try fixture.engine.repair().changeCount == 0)
    #expect(try values(in: store) == short)
    // The sums take away what they have added.
    for number in 0..<10 { _ = try fixture.engine.commit([.delete(ResourcePath("c/\(number)"))]) }
    try fixture.set("c/new", ["a": 1])
    #expect(try fixture.engine.verifyQuickly(sampleCount: 20, seed: 1).isClean)
    try fixture.expectClean()
  }

  /// A repair puts what a document lacks, and leaves its name.
  @Test func repairLeavesNamesOfEarlierBuilds() throws {
    let store = MemoryStore()
    let first = try EngineFixture(store)
    for number in 0..<5 { try first.set("c/\(number)", ["a": .integer(Int64(number))]) }
    try shortenNames(in: store)
    let short = try values(in: store)
    var batch = StoreBatch()
    batch.delete(StorageKey.groupName(of: try ResourcePath("c/3")))
    try store.write(batch)
    let fixture = try EngineFixture(store)
    #expect(try fixture.engine.repair().putCount == 1)
    #expect(try values(in: store) == short)
    try fixture.expectClean()
  }

  @Test func nameOfAnotherDocumentIsFound() throws {
    let store = MemoryStore()
    let fixture = try EngineFixture(store)
    try fixture.set("c/a", ["a": 1])
    try fixture.set("c/b", ["a": 2])
    var batch = StoreBatch()
    var value: [UInt8] = []
    EntryValue.appendName(documentNumber: 77, to: &value)
    try store.makeSnapshot().forEachEntry(in: Self.names) { key, _ in
      batch.put([UInt8](copying: key), value)
      return false
    }
    try store.write(batch)
    let report = try EngineFixture(store).engine.verify()
    #expect(report.problems.map(\.fault).contains(.wrongEntry))
  }

  /// LevelDB keeps decoded blocks in memory, and no others.
  @Test func blocksOfRandomNamesAreCompressed() throws {
    let folder = try TemporaryFolder()
    var options = LevelDBOptions()
    options.isDurable = false
    options.anchor = StorageKey.state
    let store = try LevelDBStore.open(
      folder: folder.path(of: "database"), options: options
    ).store
    let fixture = try EngineFixture(store)
    var random = SplitMix64(seed: 1)
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    for _ in 0..<10 {
      _ = try fixture.engine.commit(
        (0..<500).map { _ in
          let id = String((0..<20).map { _ in random.pick(letters) })
          return .set(ResourcePath(unchecked: ["c", id]), [:])
        })
    }
    try fixture.engine.compact()
    var entryByteCount = 0
    try store.makeSnapshot().forEachEntry(in: Self.names) { key, value in
      entryByteCount += key.byteCount + value.byteCount
      return true
    }
    let tableByteCount = try store.approximateByteCount(
      from: Self.names.lower, to: Self.names.upper)
    #expect(tableByteCount > 0)
    // Eight bytes more belong to each key in a table, of which three say something.
    #expect(tableByteCount < (entryByteCount + 5000 * 8) * 7 / 8)
    try fixture.engine.close()
  }
}
