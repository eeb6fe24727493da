import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthStorageFormat
import TestSupport
import Testing

/// Law: the draft of a commit is a function of the requests, the time and what it has read.
@Suite struct DraftLawTests {
  private static let stepsPerHistory = 25
  /// Number of cases, as other laws count them, that take as long as a history.
  private static let casesPerHistory = 100

  /// Requests that are drafted twice have equal bytes, and those that are committed have the bytes
  /// of their draft. A refused request leaves no trace. Equal histories write equal batches.
  @Test func draftsAreRepeatable() throws {
    let mix = try run(keepingSums: true) { history, mix in try history.repeatStep(&mix) }
    guard GeneratedCases.areMany() else { return }
    #expect(mix.summed * 20 > mix.drafts)
  }

  /// While all facts hold on which a draft rests, commits of others don't change it.
  @Test func draftsRestOnTheirFacts() throws {
    // Every other commit changes the sums.
    let mix = try run(keepingSums: false) { history, mix in try history.outlastStep(&mix) }
    guard GeneratedCases.areMany() else { return }
    #expect(mix.outlasting * 20 > mix.drafts && mix.overtaken * 20 > mix.drafts)
  }

  private func run(
    _ test: String = #function, keepingSums: Bool,
    _ step: (inout DraftHistory, inout DraftMix) throws -> Void
  ) throws -> DraftMix {
    let seed = GeneratedCases.seed(for: test)
    var mix = DraftMix()
    for number in 0..<GeneratedCases.count(per: Self.casesPerHistory) {
      let seed = seed &+ UInt64(number)
      do {
        var history = try DraftHistory(seed: seed, keepsSums: keepingSums)
        for _ in 0..<Self.stepsPerHistory { try step(&history, &mix) }
      } catch {
        Issue.record("HEARTH_SEED=\(seed) HEARTH_CASES=1: \(error)")
        return mix
      }
    }
    mix.check()
    return mix
  }
}

/// Counts of the drafts by what became of them.
private struct DraftMix {
  var drafts = 0
  var refused = 0
  var counted = 0
  var summed = 0
  var outlasting = 0
  var overtaken = 0

  mutating func add(_ draft: Rehearsal) {
    drafts += 1
    refused += draft.refusedCount > 0 ? 1 : 0
    let prefixes = draft.operations.map { $0.key.first }
    counted += prefixes.contains(UInt8(ascii: "u")) ? 1 : 0
    summed += prefixes.contains(UInt8(ascii: "e")) ? 1 : 0
  }

  func check() {
    print(
      "drafts \(drafts), with a refusal \(refused), with counts \(counted), with sums \(summed), "
        + "outlasting a commit \(outlasting), overtaken by one \(overtaken)")
    guard GeneratedCases.areMany() else { return }
    #expect(refused * 10 > drafts && refused * 10 < drafts * 9)
    #expect(counted * 20 > drafts)
  }
}

/// Two databases with the same history.
private struct DraftHistory {
  private static let longFields = (0..<6).map { "l\($0)" }
  /// An index whose entries get too large.
  private static let longIndex = IndexDefinition(
    "c", longFields.map { IndexColumn(FieldPath(unchecked: [$0]), .ascending) })
  private static let long = Value.string(String(repeating: "x", count: 1400))

  private var generator: HistoryGenerator
  private let one: RecordedEngine
  private let other: RecordedEngine
  private var seconds: Int64 = 0

  init(seed: UInt64, keepsSums: Bool) throws {
    generator = HistoryGenerator(seed: seed)
    let settings = EngineSettings.turn(Int(truncatingIfNeeded: seed % 3))
    one = try RecordedEngine(settings)
    other = try RecordedEngine(settings)
    try both { engine in
      try engine.keepCounts(KeptCounts.Definition("c", [FieldPath(unchecked: ["a"])]))
      try engine.keepSums(keepsSums)
      try engine.createIndex(Self.longIndex)
    }
  }

  private func both(_ body: (Engine) throws -> Void) throws {
    for engine in [one.engine, other.engine] {
      // Refused in one, it is refused in both.
      do { try body(engine) } catch is DatabaseError {}
    }
    guard one.takeBatches() == other.takeBatches() else {
      throw LawBroken("equal histories write different batches")
    }
  }

  private mutating func nextTime() throws -> Timestamp {
    seconds += 1
    let time = try Timestamp(microseconds: seconds * 1_000_000)
    for engine in [one, other] { engine.clock.turn(to: time) }
    return time
  }

  /// Returns up to three requests, no two of which write one document.
  private mutating func requests() -> [[Write]] {
    var paths: Set<ResourcePath> = []
    return (0..<3).map { number -> [Write] in
      var writes = (0..<Int.random(in: 1...2, using: &generator.random)).map { _ in
        generator.write()
      }
      .filter { !paths.contains($0.path) }
      paths.formUnion(writes.map(\.path))
      if generator.random.oneIn(4) { writes.append(refusedLate(number)) }
      return writes
    }
    .filter { !$0.isEmpty }
  }

  /// Returns a write that is refused for the size of an entry, after those before it are staged.
  private func refusedLate(_ number: Int) -> Write {
    let fields = MapValue(Self.longFields.map { ($0, Self.long) })
    return .set(ResourcePath(unchecked: ["c", "long\(number)"]), fields)
  }

  mutating func repeatStep(_ mix: inout DraftMix) throws {
    let step = generator.step()
    let time = try nextTime()
    guard case .commit = step else { return try both { try change($0, step) } }
    let requests = requests()
    let draft = try one.rehearse(requests, at: time)
    mix.add(draft)
    let again = try one.rehearse(requests, at: time)
    guard again.operations == draft.operations, again.facts == draft.facts else {
      throw LawBroken("\(requests) are drafted in two ways")
    }
    guard
      try one.rehearse(draft.accepted, at: time).operations == draft.operations
    else { throw LawBroken("\(requests): those refused leave traces") }
    let first = try one.rehearse([requests[0]], at: time).operations
    try? _ = one.engine.commit(requests[0])
    try? _ = other.engine.commit(requests[0])
    let written = one.takeBatches()
    guard written.first.map({ $0.dropLast() }) ?? [] == first[...] else {
      throw LawBroken("\(requests[0]) is committed in another way than drafted")
    }
    guard written == other.takeBatches() else {
      throw LawBroken("equal histories write different batches")
    }
  }

  mutating func outlastStep(_ mix: inout DraftMix) throws {
    let time = try nextTime()
    let requests = requests()
    let draft = try one.rehearse(requests, at: time)
    mix.add(draft)
    if generator.random.oneIn(6) {
      try both { [step = generator.step()] in try change($0, step) }
    } else {
      let write = generator.write()
      try both { _ = try $0.commit([write]) }
    }
    let now = try one.rehearse(requests, at: time)
    let isSameCatalog = now.state.catalogVersion == draft.state.catalogVersion
    let holds = try isSameCatalog && draft.facts.allSatisfy(one.holds)
    // The numbers of new documents come from elsewhere.
    guard holds, now.state.numbers == draft.state.numbers else {
      mix.overtaken += holds ? 0 : 1
      return
    }
    mix.outlasting += 1
    guard now.operations == draft.operations else {
      throw LawBroken("\(requests) are drafted in another way, though all facts hold")
    }
  }

  private func change(_ engine: Engine, _ step: HistoryStep) throws {
    switch step {
    case .commit(let writes): _ = try engine.commit(writes)
    case .recursiveDelete(let path): _ = try engine.recursiveDelete(path)
    case .sweep(let time):
      var sweep = TimeToLiveSweep(engine, documentCountLimit: 2)
      while try !sweep.step(at: time).isDone {}
    default: try step.changeIndexes(of: engine)
    }
  }
}

extension RecordedEngine {
  /// Drafts one commit of several requests, as it would be made now, and writes nothing.
  fileprivate func rehearse(_ requests: [[Write]], at time: Timestamp) throws -> Rehearsal {
    let view = try engine.readView()
    var draft = try CommitDraft(
      view, sums: SumTable.read(view.snapshot), commitTime: time, recordsFacts: true)
    let accepted = requests.filter { writes in
      let results = try? draft.stage { draft in
        for write in writes { try write.validate() }
        return try WriteStaging.stage(writes, in: &draft)
      }
      return results != nil
    }
    draft.seal()
    return Rehearsal(
      operations: draft.batch.operations, accepted: accepted,
      refusedCount: requests.count - accepted.count, facts: try draft.facts(), state: view.state)
  }

  fileprivate func holds(_ fact: CommitDraft.Fact) throws -> Bool {
    try store.makeSnapshot().value(of: fact.key) == fact.value
  }
}

/// A commit as it is drafted, with the facts that it rests on.
private struct Rehearsal {
  let operations: [BatchOperation]
  let accepted: [[Write]]
  let refusedCount: Int
  let facts: [CommitDraft.Fact]
  /// The state of the database before it.
  let state: StateRecord
}

extension StateRecord {
  fileprivate var numbers: [UInt64] { [nextDocumentNumber, nextCollectionNumber, nextIndexID] }
}
