import Workbench

/// One contestant's turn in a round.
struct Slice {
  /// Microseconds of each operation, per unit.
  var latencies: [Double]
  /// Microseconds of the processor per operation; of all threads where it writes.
  var cpu: Double
  var tally: Tally?

  var median: Double { latencies.sorted()[latencies.count / 2] }
  var mean: Double { latencies.reduce(0, +) / Double(latencies.count) }

  /// Runs `operation` for each index, and times each.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - unitCount: how many units an operation does.
  ///   - writes: whether threads of the background work for it, which are then waited for, so that
  ///     their work is charged to who caused it.
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
  let workload: Workload
  private let names: [String]
  private var rounds: [[Slice]] = []

  /// - Parameter names: the contestants, the baseline first.
  init(_ workload: Workload, names: [String]) {
    self.workload = workload
    self.names = names
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
    rounds.append(round)
  }

  /// What the report says of it.
  var result: WorkloadResult {
    let contestants = names.indices.map { contestant in
      let latencies = rounds.flatMap { $0[contestant].latencies }.sorted()
      func ratio(_ figure: (Slice) -> Double) -> Spread {
        Spread(rounds.map { figure($0[contestant]) / figure($0[0]) })
      }
      return ContestantResult(
        name: names[contestant],
        latency: Percentiles(sorted: latencies),
        mean: latencies.reduce(0, +) / Double(latencies.count),
        cpu: rounds.reduce(0) { $0 + $1[contestant].cpu } / Double(rounds.count),
        ratio: ratio(\.median), meanRatio: ratio(\.mean), cpuRatio: ratio(\.cpu))
    }
    return WorkloadResult(
      workload: workload, roundCount: rounds.count, contestants: contestants,
      goals: Goal.goals(of: workload).compactMap { goal in
        guard
          let contestant = names.firstIndex(of: goal.contestant),
          let baseline = names.firstIndex(of: goal.baseline)
        else { return nil }
        let ratio = Spread(rounds.map { $0[contestant].median / $0[baseline].median })
        return GoalResult(goal: goal, ratio: ratio)
      })
  }

  /// The median of the first tenth of the rounds and of the last: whether time grew.
  func drift(of contestant: Int) -> (first: Double, last: Double) {
    let tenth = max(1, rounds.count / 10)
    func median(_ some: ArraySlice<[Slice]>) -> Double {
      Spread(some.map { $0[contestant].median }).median
    }
    return (median(rounds.prefix(tenth)), median(rounds.suffix(tenth)))
  }
}

/// A figure of several rounds.
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

/// Latencies in microseconds.
struct Percentiles: Codable {
  let p50: Double
  let p90: Double
  let p99: Double
  let max: Double
  /// At 0 nines, 0.1 nines …: 50 %, 90 %, 99 %, 99.9 % stand at 0.3, 1, 2 and 3.
  let byNines: [Double]

  init(sorted: [Double]) {
    p50 = sorted.at(0.5)
    p90 = sorted.at(0.9)
    p99 = sorted.at(0.99)
    max = sorted.last ?? .nan
    byNines = (0...40).prefix { Nines.share($0) <= 1 - 1 / Double(sorted.count) }
      .map { sorted.at(Nines.share($0)) }
  }
}

/// The axis of the latency curves: the number of nines of a percentile.
enum Nines {
  private static let tenthOfNine = 0.794_328_234_724_281_5

  /// The share of operations below the mark that is `tenths` tenths of a nine along.
  static func share(_ tenths: Int) -> Double {
    1 - (0..<tenths).reduce(1.0) { rest, _ in rest * tenthOfNine }
  }
}

extension [Double] {
  /// For sorted figures.
  fileprivate func at(_ share: Double) -> Double {
    isEmpty ? .nan : self[Int((Double(count - 1) * share).rounded())]
  }
}
