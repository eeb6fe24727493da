/// The report of a run, in the form that `--json` writes.
struct Report: Codable {
  var environment: Environment
  var workloads: [WorkloadResult] = []
  var work: [WorkCounter] = []
  var instructions: [InstructionCount] = []
  /// Notes that a reader needs beside the figures.
  var notes: [String] = []

  /// Hearth's goals and its results in this run.
  var goals: [GoalResult] {
    workloads.flatMap(\.goals) + instructions.flatMap(\.goals)
  }

  /// The system and the settings of a run.
  struct Environment: Codable {
    var documents: Int
    var rounds: Int
    var seed: UInt64
    var cacheMebibytes: Int
    var documentCacheMebibytes: Int
    var sqlite: String
    var levelDB: String
    var processors: Int
  }
}

/// The results of all contestants for one workload, the baseline first.
struct WorkloadResult: Codable {
  let workload: Workload
  let roundCount: Int
  let contestants: [ContestantResult]
  let goals: [GoalResult]
}

struct ContestantResult: Codable {
  let name: String
  /// Microseconds per operation, over all rounds.
  let latency: Percentiles
  let mean: Double
  /// Microseconds of processor time per operation; those of background threads too if it writes.
  let cpu: Double
  /// Ratio to the baseline, round by round: of the medians, of the means, of the processor time.
  let ratio: Spread
  let meanRatio: Spread
  let cpuRatio: Spread
  let drift: Drift
}

/// A figure that is always the same for the same data and seed.
struct WorkCounter: Codable, Equatable {
  let name: String
  let value: Double
}

/// The instructions of one operation.
struct InstructionCount: Codable {
  let workload: Workload
  let engine: Engine
  let count: Double

  /// The goals for this count.
  var goals: [GoalResult] {
    Goal.instructions(of: workload, engine).map {
      GoalResult(
        workload: workload, goal: $0, here: count, spread: nil, means: nil, processor: nil,
        condition: nil)
    }
  }
}
