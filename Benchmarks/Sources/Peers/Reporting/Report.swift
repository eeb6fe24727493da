/// All of a run, as `--json` writes it.
struct Report: Codable {
  var environment: Environment
  var workloads: [WorkloadResult] = []
  var work: [WorkCounter] = []
  var instructions: [InstructionCount] = []
  /// What a reader has to know beside the figures.
  var notes: [String] = []

  /// What Hearth is to reach, and what it reaches here.
  var goals: [GoalResult] {
    workloads.flatMap(\.goals) + instructions.flatMap(\.goals)
  }

  /// What was run, and with what.
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
  let drift: Drift
}

/// A figure that the same data and seed always give.
struct WorkCounter: Codable, Equatable {
  let name: String
  let value: Double
}

/// Instructions of one operation.
struct InstructionCount: Codable {
  let workload: Workload
  let engine: Engine
  let count: Double

  /// What is to be reached with it.
  var goals: [GoalResult] {
    Goal.instructions(of: workload, engine).map {
      GoalResult(
        workload: workload, goal: $0, here: count, spread: nil, means: nil, processor: nil,
        condition: nil)
    }
  }
}
