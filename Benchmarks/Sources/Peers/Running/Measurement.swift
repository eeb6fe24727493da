import Workbench

/// One contestant's turn in a round.
struct Slice {
  /// Microseconds of each operation, per unit.
  var latencies: [Double]
  /// Microseconds of processor time per operation; of all threads if it writes.
  var cpu: Double
  var tally: Tally?

  var median: Double { latencies.sorted()[latencies.count / 2] }
  var mean: Double { latencies.reduce(0, +) / Double(latencies.count) }

  /// Runs `operation` for each index, and times each.
  ///
  /// - Parameters:
  ///   - count: the number of operations.
  ///   - unitCount: the number of units that an operation does.
  ///   - writes: whether background threads do part of the work. The call then waits for them, so
  ///     that the processor time includes theirs.
  static func timing(
    _ count: Int, unitCount: Int = 1, writes: Bool = false,
    _ operation: (Int) throws -> Void
  ) rethrows -> Slice {
    var latencies: [Double] = []
    latencies.reserveCapacity(count)
    let cpuStart = writes ? Clock.process() : Clock.thread()
    for index in 0..<count {
      let start = Clock.wall()
      try operation(index)
      latencies.append((Clock.wall() - start) * 1e6 / Double(unitCount))
    }
    if writes { Clock.waitForBackgroundWork() }
    let cpu = (writes ? Clock.process() : Clock.thread()) - cpuStart
    return Slice(latencies: latencies, cpu: cpu * 1e6 / Double(count * unitCount))
  }
}

/// Figures of several contestants, taken in alternating slices over the same operands.
///
/// A round runs one slice of every contestant, each round in another order. A contestant's ratio is
/// taken within each round; the report gives the median over the rounds and their spread.
struct Measurement {
  /// The figures of a contestant's slice that a round keeps.
  private struct Figures {
    let median: Double
    let mean: Double
    let cpu: Double

    init(_ slice: Slice) {
      median = slice.median
      mean = slice.mean
      cpu = slice.cpu
    }
  }

  let workload: Workload
  private let names: [String]
  private var rounds: [[Figures]] = []
  private var latencies: [Latencies]
  /// Number of operations of each contestant, in all rounds.
  private var operationCount = 0

  /// - Parameter names: the contestants, the baseline first.
  init(_ workload: Workload, names: [String]) {
    self.workload = workload
    self.names = names
    latencies = names.map { _ in Latencies() }
  }

  /// Runs one slice of every contestant.
  ///
  /// - Throws: `StudyError` if the answers differ.
  mutating func addRound(_ slice: (Int) throws -> Slice) throws {
    var slices = [Slice?](repeating: nil, count: names.count)
    for turn in names.indices {
      let contestant = (turn + rounds.count) % names.count
      slices[contestant] = try slice(contestant)
    }
    let round = slices.compactMap { $0 }
    for (contestant, slice) in round.enumerated() where slice.tally != round[0].tally {
      throw StudyError(
        "\(names[contestant]) answers \(workload.rawValue) otherwise than \(names[0])")
    }
    for (contestant, slice) in round.enumerated() {
      for latency in slice.latencies { latencies[contestant].record(microseconds: latency) }
    }
    rounds.append(round.map(Figures.init))
    operationCount += round[0].latencies.count
  }

  /// The results for the report.
  var result: WorkloadResult {
    let contestants = names.indices.map { contestant in
      func ratio(_ figure: (Figures) -> Double) -> Spread {
        Spread(rounds.map { figure($0[contestant]) / figure($0[0]) })
      }
      let means = rounds.map { $0[contestant].mean }
      return ContestantResult(
        name: names[contestant],
        latency: latencies[contestant].percentiles,
        mean: means.reduce(0, +) / Double(means.count),
        cpu: rounds.reduce(0) { $0 + $1[contestant].cpu } / Double(rounds.count),
        ratio: ratio(\.median), meanRatio: ratio(\.mean), cpuRatio: ratio(\.cpu),
        drift: drift(of: contestant))
    }
    return WorkloadResult(
      workload: workload, roundCount: rounds.count, contestants: contestants,
      goals: Goal.goals(of: workload).compactMap(result))
  }

  /// Returns the result of a goal; `nil` if the run lacks one of its contestants.
  private func result(of goal: Goal) -> GoalResult? {
    guard let contestant = names.firstIndex(of: goal.contestant) else { return nil }
    if goal.figure == .drift {
      let drift = drift(of: contestant)
      return GoalResult(
        workload: workload, goal: goal, here: drift.last / drift.first, spread: nil, means: nil,
        processor: nil, condition: condition)
    }
    guard let baseline = names.firstIndex(where: { $0 == goal.baseline }) else { return nil }
    func spread(_ figure: (Figures) -> Double) -> Spread {
      Spread(
        rounds.map { round in
          let (own, other) = (figure(round[contestant]), figure(round[baseline]))
          return goal.figure == .rate ? other / own : own / other
        })
    }
    let medians = spread(\.median)
    return GoalResult(
      workload: workload, goal: goal, here: medians.median, spread: medians,
      means: spread(\.mean).median,
      processor: goal.figure == .ratio ? spread(\.cpu).median : nil, condition: condition)
  }

  /// The number of cycles of the queue. A queue slows down with the tasks that passed through it,
  /// so its goals are for a million cycles.
  private var condition: String? {
    guard workload == .q8 else { return nil }
    let goalCount = 1_000_000
    return "\(operationCount) cycles"
      + (operationCount < goalCount ? " (not judged at 1,000,000)" : "")
  }

  private func drift(of contestant: Int) -> Drift {
    let tenth = max(1, rounds.count / 10)
    func median(_ some: ArraySlice<[Figures]>) -> Double {
      Spread(some.map { $0[contestant].median }).median
    }
    return Drift(first: median(rounds.prefix(tenth)), last: median(rounds.suffix(tenth)))
  }
}

/// The median time of the first tenth of the rounds and of the last, which shows a slowdown.
struct Drift: Codable {
  let first: Double
  let last: Double
}

/// The spread of a figure over several rounds.
struct Spread: Codable {
  let p10: Double
  let median: Double
  let p90: Double

  init(_ figures: [Double]) {
    let sorted = figures.sorted()
    p10 = sorted.at(0.1)
    median = sorted.at(0.5)
    p90 = sorted.at(0.9)
  }
}

extension [Double] {
  /// Returns the figure at a share of the sorted figures.
  fileprivate func at(_ share: Double) -> Double {
    isEmpty ? .nan : self[Int((Double(count - 1) * share).rounded())]
  }
}
