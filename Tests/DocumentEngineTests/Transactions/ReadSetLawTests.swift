import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import TestSupport
import Testing

/// Law: for any reads and later writes, if the same read would have another answer now, the
/// transaction is aborted.
@Suite struct ReadSetLawTests {
  private static let readsPerDatabase = 40

  @Test func aTransactionWhoseReadsChangedIsAborted() throws {
    let count = GeneratedCases.count(unlessTold: 20_000)
    let seed = GeneratedCases.seed(count: count)
    var mix = ReadMix()
    for number in 0..<GeneratedCases.count(per: Self.readsPerDatabase, of: count) {
      let seed = seed &+ UInt64(number)
      do {
        var database = try LawDatabase(
          seed: seed, settings: .turn(Int(truncatingIfNeeded: seed % 3)))
        for _ in 0..<min(Self.readsPerDatabase, count - number * Self.readsPerDatabase) {
          try step(&database, &mix)
        }
      } catch {
        Issue.record(
          "HEARTH_SEED=\(seed) HEARTH_CASES=\(Self.readsPerDatabase): \(error)")
        return
      }
    }
    mix.check()
  }

  private func step(_ database: inout LawDatabase, _ mix: inout ReadMix) throws {
    guard let read = try database.read() else { return }
    let scope = try database.engine.beginTransaction()
    guard let answer = try read.answerUnlessUndefined(in: scope.readView()) else {
      return mix.skip()
    }
    try database.changeDocuments()
    let after = try database.engine.beginTransaction()
    let isSame = try read.answerUnlessUndefined(in: after.readView()) == answer
    try scope.append(.set(ResourcePath("witness/w"), ["n": .integer(1)]))
    let isAborted = code { _ = try scope.commit() } == .aborted
    guard isAborted || isSame else {
      throw LawBroken("\(read) gives something else, and the transaction was committed.")
    }
    mix.add(read, isSame: isSame, isAborted: isAborted)
  }
}

private struct ReadMix {
  private var kinds: [String: Int] = [:]
  private var total = 0
  private var changed = 0
  private var needless = 0
  private var skipped = 0

  mutating func skip() { skipped += 1 }

  mutating func add(_ read: GeneratedRead, isSame: Bool, isAborted: Bool) {
    kinds[read.kind, default: 0] += 1
    total += 1
    if !isSame { changed += 1 }
    if isSame, isAborted { needless += 1 }
  }

  func check() {
    for (kind, count) in kinds.sorted(by: { $0.key < $1.key }) {
      print("  reads, \(kind): \(count)")
    }
    print("  reads that changed: \(changed)\n  aborted for nothing: \(needless)")
    print("  reads skipped: \(skipped)")
    guard GeneratedCases.areMany(total) else { return }
    #expect(kinds.count == 6 && kinds.values.allSatisfy { $0 * 100 >= total })
    // About 5.5 in a hundred: fewer would say little.
    #expect(changed * 25 >= total)
    // Changes between the entries of a join, or changes that left the same answer.
    #expect(needless * 5 < total && skipped * 20 < total)
  }
}
