import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Foundation
import Hearth
import HearthLevelDBStore
import TestSupport
import Testing

/// One byte of a table that the disk returns wrong.
///
/// `HEARTH_FLIPS` is the number of flips, and `HEARTH_SALVAGES` the number of salvages after them.
@Suite struct TableFlipTests {
  private struct Tally {
    var flips: [TablePart: Int] = [:]
    var noticed: [TablePart: Int] = [:]
    var salvageCount = 0
    var listedCount = 0
    var mayLackNamesCount = 0
    var withDocumentsCount = 0
  }

  private let generator: SplitMix64
  private let whole: LayeredDatabase

  init() throws {
    let seed = GeneratedCases.seed(
      for: "TableFlipTests", count: Self.flipCount, of: "HEARTH_FLIPS")
    generator = SplitMix64(seed: seed)
    whole = try LayeredDatabase(documentCount: 1200, seed: seed)
  }

  private static let flipCount = GeneratedCases.count(of: "HEARTH_FLIPS", unlessTold: 100)
  private static let salvageCount = GeneratedCases.count(
    of: "HEARTH_SALVAGES", unlessTold: 20)

  /// Every flip in a data or index block is noticed, and no flip changes an answer. A salvaged
  /// document is unchanged, or is listed.
  @Test func aFlippedByteIsNoticedOrHarmless() throws {
    var generator = generator
    var tally = Tally()
    let flips = try flips(&generator)
    let salvageEvery = max(1, flips.count / max(1, Self.salvageCount))
    for (number, flip) in flips.enumerated() {
      let bit: UInt8 = 1 << UInt8.random(in: 0..<8, using: &generator)
      var bytes = whole.tables[flip.table].bytes
      bytes[flip.offset] ^= bit
      let name = whole.tables[flip.table].name
      let words = "\(name) at byte \(flip.offset) (\(flip.part)), bit \(bit)"
      let copy = try whole.copy(changing: [name: bytes])
      if number % salvageEvery == 0 { try salvage(copy, words, flip.part, &tally) }
      let isNoticed = try isNoticed(copy, words)
      tally.flips[flip.part, default: 0] += 1
      if isNoticed { tally.noticed[flip.part, default: 0] += 1 }
      let isSame = flip.part == .handleOfIndex && bit == 0x80 && isLastOfHandles(flip)
      if flip.part == .data || flip.part == .index || flip.part == .handleOfIndex, !isSame {
        #expect(isNoticed, "\(words)")
      }
      try whole.remove(copy)
    }
    print(tally)
  }

  /// Whether a zero of the padding follows. The highest bit of the byte only says that the number
  /// continues, and a zero leaves the number unchanged.
  private func isLastOfHandles(_ flip: Flip) -> Bool {
    whole.tables[flip.table].bytes[flip.offset + 1] == 0
  }

  /// After a block that can't be read, the check continues and finds the next one.
  @Test func everyUnreadableBlockIsTold() throws {
    let table = try #require(whole.tables.max { $0.bytes.count < $1.bytes.count })
    let end = try TableParts(of: table.bytes).dataEnd
    var bytes = table.bytes
    let offsets = [end / 5, end / 2, end * 4 / 5]
    for offset in offsets { bytes[offset] ^= 0x10 }
    let copy = try whole.copy(changing: [table.name: bytes])
    let engine = try Engine(LevelDBStore.open(folder: copy).store)
    let report = try engine.verify()
    #expect(report.problems.map(\.fault) == offsets.map { _ in .unreadableRange })
    #expect(Set(report.problems.map(\.subject)).count == offsets.count)
    #expect(report.documentCount > whole.documents.count / 2)
    try engine.close()
  }

  private struct Flip {
    let table: Int
    let offset: Int
    let part: TablePart
  }

  /// Returns flips: most anywhere in the tables, and some in each part, which are small.
  private func flips(_ generator: inout SplitMix64) throws -> [Flip] {
    var byPart: [TablePart: [Flip]] = [:]
    let parts = try whole.tables.map { try TableParts(of: $0.bytes) }
    func flip(_ table: Int, _ offset: Int) throws -> Flip {
      Flip(table: table, offset: offset, part: try #require(parts[table].part(at: offset)))
    }
    let byteCounts = whole.tables.map(\.bytes.count)
    let total = byteCounts.reduce(0, +)
    try #require(total > 0)
    var flips: [Flip] = []
    for _ in 0..<Self.flipCount {
      var place = Int.random(in: 0..<total, using: &generator)
      var table = 0
      while place >= byteCounts[table] {
        place -= byteCounts[table]
        table += 1
      }
      flips.append(try flip(table, place))
    }
    for table in whole.tables.indices {
      for offset in 0..<byteCounts[table] where parts[table].part(at: offset) != .data {
        let flip = try flip(table, offset)
        byPart[flip.part, default: []].append(flip)
      }
    }
    for part in TablePart.allCases where part != .data {
      let places = try #require(byPart[part], "\(part)")
      for _ in 0..<max(1, Self.flipCount / 50) {
        flips.append(try #require(places.randomElement(using: &generator)))
      }
    }
    return flips
  }

  /// Whether opening or verifying reports damage. No answer may be wrong meanwhile.
  private func isNoticed(_ copy: String, _ words: String) throws -> Bool {
    let engine: Engine
    do {
      engine = try Engine(LevelDBStore.open(folder: copy).store)
    } catch {
      return true
    }
    for (query, expected) in zip(LayeredDatabase.queries, whole.answers) {
      do {
        let answer = try LayeredDatabase.answer(to: query, engine)
        #expect(answer == expected, "\(words): \(query)")
      } catch let error as DatabaseError {
        #expect(error.code == .dataLoss, "\(words): \(error)")
      }
    }
    defer { try? engine.close() }
    do {
      // Ranges that can't be read are reported, and cause no other difference.
      let report = try engine.verify()
      #expect(report.problems.allSatisfy { $0.fault == .unreadableRange }, "\(words): \(report)")
      return !report.isClean
    } catch {
      #expect(error.code == .dataLoss, "\(words): \(error)")
      return true
    }
  }

  private func salvage(
    _ copy: String, _ words: String, _ part: TablePart, _ tally: inout Tally
  ) throws {
    let check = try SalvageCheck(copy, of: whole)
    check.expectPromise(words)
    tally.salvageCount += 1
    tally.listedCount += check.listed.count
    if check.report.mayLackNames { tally.mayLackNamesCount += 1 }
    let hasDocuments = check.report.damage.contains { $0.contents.contains("documents") }
    if hasDocuments { tally.withDocumentsCount += 1 }
    // A part without documents puts none in doubt; and if the data blocks are whole, no document
    // is.
    if !hasDocuments { #expect(check.listed.isEmpty, "\(words)") }
    if part != .data { #expect(check.report.isComplete, "\(words)") }
  }

  private func print(_ tally: Tally) {
    for part in TablePart.allCases {
      let (count, noticed) = (tally.flips[part] ?? 0, tally.noticed[part] ?? 0)
      Swift.print("  flips in \(part): \(count), noticed: \(noticed)")
    }
    let share = Double(tally.listedCount) / Double(max(1, tally.salvageCount))
    Swift.print(
      "  salvaged: \(tally.salvageCount); with documents damaged: \(tally.withDocumentsCount); "
        + "names listed: \(share) of \(whole.documents.count) on average; "
        + "perhaps without names: \(tally.mayLackNamesCount)")
  }
}
