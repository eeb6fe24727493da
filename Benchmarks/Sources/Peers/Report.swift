/// All of a run, as `--json` writes it.
struct Report: Codable {
  var environment: Environment
  var workloads: [WorkloadResult] = []
  var work: [WorkCounter] = []
  var instructions: [InstructionCount] = []
  /// What a reader has to know beside the figures.
  var notes: [String] = []

  /// What was run, and with what.
  struct Environment: Codable {
    var documents: Int
    var rounds: Int
    var seed: UInt64
    var cacheMebibytes: Int
    var sqlite: String
    var levelDB: String
    var processors: Int
  }
}

/// One workload of all contestants, the baseline first.
struct WorkloadResult: Codable {
  let workload: Workload
  let roundCount: Int
  let contestants: [ContestantResult]
  let goals: [GoalResult]
}

struct ContestantResult: Codable {
  let name: String
  /// Microseconds per operation, of all rounds.
  let latency: Percentiles
  let mean: Double
  /// Microseconds of the processor per operation, background threads included where it writes.
  let cpu: Double
  /// To the baseline, round by round: of the medians, of the means, of the processor's time.
  let ratio: Spread
  let meanRatio: Spread
  let cpuRatio: Spread
}

/// How far Hearth is from where it is to be.
struct GoalResult: Codable {
  let goal: Goal
  let ratio: Spread

  var verdict: String {
    ratio.median <= goal.reach
      ? "reached" : ratio.median <= goal.must ? "met" : "missed"
  }
}

/// A figure that the same data and seed always give.
struct WorkCounter: Codable, Equatable {
  let name: String
  let value: Double
}

/// Instructions of one operation.
struct InstructionCount: Codable {
  let workload: Workload
  let contestant: String
  let count: Double
}
