import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import TestSupport
import Testing

/// Law: for any commits and any run of the clock, a read at a time sees exactly the commits up to
/// it, or is refused because they are no longer kept. Everything within the limits is kept.
@Suite struct PastReadLawTests {
  @Test func aReadSeesTheCommitsUpToItsTime() throws {
    let seed = GeneratedCases.seed()
    var mix = (exact: 0, refused: 0, present: 0)
    for number in 0..<GeneratedCases.count(per: 50) {
      var history = try GeneratedPast(seed: seed &+ UInt64(number))
      do {
        try history.run(stepCount: 50)
      } catch {
        Issue.record("HEARTH_SEED=\(seed &+ UInt64(number)) HEARTH_CASES=1: \(error)")
        return
      }
      mix.exact += history.exactCount
      mix.refused += history.refusedCount
      mix.present += history.presentCount
    }
    print("reads of the past \(mix.exact), of the present \(mix.present), refused \(mix.refused)")
    guard GeneratedCases.areMany() else { return }
    let all = mix.exact + mix.refused + mix.present
    #expect(mix.exact * 10 > all && mix.refused * 100 > all * 3 && mix.present * 100 > all * 3)
  }
}

private struct Difference: Error, CustomStringConvertible {
  let description: String
}

/// A database with a random history, and every state that it had.
private struct GeneratedPast {
  private struct Moment {
    let start: Timestamp
    let names: [String]
  }

  private(set) var exactCount = 0
  private(set) var refusedCount = 0
  private(set) var presentCount = 0

  private var random: SplitMix64
  private let fixture: EngineFixture
  private let snapshotCount: Int
  private let retention: Int64
  private var numbers: [String: Int64] = [:]
  private var moments: [Moment]
  private var clock: Int64 = 10_000
  private var lastCommitTime = Int64.min
  /// The earliest moment that was not given up. A moment that is given up stays so, even if the
  /// clock goes back. A later one is kept by the clock at that time.
  private var earliest = 0

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    snapshotCount = random.oneIn(2) ? 1_000 : .random(in: 0...8, using: &random)
    retention = random.oneIn(2) ? 1_000_000 : .random(in: 0...2_000, using: &random)
    fixture = try EngineFixture(
      history: HistoryLimits(
        retention: .microseconds(retention), snapshotCount: snapshotCount))
    moments = [Moment(start: .minimum, names: [])]
  }

  mutating func run(stepCount: Int) throws {
    for _ in 0..<stepCount {
      clock +=
        random.oneIn(10)
        ? -.random(in: 0...300, using: &random) : .random(in: 0...300, using: &random)
      fixture.clock.turn(to: try Timestamp(microseconds: clock))
      if random.oneIn(2) { try commit() } else { try read() }
    }
  }

  private mutating func commit() throws {
    let id = random.pick(["a", "b", "c"])
    let path = try ResourcePath("c/\(id)")
    let old = numbers
    numbers[id] = random.oneIn(4) ? nil : .random(in: 0...3, using: &random)
    let write: Write = numbers[id].map { .set(path, ["n": .integer($0)]) } ?? .delete(path)
    let time = try fixture.engine.commit([write]).commitTime
    lastCommitTime = time.microseconds
    guard numbers != old else { return }
    let names = numbers.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { "c/\($0.key)" }
    moments.append(Moment(start: time, names: names))
    giveUp(now: time.microseconds)
  }

  private mutating func read() throws {
    let reach = max(lastCommitTime, clock)
    let time = try Timestamp(
      microseconds: random.oneIn(6)
        ? random.pick(moments.dropFirst() + [moments[moments.count - 1]]).start.microseconds
        : .random(in: reach - 3_000...reach, using: &random))
    let position = moments.lastIndex { $0.start <= time } ?? 0
    let expected = moments[position].names
    do throws(DatabaseError) {
      let found = try names(at: time)
      guard found == expected else {
        throw DatabaseError(.internal, "\(found), not \(expected), at \(time)")
      }
      guard isKept(position, time) else {
        throw DatabaseError(.internal, "kept for too long")
      }
      if position == moments.count - 1 { presentCount += 1 } else { exactCount += 1 }
    } catch {
      guard error.code == .failedPrecondition, !isKept(position, time) else {
        throw Difference(description: "\(error) at \(time)")
      }
      refusedCount += 1
    }
    guard position < moments.count - 1 else { return }
    giveUp(now: reach)
  }

  /// Drops the moments that are outside of the limits.
  private mutating func giveUp(now: Int64) {
    while isGivenUp(earliest, now: now) { earliest += 1 }
  }

  private func isGivenUp(_ position: Int, now: Int64) -> Bool {
    guard position < moments.count - 1 else { return false }
    return position < moments.count - 1 - snapshotCount
      || moments[position + 1].start.microseconds <= now - retention
  }

  /// Whether the limits keep the moment.
  private func isKept(_ position: Int, _ time: Timestamp) -> Bool {
    guard position < moments.count - 1 else { return true }
    let now = max(clock, lastCommitTime)
    return position >= earliest && !isGivenUp(position, now: now)
      && time.microseconds >= now - retention
  }

  private func names(at time: Timestamp) throws(DatabaseError) -> [String] {
    let query = StructuredQuery(collectionID: "c", orders: [Order(try FieldPath("n"))])
    let execution = try fixture.engine.readView(at: time).run(query)
    var names: [String] = []
    while let record = try execution.nextDocument() { names.append(record.path.description) }
    return names
  }
}
