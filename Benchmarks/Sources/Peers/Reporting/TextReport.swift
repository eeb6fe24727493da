import Workbench

/// The report as tables in Markdown, for the terminal.
enum TextReport {
  static func table(_ result: WorkloadResult) -> String {
    var lines = [
      "**\(result.workload.rawValue)** \(result.workload.title) (\(result.roundCount) rounds)", "",
      "| contestant | p50 \(result.workload.unit) | p99 | mean | ratio | p10-p90 | of means "
        + "| of processor time |",
      "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for contestant in result.contestants {
      let figures = [
        contestant.latency.p50.short, contestant.latency.p99.short, contestant.mean.short,
        contestant.ratio.median.short,
        "\(contestant.ratio.p10.short)-\(contestant.ratio.p90.short)",
        contestant.meanRatio.median.short, contestant.cpuRatio.median.short,
      ]
      lines.append("| \(contestant.name) | \(figures.joined(separator: " | ")) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  static func table(_ counters: [WorkCounter]) -> String {
    let rows = counters.map { "| \($0.name) | \($0.value.short) |" }
    return (["**Work** of Hearth, per operation", "", "| counter | |", "|---|---:|"] + rows)
      .joined(separator: "\n") + "\n"
  }

  static func table(_ counts: [InstructionCount]) -> String {
    let rows = counts.map {
      "| \($0.workload.rawValue) | \($0.engine.rawValue) | \(Int($0.count)) |"
    }
    return (["**Instructions** per operation", "", "| | contestant | |", "|---|---|---:|"] + rows)
      .joined(separator: "\n") + "\n"
  }

  static func table(_ goals: [GoalResult]) -> String {
    let rows = goals.map { result in
      let spread = result.spread.map { "\($0.p10.short)-\($0.p90.short)" } ?? ""
      let limit = result.goal.isHigherBetter ? ">=" : "<="
      return "| \(result.workload.rawValue) | \(result.subject) "
        + "| \(limit) \(result.goal.must.short) | \(result.goal.reach.short) "
        + "| \(result.here.short) | \(spread) | \(result.means?.short ?? "") "
        + "| \(result.processor?.short ?? "") | \(result.verdict.rawValue) |"
    }
    let head = [
      "**Goals**", "",
      "| | | must | reach for | here | p10-p90 | of means | of processor time | |",
      "|---|---|---:|---:|---:|---:|---:|---:|---|",
    ]
    return (head + rows).joined(separator: "\n") + "\n"
  }
}
