import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

/// Law 3: after any run and any n-th failure of the store, a reopened database has every
/// acknowledged write, no part of a refused one, and indexes that agree with its documents.
@Suite struct FailureLawTests {
  @Test func everyFailureLeavesAConsistentDatabase() throws {
    let seed = GeneratedCases.seed()
    var mix = FailureMix()
    for number in 0..<GeneratedCases.count {
      do {
        var history = try FailureHistory(seed: seed &+ UInt64(number))
        try history.run()
        mix.add(history)
      } catch {
        Issue.record("HEARTH_SEED=\(seed &+ UInt64(number)) HEARTH_CASES=1: \(error)")
        return
      }
    }
    mix.check()
  }
}

/// Counts of the generated histories by their steps.
private struct FailureMix {
  var histories = 0
  var failed = 0
  var acknowledged = 0
  var documents = 0

  mutating func add(_ history: FailureHistory) {
    histories += 1
    failed += history.hasFailed ? 1 : 0
    acknowledged += history.acknowledgedCount
    documents += history.model.count
  }

  func check() {
    print(
      "histories \(histories), with a failure \(failed), steps acknowledged \(acknowledged), "
        + "documents left \(documents)")
    guard GeneratedCases.areMany(histories) else { return }
    #expect(failed * 10 > histories * 4, "too few histories meet their failure")
    #expect(acknowledged > histories * 4)
    #expect(documents > histories)
  }
}

private struct Inconsistency: Error, CustomStringConvertible {
  let description: String
}

/// One database, one failure at some point, and a model of its contents.
private struct FailureHistory {
  private(set) var model: [ResourcePath: MapValue] = [:]
  private(set) var hasFailed = false
  private(set) var acknowledgedCount = 0

  private var generator: HistoryGenerator
  private let store = MemoryStore()
  private let engine: Engine
  private let fault: StoreFault

  init(seed: UInt64) throws {
    generator = HistoryGenerator(seed: seed)
    let countsWrites = generator.random.oneIn(2)
    fault = StoreFault(
      failingOperation: .random(in: 1...(countsWrites ? 16 : 200), using: &generator.random),
      failingWrite: generator.random.oneIn(2) ? .isLost : .isKept,
      counting: countsWrites ? [.write] : Set(StoreOperation.allCases))
    var settings = EngineSettings.turn(Int(truncatingIfNeeded: seed % 3))
    settings.build.chunkDocumentCount = 2
    settings.load = EngineSettings.loading.load
    let faulty = try? Engine(ObservedStore(store, observer: fault), settings: settings)
    hasFailed = faulty == nil
    engine = try faulty ?? Engine(store)
  }

  mutating func run() throws {
    for _ in 0..<12 where !hasFailed { try apply(generator.step(), engine) }
    // Another process opens the store that this one left, checks it and continues.
    let reopened = try Engine(store)
    try check(reopened)
    for _ in 0..<4 { try apply(generator.step(), reopened) }
    try check(reopened)
    try reopened.countSums()
    try check(reopened)
    guard !reopened.lacksSums else { throw Inconsistency(description: "sums are missing") }
  }

  private mutating func apply(_ step: HistoryStep, _ engine: Engine) throws {
    let before = model
    do {
      try perform(step, engine)
      acknowledgedCount += 1
    } catch let error as DatabaseError where error.code == .unavailable {
      hasFailed = true
      try settle(step, before)
    } catch is DatabaseError {
      // Refused, as a precondition may be: no part of it may be written.
      model = before
    }
  }

  private mutating func perform(_ step: HistoryStep, _ engine: Engine) throws {
    switch step {
    case .commit(let writes):
      let expected = FailureHistory.applied(writes, to: model)
      if generator.random.oneIn(2) {
        var load = engine.makeLoad()
        _ = try load.commit(writes)
      } else {
        _ = try engine.commit(writes)
      }
      model = expected
    case .sweep(let time):
      let expected = try FailureHistory.swept(model, at: time, engine)
      var sweep = TimeToLiveSweep(engine, documentCountLimit: 2)
      while try !sweep.step(at: time).isDone {}
      model = expected
    case .recursiveDelete(let path):
      _ = try engine.recursiveDelete(path)
      model = model.filter { !$0.key.hasPrefix(path) }
    default: try step.changeIndexes(of: engine)
    }
  }

  /// Checks that a failed step is written whole or not at all. The model takes over the result.
  private mutating func settle(_ step: HistoryStep, _ before: [ResourcePath: MapValue]) throws {
    let reopened = try Engine(store)
    let stored = try FailureHistory.documents(reopened)
    var after = before
    switch step {
    case .commit(let writes): after = FailureHistory.applied(writes, to: before)
    case .recursiveDelete(let path): after = before.filter { !$0.key.hasPrefix(path) }
    case .sweep(let time):
      // Some of the due documents may be deleted, and no others.
      let kept = try FailureHistory.swept(before, at: time, reopened)
      after = before.filter { stored[$0.key] != nil || kept[$0.key] != nil }
    default: break
    }
    guard stored == before || stored == after else {
      throw Inconsistency(description: "\(step) left \(stored), neither \(before) nor \(after)")
    }
    model = stored
  }

  /// Returns the documents without those that a sweep deletes.
  private static func swept(
    _ model: [ResourcePath: MapValue], at now: Timestamp, _ engine: Engine
  ) throws -> [ResourcePath: MapValue] {
    let policies = try engine.readView().catalog.timesToLive.filter { $0.state == .ready }
    return model.filter { path, fields in
      !policies.contains { policy in
        guard policy.collectionGroup == path.parent.lastSegment,
          case .timestamp(let time) = fields[policy.field]
        else { return false }
        return time.microseconds + Int64(policy.offsetSeconds) * 1_000_000 < now.microseconds
      }
    }
  }

  private static func applied(
    _ writes: [Write], to model: [ResourcePath: MapValue]
  ) -> [ResourcePath: MapValue] {
    var model = model
    for write in writes {
      switch write.operation {
      case .delete: model[write.path] = nil
      case .verify: break
      case .update(let fields, nil): model[write.path] = fields
      case .update(let fields, let mask?):
        var merged = model[write.path] ?? MapValue()
        for path in mask { merged.set(fields[path], at: path) }
        model[write.path] = merged
      }
    }
    return model
  }

  private static func documents(_ engine: Engine) throws -> [ResourcePath: MapValue] {
    let view = try engine.readView()
    var documents: [ResourcePath: MapValue] = [:]
    try view.forEachCollection(from: .root) { collection in
      try view.forEachDocumentPath(in: collection) { path in
        documents[path] = try view.document(at: path)?.fields()
        return true
      }
      return true
    }
    return documents
  }

  private func check(_ engine: Engine) throws {
    let report = try engine.verify()
    guard report.isClean else { throw Inconsistency(description: "\(report.problems)") }
    let stored = try FailureHistory.documents(engine)
    guard stored == model else {
      throw Inconsistency(description: "stored \(stored), expected \(model)")
    }
  }
}
