/// A goal for Hearth: `must` is required, `reach` is desired.
struct Goal: Codable {
  /// The figure that is compared.
  enum Figure: String, Codable {
    /// A contestant's time divided by the baseline's.
    case ratio
    /// A contestant's operations per second divided by the baseline's.
    case rate
    /// A contestant's time at the end divided by its time at the beginning.
    case drift
    /// Instructions per operation.
    case instructions
  }

  let figure: Figure
  let contestant: String
  /// Name of the baseline; `nil` if the goal compares with no other contestant.
  let baseline: String?
  let must: Double
  let reach: Double

  var isHigherBetter: Bool { figure == .rate }

  /// The contestants, such as `Hearth to SQLite JSON`.
  var subject: String {
    switch figure {
    case .ratio: "\(contestant) to \(baseline ?? "")"
    case .rate: "rate of \(contestant) to \(baseline ?? "")"
    case .drift: "\(contestant), last tenth to first"
    case .instructions: "\(contestant), instructions"
    }
  }
}

extension Goal {
  /// Returns the goals for the times of a workload.
  static func goals(of workload: Workload) -> [Goal] {
    switch workload {
    case .q1:
      [
        hearth(0.22, 0.15), ratio(.hearthNames, 0.55, 0.45), ratio(.hearthCold, 0.90, 0.75),
      ]
    case .q2:
      [
        hearth(0.40, 0.28), ratio(.hearthRows, 0.25, 0.15), ratio(.hearthFields, 0.60, 0.45),
        ratio(.hearthCold, 1.20, 1.00), ratio(.hearthCovering, 0.45, 0.35),
      ]
    case .q2Struct:
      [
        Goal(
          figure: .ratio, contestant: Suite.structs, baseline: Engine.records.rawValue,
          must: 0.18, reach: 0.12)
      ]
    case .q3, .q5: [hearth(0.42, 0.30)]
    case .q4:
      [
        hearth(0.60, 0.45), ratio(.hearthByTime, 0.45, 0.35), ratio(.hearthCounts, 0.25, 0.15),
      ]
    case .q6: [ratio(.hearthAutomatic, 0.60, 0.45)]
    case .q7: [hearth(0.50, 0.35), ratio(.hearthCold, 0.80, 0.60)]
    case .q8:
      [
        hearth(1.0, 0.5),
        Goal(
          figure: .drift, contestant: Engine.hearth.rawValue, baseline: nil, must: 1.2, reach: 1.1),
      ]
    case .w1:
      [
        Goal(
          figure: .ratio, contestant: Engine.hearth.rawValue, baseline: Suite.append, must: 1.25,
          reach: 1.05)
      ]
    case .w1x:
      [
        Goal(
          figure: .rate, contestant: Suite.writers(64), baseline: Suite.writers(1), must: 10,
          reach: 20)
      ]
    case .w2: [hearth(0.22, 0.17)]
    case .w2a: [hearth(0.35, 0.20)]
    case .w3: [hearth(0.30, 0.18)]
    case .w3Whole:
      // The baseline is SQLite's faster way.
      [
        ratio(.hearth, to: .sqliteJSONIndexesAfter, 0.60, 0.40),
        ratio(.hearthIndexesAfter, to: .sqliteJSONIndexesAfter, 0.60, 0.40),
      ]
    case .w4: [hearth(0.70, 0.50)]
    case .w5: [hearth(0.33, 0.25)]
    case .q1Disk, .q2Disk, .q9, .w3a: []
    }
  }

  /// Returns the goals for instruction counts.
  static func instructions(of workload: Workload, _ engine: Engine) -> [Goal] {
    func most(_ must: Double, _ reach: Double) -> [Goal] {
      [
        Goal(
          figure: .instructions, contestant: engine.rawValue, baseline: nil, must: must,
          reach: reach)
      ]
    }
    return switch (workload, engine) {
    case (.q1, .hearth): most(5000, 3000)
    case (.q2, .hearthUnread): most(22_000, 15_000)
    case (.q4, .hearth), (.q4, .hearthByTime), (.q4, .hearthCounts): most(45_000, 10_000)
    default: []
    }
  }

  private static func hearth(_ must: Double, _ reach: Double) -> Goal {
    ratio(.hearth, must, reach)
  }

  private static func ratio(
    _ engine: Engine, to baseline: Engine = .sqliteJSON, _ must: Double, _ reach: Double
  ) -> Goal {
    Goal(
      figure: .ratio, contestant: engine.rawValue, baseline: baseline.rawValue, must: must,
      reach: reach)
  }
}

/// A goal and Hearth's result.
struct GoalResult: Codable {
  let workload: Workload
  let goal: Goal
  let here: Double
  /// Spread of the rounds; `nil` for a figure without rounds.
  let spread: Spread?
  /// Result for the mean times.
  let means: Double?
  /// Result for the processor times; `nil` if the figure is no ratio of times.
  let processor: Double?
  /// Condition under which the figure holds.
  let condition: String?

  /// The contestants, such as `Hearth to SQLite JSON`, and the condition.
  var subject: String { condition.map { "\(goal.subject), \($0)" } ?? goal.subject }

  enum Verdict: String {
    case reached = "reached"
    case met = "must met"
    case missed = "missed"
  }

  var verdict: Verdict {
    func holds(_ limit: Double) -> Bool {
      goal.isHigherBetter ? here >= limit : here <= limit
    }
    return holds(goal.reach) ? .reached : holds(goal.must) ? .met : .missed
  }
}
