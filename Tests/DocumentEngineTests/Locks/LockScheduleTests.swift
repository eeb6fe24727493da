import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Glibc
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

/// Transactions with locks in every order of their steps, compared with a model of strict two-phase
/// locking.
///
/// After each step the test waits until the same actors wait in the engine as in the model, and no
/// others. So a lost wake-up, a circle that stays and an overtaken write all show.
@Suite struct LockScheduleTests {
  private static let programs: [[[LockStep]]] = [
    // A read document is written by another writer, and by both of two transactions.
    [[.read(["a"]), .commit(["a"])], [.write(["a"]), .write(["b"])]],
    [[.read(["a"]), .commit(["a"])], [.read(["a"]), .commit(["a"])]],
    // Crossed reads and writes.
    [[.read(["a"]), .read(["b"]), .commit(["b"])], [.read(["b"]), .read(["a"]), .commit(["a"])]],
    // A query, and inserts into its range.
    [[.readAll, .commit(["a"])], [.readAll, .commit(["new"])], [.write(["new"])]],
    // Blind writes, and rollbacks.
    [[.commit(["a"])], [.read(["a"]), .rollback], [.read(["b"]), .commit(["a", "b"])]],
    // Circles of three.
    [
      [.read(["a"]), .commit(["b"])], [.read(["b"]), .commit(["c"])],
      [.read(["c"]), .commit(["a"])],
    ],
    [
      [.read(["a", "b"]), .commit(["c"])], [.read(["b", "c"]), .commit(["a"])],
      [.read(["c", "a"]), .commit(["b"])],
    ],
    // Reads that come after a write that waits, and those that may pass it.
    [
      [.read(["a"]), .read(["b"]), .commit(["c"])], [.write(["a", "b"])],
      [.read(["b"]), .rollback],
    ],
    [
      [.read(["a"]), .read(["c"]), .commit([])], [.read(["b"]), .commit(["a", "c"])],
      [.read(["a"]), .commit(["b"])],
    ],
    [
      [.read(["a"]), .read(["b"]), .rollback], [.write(["a"]), .write(["b"])],
      [.readAll, .rollback],
    ],
    // A transaction that is ended from outside, while it waits or not.
    [
      [.read(["a"]), .commit(["b"])], [.read(["b"]), .commit(["a"])], [.expire(0), .write(["a"])],
    ],
    [[.read(["a"]), .read(["b"]), .commit(["a"])], [.write(["a", "b"])], [.expire(0)]],
  ]

  @Test(arguments: programs.indices)
  func everyOrderGoesAsInTheModel(_ program: Int) throws {
    let scripts = Self.programs[program]
    var schedules: [[Int]] = []
    Self.collect(LockModel(scripts), [], &schedules)
    for schedule in schedules {
      let run = try LockRun(scripts)
      if let difference = try run.difference(along: schedule) {
        Issue.record("\(scripts), order \(schedule): \(difference)")
        return
      }
    }
  }

  /// Collects every order of steps in which only actors that don't wait take one.
  private static func collect(_ model: LockModel, _ schedule: [Int], _ schedules: inout [[Int]]) {
    guard !model.isOver else { return schedules.append(schedule) }
    #expect(!model.able.isEmpty, "stuck after \(schedule)")
    for actor in model.able {
      var next = model
      _ = next.advance(actor)
      collect(next, schedule + [actor], &schedules)
    }
  }

  /// A step may wait for a step of a generated script that never comes, unless the end of a script
  /// ends its transaction.
  @Test func generatedProgramsGoAsInTheModel() throws {
    let seed = GeneratedCases.seed(count: 300)
    let count = GeneratedCases.count(unlessTold: 300)
    var (waited, aborted) = (0, 0)
    for number in 0..<count {
      let seed = seed &+ UInt64(number)
      var random = SplitMix64(seed: seed)
      let scripts = (0..<4).map { _ in Self.script(using: &random) }
      var model = LockModel(scripts)
      var schedule: [Int] = []
      while let actor = model.able.randomElement(using: &random) {
        _ = model.advance(actor)
        if !model.waiting.isEmpty { waited += 1 }
        schedule.append(actor)
      }
      try #require(model.isOver)
      for actor in scripts.indices {
        aborted += model.outcomes(of: actor).count { $0 == .aborted }
      }
      let run = try LockRun(scripts)
      if let difference = try run.difference(along: schedule) {
        Issue.record("HEARTH_SEED=\(seed): \(scripts), order \(schedule): \(difference)")
        return
      }
    }
    print("  steps with waits: \(waited), aborted: \(aborted)")
    guard count >= 300 else { return }
    #expect(waited > count && aborted * 4 > count)
  }

  private static func script(using random: inout SplitMix64) -> [LockStep] {
    func names() -> [String] {
      Array(LockModel.documents.shuffled(using: &random).prefix(random.pick([1, 1, 2])))
    }
    if random.oneIn(4) { return (0..<3).map { _ in .write(names()) } }
    let reads: [LockStep] = (0..<random.pick([1, 2, 3])).map { _ in
      random.oneIn(6) ? .readAll : .read(names())
    }
    return reads + [random.oneIn(6) ? .rollback : .commit(names())]
  }
}

/// One program on an engine, with a thread for each step.
private struct LockRun {
  private let engine: Engine
  private let scripts: [[LockStep]]
  /// The transaction of each actor; `nil` for one that only writes.
  private let scopes: [LockingScope?]
  private let outcomes: Lock<[[LockOutcome]]>

  init(_ scripts: [[LockStep]]) throws {
    var settings = EngineSettings()
    // A step that waits for ever by mistake ends after this, as none of the model does.
    settings.locks.timeout = .seconds(60)
    engine = try Engine(MemoryStore(), settings: settings)
    for name in ["a", "b", "c"] { _ = try engine.commit([.set(LockRun.path(name), ["n": 0])]) }
    self.scripts = scripts
    let engine = engine
    scopes = try scripts.map { script in
      script.contains(where: \.isPlain) ? nil : try engine.beginLockingTransaction()
    }
    outcomes = Lock(scripts.map { _ in [] })
  }

  private static func path(_ name: String) -> ResourcePath { ResourcePath(unchecked: ["c", name]) }

  /// Runs the steps in the order of `schedule`, and returns the first difference to the model;
  /// `nil` if there is none.
  func difference(along schedule: [Int]) throws -> String? {
    var model = LockModel(scripts)
    for (position, actor) in schedule.enumerated() {
      guard let step = model.advance(actor) else { return "no step \(position)" }
      startThread { [self] in
        let outcome = outcome(of: step, by: actor)
        outcomes.withLock { $0[actor].append(outcome) }
      }
      let expected = scripts.indices.map { model.outcomes(of: $0) }
      while true {
        let found = outcomes.withLock { $0 }
        let isAhead = zip(found, expected).contains { $0.count > $1.count }
        let isDone = found.map(\.count) == expected.map(\.count)
        if isAhead || isDone && engine.lockWaitCount == model.waiting.count {
          if found == expected { break }
          return "after \(position + 1) steps \(found) in place of \(expected)"
        }
        sched_yield()
      }
    }
    for (name, version) in model.versions {
      let fields = try engine.readView().document(at: LockRun.path(name))?.fields()
      guard fields == ["n": .integer(version)] else { return "\(name) is \(fields as Any)" }
    }
    return nil
  }

  private func outcome(of step: LockStep, by actor: Int) -> LockOutcome {
    do throws(DatabaseError) {
      switch step {
      case .read(let names): return .versions(try read(names, by: actor))
      case .readAll: return .versions(try readAll(by: actor))
      case .commit(let names): _ = try scopes[actor]?.commit(writes(names))
      case .write(let names): _ = try engine.commit(writes(names))
      case .rollback: scopes[actor]?.rollback()
      case .expire(let other): scopes[other]?.rollback()
      }
      return .done
    } catch {
      return error.code == .aborted ? .aborted : .versions([error.message: 0])
    }
  }

  private func writes(_ names: [String]) -> [Write] {
    names.map { name in
      .merge(
        LockRun.path(name), [:],
        transforms: [FieldTransform(FieldPath(unchecked: ["n"]), .increment(1))])
    }
  }

  private func read(_ names: [String], by actor: Int) throws(DatabaseError) -> [String: Int64] {
    try scopes[actor]?.read { view throws(DatabaseError) in
      var versions: [String: Int64] = [:]
      for name in names {
        versions[name] = try LockRun.version(of: view.document(at: LockRun.path(name)))
      }
      return versions
    } ?? [:]
  }

  private func readAll(by actor: Int) throws(DatabaseError) -> [String: Int64] {
    try scopes[actor]?.read { view throws(DatabaseError) in
      let execution = try view.run(StructuredQuery(collectionID: "c"))
      var versions: [String: Int64] = [:]
      while let document = try execution.nextDocument() {
        versions[document.path.lastSegment ?? ""] = try LockRun.version(of: document)
      }
      try execution.finish()
      return versions
    } ?? [:]
  }

  private static func version(of document: FetchedDocument?) throws(DatabaseError) -> Int64? {
    guard case .integer(let version)? = try document?.value(at: FieldPath(unchecked: ["n"])) else {
      return nil
    }
    return version
  }
}
