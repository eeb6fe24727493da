import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Foundation
import HearthLevelDBStore
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

/// `hearth import`, killed anywhere: every reported batch is there, the current one is there whole
/// or not at all, and `hearth verify` finds no fault.
///
/// `HEARTH_KILLS` is the number of kills; `Tools/crash-test` makes more than the tests do.
@Suite struct ImportKillTests {
  private static let killCount = GeneratedCases.count(of: "HEARTH_KILLS", unlessTold: 4)
  private static let recordCount = 6000
  private static let batchCount = 100
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    var records = ""
    for number in 0..<Self.recordCount {
      records += "{\"id\":\"\(Self.id(number))\",\"n\":\(number),\"tags\":[\"a\",\(number % 7)]}\n"
    }
    try Data(records.utf8).write(to: URL(fileURLWithPath: folder.path(of: "records.ndjson")))
  }

  /// Returns a record's id. Ids are sorted as the records are.
  private static func id(_ number: Int) -> String { "r\(100_000 + number)" }

  @Test func everyAcknowledgedBatchIsThere() throws {
    let seed = GeneratedCases.seed(count: Self.killCount, of: "HEARTH_KILLS")
    var random = SplitMix64(seed: seed)
    var (acknowledged, kept, unindexed) = (0, 0, 0)
    for kill in 0..<Self.killCount {
      let database = folder.path(of: "database-\(kill)")
      let told = try killImport(into: database, using: &random)
      if try lacksEntries(database) { unindexed += 1 }
      let stored = try storedCount(database)
      // A batch may be durable before it is reported.
      #expect(stored == told || stored == told + Self.batchCount)
      acknowledged += told
      kept += stored - told
      let verify = try RunningWriter(["verify", "--db", database], program: "hearth")
      _ = verify.finish()
      #expect(verify.exitStatus == 0)
    }
    print(
      "\(Self.killCount) kills, \(acknowledged) documents acknowledged, \(kept) kept beside them, "
        + "\(unindexed) databases without all entries")
    // One kill may come before any acknowledgement; several don't.
    if Self.killCount >= 4 { #expect(acknowledged > 0) }
    if Self.killCount >= 20 { #expect(unindexed > 0) }
  }

  /// - Returns: the number of documents that the import reported as durable.
  private func killImport(
    into database: String, using random: inout SplitMix64
  ) throws -> Int {
    let arguments = [
      "import", "records", folder.path(of: "records.ndjson"), "--id-field", "id", "--batch-size",
      "\(Self.batchCount)", "--print-acknowledged", "--db", database,
    ]
    let batches = Self.recordCount / Self.batchCount
    var settings: [String: String] = [:]
    if random.oneIn(2) {
      // One write founds the database; each batch takes at least one, and the entries of most
      // documents two at the end.
      let writes = random.oneIn(2) ? 2...batches : batches + 1...batches + 4
      settings["KILL_AT_WRITE"] = "\(Int.random(in: writes, using: &random))"
      settings["KILL_AFTER_PERMILLE"] = "\(Int.random(in: 0...1000, using: &random))"
    }
    let writer = try RunningWriter(
      arguments, program: "hearth", environment: Interposer.environment(with: settings, in: folder))
    var lines: [String] = []
    let last = Int.random(in: 0..<batches - 5, using: &random)
    while !settings.isEmpty || lines.count < last, let line = writer.nextLine() {
      lines.append(line)
    }
    lines += writer.kill()
    for (index, line) in lines.enumerated() {
      #expect(line == "\((index + 1) * Self.batchCount)")
    }
    return lines.count * Self.batchCount
  }

  /// Whether documents lack their index entries.
  private func lacksEntries(_ database: String) throws -> Bool {
    let engine = try Engine(LevelDBStore.open(folder: database).store)
    defer { try? engine.close() }
    return engine.latest.state.unindexedStart != nil
  }

  /// Expects the first records of the file and no others; returns their number.
  private func storedCount(_ database: String) throws -> Int {
    let engine = try Engine(LevelDBStore.open(folder: database).store)
    let count = try countFirstRecords(engine)
    let report = try engine.verify()
    #expect(report.isClean && report.documentCount == count, "\(report.problems)")
    try engine.close()
    return count
  }

  /// Counts the records. It is a function of its own, so that its view is released when it returns.
  private func countFirstRecords(_ engine: Engine) throws -> Int {
    let view = try engine.readView()
    var count = 0
    try view.forEachCollection(from: .root) { collection in
      #expect(collection.description == "records")
      try view.forEachDocumentPath(in: collection) { path in
        #expect(path.lastSegment == Self.id(count))
        let value = try view.document(at: path)?.fields()["n"]
        #expect(value == .integer(Int64(count)))
        count += 1
        return true
      }
      return true
    }
    return count
  }
}
