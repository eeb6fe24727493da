import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Foundation
import Hearth
import HearthLevelDBStore
import HearthOrderedStore
import HearthQueryPlanning
import HearthStorageFormat
import TestSupport
import Testing

/// Salvages of a database whose files are missing, cut off or damaged.
@Suite struct SalvageTests {
  private static let whole = Result {
    try LayeredDatabase(documentCount: 600, seed: GeneratedCases.seed(for: "SalvageTests"))
  }
  private let whole: LayeredDatabase

  init() throws {
    whole = try Self.whole.get()
  }

  private func bytes(of name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: whole.path + "/store/" + name)))
  }

  private func name(_ prefix: String, _ suffix: String = "") throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: whole.path + "/store")
    return try #require(names.first { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) })
  }

  private func check(
    _ changes: [String: [UInt8]?], options: Database.SalvageOptions = Database.SalvageOptions()
  ) throws -> SalvageCheck {
    let copy = try whole.copy(changing: changes)
    let check = try SalvageCheck(copy, of: whole, options: options)
    try whole.remove(copy)
    return check
  }

  // MARK: Whole files

  @Test func recoversAllOfAWholeDatabaseAndLeavesItAlone() throws {
    let copy = try whole.copy(changing: [:])
    try Data().write(to: URL(fileURLWithPath: copy + "/LOCK"))
    let before = try contents(of: copy)
    let check = try SalvageCheck(copy, of: whole)
    #expect(try contents(of: copy) == before)
    #expect(check.report.isComplete && check.findings.isEmpty && check.report.damage.isEmpty)
    #expect(check.differing.isEmpty && check.missing.isEmpty)
    #expect(check.report.documentCount == whole.documents.count)
    try whole.remove(copy)
  }

  private func contents(of folder: String) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where name != "store" {
      contents[name] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
    }
    return contents
  }

  @Test func keepsTheIndexesAndTheTimes() throws {
    let new = whole.path + "-kept"
    try Database.salvage(from: whole.path, to: new)
    let engine = try Engine(LevelDBStore.open(folder: new).store)
    try checkCatalog(engine)
    // Later commits have later times than the recovered ones.
    let path = ResourcePath(unchecked: ["c", "new"])
    let time = try engine.commit([.set(path, [:])]).commitTime
    #expect(whole.documents.values.allSatisfy { $0.updateTime < time })
    _ = try engine.commit([.delete(path)])
    // Ids are not used twice: old entries may still exist.
    let definition = IndexDefinition(
      "c",
      [
        IndexColumn(FieldPath(unchecked: ["n"]), .ascending),
        IndexColumn(FieldPath(unchecked: ["kind"]), .ascending),
      ])
    try engine.createIndex(definition)
    let ids = try engine.readView().catalog.indexes.composites.map(\.id)
    #expect(ids.count == 3 && ids.max() == ids.last && Set(ids).count == 3)
    try engine.close()
    try expectSound(new)
    #expect(try LayeredDatabase.answers(at: new) == whole.answers)
  }

  /// A document that an older release accepted and this one would refuse isn't lost (§2.1).
  @Test func bringsOverWhatWouldBeRefusedToday() throws {
    let folder = try TemporaryFolder()
    let (old, new) = (folder.path(of: "old"), folder.path(of: "new"))
    let path = ResourcePath(unchecked: ["c", "a"])
    let fields: MapValue = ["list": [.vector([1])], "vector": .vector([.nan, 1])]
    try write(fields, at: path, to: old)
    let report = try Database.salvage(from: old, to: new)
    #expect(report.documentCount == 1 && report.isComplete)
    let engine = try Engine(LevelDBStore.open(folder: new).store)
    #expect(
      throws: DatabaseError.self, "it is refused today",
      performing: { _ = try engine.commit([.set(path, fields)]) })
    let found = try #require(try engine.readView().document(at: path)?.document())
    #expect(Value.map(found.fields).compare(.map(fields)) == .equal)
    try engine.close()
    try expectSound(new)
  }

  /// Writes the one document of a database, bypassing all rules.
  private func write(_ fields: MapValue, at path: ResourcePath, to folder: String) throws {
    let engine = try Engine(LevelDBStore.open(folder: folder).store)
    let time = try engine.commit([.set(path, [:])]).commitTime
    let number = try number(ofDocumentIn: engine)
    try engine.close()
    var record: [UInt8] = []
    DocumentRecord.append(
      Document(path: path, fields: fields, createTime: time, updateTime: time),
      own: .default, to: &record)
    var batch = StoreBatch()
    batch.put(StorageKey.document(number), record)
    let (store, _) = try LevelDBStore.open(folder: folder)
    try store.write(batch)
    try store.close()
  }

  private func number(ofDocumentIn engine: Engine) throws -> UInt64 {
    let execution = try engine.readView().run(StructuredQuery(collectionID: "c"))
    _ = try #require(try execution.nextDocument())
    return try execution.documentNumber()
  }

  private func checkCatalog(_ engine: Engine) throws {
    let catalog = try engine.readView().catalog
    #expect(catalog.indexes.composites.map(\.definition) == LayeredDatabase.composites)
    #expect(catalog.indexes.composites.allSatisfy { $0.state == .ready })
    #expect(catalog.indexes.overrides.map(\.collectionGroup) == ["c"])
    #expect(catalog.tunings.counts.map(\.definition) == [LayeredDatabase.counted])
    #expect(catalog.tunings.counts.map(\.state) == [.ready])
    #expect(Array(catalog.tunings.covering.values) == [.ready])
  }

  // MARK: Tables

  @Test func eachMissingTable() throws {
    for table in whole.tables {
      let check = try check([table.name: nil as [UInt8]?])
      check.expectPromise("\(table.name) missing")
      #expect(check.report.damage.contains { $0.place.contains("missing") })
    }
  }

  @Test func eachTableCutOff() throws {
    for table in whole.tables {
      let count = table.bytes.count
      for end in [0, 1, count / 3, count - 60, count - 1] {
        let check = try check([table.name: Array(table.bytes[..<end])])
        check.expectPromise("\(table.name) ends at byte \(end)")
        // A salvage that reaches the filters has seen all documents.
        if end == count - 1 { #expect(check.report.isComplete) }
      }
    }
  }

  @Test func severalFlipsAtOnce() throws {
    var generator = SplitMix64(seed: GeneratedCases.seed())
    var listedCount = 0
    for _ in 0..<12 {
      var changes: [String: [UInt8]?] = [:]
      var places: [String] = []
      for _ in 0..<20 {
        let table = try #require(whole.tables.randomElement(using: &generator))
        let offset = Int.random(in: 0..<table.bytes.count, using: &generator)
        var bytes = (changes[table.name] ?? nil) ?? table.bytes
        bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        changes[table.name] = bytes
        places.append("\(table.name) at byte \(offset)")
      }
      let check = try check(changes)
      check.expectPromise(places.joined(separator: ", "))
      listedCount += check.listed.count
    }
    #expect(listedCount > 0)
  }

  /// The good blocks of a table are found without its index.
  @Test func aDamagedBlockInATableWithoutAnIndex() throws {
    let table = try #require(whole.tables.max { $0.bytes.count < $1.bytes.count })
    var bytes = table.bytes
    bytes[bytes.count - 1] ^= 1
    bytes[bytes.count / 2] ^= 1
    let check = try check([table.name: bytes])
    check.expectPromise(table.name)
    #expect(check.report.damage.count <= 2, "\(check.report.damage)")
    #expect(check.report.documentCount > whole.documents.count / 2)
  }

  @Test func leavesOutWhatIsInDoubt() throws {
    var options = Database.SalvageOptions()
    options.leavesOutDoubtful = true
    var leftOutCount = 0
    for table in whole.tables {
      let check = try check([table.name: nil as [UInt8]?], options: options)
      check.expectPromise("without \(table.name)")
      #expect(check.differing.isEmpty && check.report.doubtfulCount == 0)
      leftOutCount += check.report.leftOutCount
    }
    #expect(leftOutCount > 0)
  }

  // MARK: The list of files

  @Test func aDamagedManifest() throws {
    let manifest = try name("MANIFEST-")
    var bytes = try bytes(of: manifest)
    bytes[20] ^= 1
    for change in [bytes, nil] {
      let check = try check([manifest: change])
      check.expectPromise(manifest)
      #expect(check.missing.isEmpty)
      #expect(check.report.doubtfulCount >= whole.documents.count)
    }
  }

  /// All tables exist, so no data is lost, but the list can no longer confirm it.
  @Test func aManifestThatEndsTooEarly() throws {
    let manifest = try name("MANIFEST-")
    let bytes = try bytes(of: manifest)
    let ends = LoggedRecords.ends(of: bytes)
    try #require(ends.count > 1)
    for end in ends.dropLast() + [(ends.last ?? 0) - 1] {
      let check = try check([manifest: Array(bytes[..<end])])
      check.expectPromise("\(manifest) ends at byte \(end)")
      #expect(check.missing.isEmpty && check.differing.isEmpty, "\(end)")
      if end == ends[0] { #expect(!check.report.isComplete) }
    }
  }

  @Test func aDamagedCurrent() throws {
    for bytes: [UInt8]? in [nil, [], Array("MANIFEST-000999\n".utf8), Array("x".utf8)] {
      let check = try check(["CURRENT": bytes])
      #expect(check.report.isComplete && check.missing.isEmpty && check.differing.isEmpty)
      #expect(check.report.damage.map(\.contents) == [""])
    }
  }

  // MARK: The log

  @Test func aDamagedLogThatOpeningRefuses() throws {
    let log = try name("", ".log")
    let bytes = try bytes(of: log)
    let ends = LoggedRecords.ends(of: bytes)
    try #require(ends.count > 3)
    // The last bytes of batches that others follow: damage to the last batch is a torn tail.
    for offset in [ends[0] - 1, ends[ends.count / 2] - 1, ends[ends.count - 2] - 1] {
      var damaged = bytes
      damaged[offset] ^= 1
      let copy = try whole.copy(changing: [log: damaged])
      expectRefusal(.dataLoss, ["damaged"], at: copy)
      let check = try SalvageCheck(copy, of: whole)
      check.expectPromise("\(log) at byte \(offset)")
      #expect(!check.report.isComplete)
      try whole.remove(copy)
    }
  }

  @Test func aMissingLog() throws {
    let check = try check([try name("", ".log"): nil as [UInt8]?])
    check.expectPromise("log missing")
    #expect(check.report.mayLackNames)
  }

  /// A write that was cut short was never acknowledged: opening says the same.
  @Test func aLogThatWasCutShort() throws {
    let log = try name("", ".log")
    for change in [Array(try bytes(of: log).dropLast(3)), try bytes(of: log) + [1, 2, 3]] {
      let copy = try whole.copy(changing: [log: change])
      let opened = try whole.copy(changing: [log: change])
      try Database.salvage(from: copy, to: copy + "-salvaged") { Issue.record("\($0)") }
      let salvaged = try LayeredDatabase.documents(at: copy + "-salvaged")
      #expect(try LayeredDatabase.documents(at: opened) == salvaged)
    }
  }

  /// The length of the last record is believed only if its checksum doesn't contradict it.
  @Test func aDamagedLastRecord() throws {
    let log = try name("", ".log")
    let bytes = try bytes(of: log)
    let last = try #require(lastFragment(of: bytes))
    for offset in last..<last + 8 {
      for bit: UInt8 in [0, 1, 7] {
        var damaged = bytes
        damaged[offset] ^= 1 << bit
        let check = try check([log: damaged])
        check.expectPromise("\(log) at byte \(offset), bit \(bit)")
        #expect(!check.report.isComplete)
      }
    }
  }

  /// Returns the place of the last fragment of a log.
  private func lastFragment(of log: [UInt8]) -> Int? {
    var last: Int?
    var start = 0
    while start + 7 <= log.count {
      last = start
      start += 7 + Int(log[start + 4]) + Int(log[start + 5]) << 8
      let left = 32_768 - start % 32_768
      if left < 7 { start += left }
    }
    return last
  }

  // MARK: Refusals

  @Test func refusesWhatIsInTheWay() throws {
    let folder = try TemporaryFolder()
    func refusal(_ from: String, _ to: String) -> DatabaseError? {
      do throws(DatabaseError) {
        try Database.salvage(from: from, to: to)
        return nil
      } catch {
        return error
      }
    }
    let missing = refusal(folder.path(of: "none"), folder.path(of: "new"))
    #expect(missing?.code == .notFound)
    let occupied = refusal(whole.path, whole.path)
    #expect(occupied?.code == .alreadyExists && occupied?.message.contains("not empty") == true)
    let copy = try whole.copy(changing: [:])
    let database = try Database.open(at: copy)
    #expect(refusal(copy, folder.path(of: "new"))?.code == .unavailable)
    try database.close()
    try FileManager.default.createDirectory(
      atPath: folder.path(of: "new.unfinished"), withIntermediateDirectories: true)
    let left = refusal(copy, folder.path(of: "new"))
    #expect(left?.code == .alreadyExists && left?.message.contains("broken off") == true)
    // No file is created in the folder that is only read, under any of its names.
    let before = try FileManager.default.subpathsOfDirectory(atPath: copy)
    for inner in ["", "/.", "/store/.."] {
      let inside = refusal(copy, copy + inner + "/new/")
      #expect(inside?.code == .alreadyExists && inside?.message.contains("lies in") == true)
    }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: copy) == before)
  }
}
