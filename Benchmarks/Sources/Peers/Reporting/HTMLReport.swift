import Workbench

/// The report as one page that needs no other file: bars of ratios and curves of latencies.
enum HTMLReport {
  static func page(_ report: Report) -> String {
    let environment = report.environment
    return """
      <!doctype html>
      <html lang="en"><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Hearth beside its peers</title>
      <style>\(style)</style>
      <h1>Hearth beside its peers</h1>
      <p>\(environment.documents) documents, \(environment.rounds) rounds, seed \
      \(environment.seed), \(environment.cacheMebibytes) MiB of block or page cache each, \
      \(environment.documentCacheMebibytes) MiB for documents where Hearth is not called cold; \
      SQLite \(environment.sqlite), LevelDB \(environment.levelDB), \
      \(environment.processors) processors.</p>
      <p>All engines ran in one process, in alternating slices over the same random operands, after
      their answers had been compared document for document. A ratio is the median, over the rounds,
      of a contestant's median time divided by the first contestant's in the same round; the thin
      line spans the middle 80 % of the rounds.</p>
      \(goals(report.goals))
      \(report.workloads.map(section).joined())
      \(work(report))
      <h2>Notes</h2><ul>\(report.notes.map { "<li>\(escaped($0))</li>" }.joined())</ul>
      </html>

      """
  }

  private static func goals(_ results: [GoalResult]) -> String {
    let rows = results.map { result in
      let limit = result.goal.isHigherBetter ? "≥" : "≤"
      let spread = result.spread.map { "\($0.p10.short)–\($0.p90.short)" } ?? ""
      return """
        <tr class="\(result.verdict)"><td>\(result.workload.rawValue)<td>\
        \(escaped(result.workload.title))<td>\(escaped(result.subject))\
        <td>\(limit) \(result.goal.must.short)<td>\(result.goal.reach.short)\
        <td>\(result.here.short)<td>\(spread)<td>\(result.means?.short ?? "")\
        <td>\(result.processor?.short ?? "")<td>\(result.verdict.rawValue)
        """
    }
    guard !rows.isEmpty else { return "" }
    return """
      <h2>Goals</h2>
      <table class="goals"><tr><th><th>workload<th>figure<th>must<th>reach for<th>here\
      <th>p10–p90<th>of means<th>of processor<th>
      \(rows.joined(separator: "\n"))</table>
      """
  }

  private static func section(_ result: WorkloadResult) -> String {
    let rows = result.contestants.enumerated().map { place, contestant in
      """
      <tr><td><i style="background:\(Chart.color(place, contestant.name))"></i>\
      \(escaped(contestant.name))<td>\(contestant.latency.p50.short)<td>\
      \(contestant.latency.p90.short)<td>\(contestant.latency.p99.short)<td>\
      \(contestant.mean.short)<td>\(contestant.cpu.short)<td>\(contestant.ratio.median.short)<td>\
      \(contestant.ratio.p10.short)–\(contestant.ratio.p90.short)<td>\
      \(contestant.meanRatio.median.short)<td>\(contestant.cpuRatio.median.short)
      """
    }
    return """
      <h2>\(result.workload.rawValue): \(escaped(result.workload.title))</h2>
      <div class="charts">\(Chart.bars(result))\(Chart.curves(result))</div>
      <table><tr><th>\(result.workload.unit)<th>p50<th>p90<th>p99<th>mean<th>processor<th>ratio\
      <th>p10–p90<th>of means<th>of processor
      \(rows.joined(separator: "\n"))</table>
      """
  }

  private static func work(_ report: Report) -> String {
    let counters = report.work.map { "<tr><td>\(escaped($0.name))<td>\($0.value.short)" }
    let instructions = report.instructions.map {
      "<tr><td>\($0.workload.rawValue)<td>\(escaped($0.engine.rawValue))<td>\(Int($0.count))"
    }
    return """
      \(counters.isEmpty ? "" : "<h2>Work of Hearth, per operation</h2>")
      <table>\(counters.joined(separator: "\n"))</table>
      \(instructions.isEmpty ? "" : "<h2>Instructions per operation</h2>")
      <table>\(instructions.joined(separator: "\n"))</table>
      """
  }

  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
    return result
  }

  private static let style = """
    body{font:15px/1.5 system-ui,sans-serif;max-width:1060px;margin:2em auto;padding:0 1em;
    color:#222;background:#fff}
    h1{font-size:1.6em}h2{font-size:1.15em;margin:2em 0 .5em}
    table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:13px}
    th{font-weight:600;text-align:right}th:first-child,td:first-child{text-align:left}
    td,th{padding:.15em .7em;border-bottom:1px solid #e4e4e4;text-align:right}
    .goals :is(td,th):nth-child(-n+3){text-align:left}
    i{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.5em}
    .charts{display:flex;flex-wrap:wrap;gap:1em}
    svg{font:11px system-ui,sans-serif}
    tr.reached td:last-child{color:#17763b}tr.met td:last-child{color:#17763b}
    tr.missed td:last-child{color:#b3261e}
    """
}
