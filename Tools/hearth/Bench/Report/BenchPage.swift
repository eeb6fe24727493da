import Hearth

/// The report as one HTML page that needs no other file.
struct BenchPage {
  let report: BenchReport
  let comparison: BenchComparison?

  var html: String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>hearth bench</title>
    <style>\(BenchPage.style)</style></head><body>
    <h1>hearth bench</h1>
    \(setting)<p>\(conditions)</p>
    \(scaling)\(compared)\(report.cases.map(section).joined(separator: "\n"))
    <p class="n">A latency is the time from the beginning of an operation to its end; where \
    operations arrive at a rate, the time from its arrival, so that waiting counts. The latency \
    chart's lower axis stretches what is near 100 %.</p>
    </body></html>

    """
  }

  /// The place and time of the measurement.
  private var setting: String {
    (report.setting?.lines ?? []).map { "<p>\($0.escapedForHTML).</p>\n" }.joined()
  }

  private var conditions: String {
    let asked = report.conditions
    var parts = [
      "hearth \(report.hearth)", Figure.counted(report.processors, "processor"),
      "seed \(report.seed)",
      asked.isCold ? "cold: opened anew, nothing kept in memory but blocks of the files" : "warm",
    ]
    if asked.decodes { parts.append("all fields decoded") }
    if report.cases.contains(where: { $0.writers > 0 }) {
      parts.append(asked.isDurable ? "writes wait for the disk" : "writes don't wait for the disk")
    }
    return (parts.joined(separator: ", ") + ".").escapedForHTML
  }

  // MARK: One load

  private func section(_ figures: CaseFigures) -> String {
    let parts =
      figures.queries + (figures.queries.count > 1 ? [figures.total] : [])
      + (figures.writes.map { [$0] } ?? [])
    return """
      <h2>\(figures.label.escapedForHTML)</h2>
      <div class="c">\(latencies(of: parts))\(throughput(of: figures))</div>
      \(latencyTable(parts))
      \(workTable(figures.queries))
      """
  }

  private func latencies(of parts: [LoadFigures]) -> String {
    let lines = parts.map { part in
      Plot.Line(
        name: part.name,
        points: part.nanoseconds.curve.enumerated().map { (Double($0), Double($1)) })
    }
    return Plot(
      title: "Latency by percentile",
      x: Plot.Axis(percentilesOf: lines.map(\.points.count).max() ?? 0),
      y: Plot.Axis(latencies: lines.flatMap { $0.points.map(\.y) }), lines: lines
    ).svg
  }

  private func throughput(of figures: CaseFigures) -> String {
    let timeline = figures.timeline
    // At most about a hundred points.
    let tickCount = max(timeline.reads.count, timeline.writes.count)
    let size = max(1, (tickCount + 99) / 100)
    let seconds = timeline.tickSeconds * Double(size)
    func line(_ name: String, _ ticks: [Int]) -> Plot.Line {
      // A remainder at the end is no whole interval.
      let points = (0..<ticks.count / size).map { index in
        let count = ticks[index * size..<(index + 1) * size].reduce(0, +)
        return ((Double(index) + 0.5) * seconds, Double(count) / seconds)
      }
      return Plot.Line(name: name, points: points)
    }
    let lines = [line("reads", timeline.reads), line("writes", timeline.writes)].filter {
      $0.points.count > 1
    }
    guard !lines.isEmpty else { return "" }
    return Plot(
      title: "Operations a second",
      x: Plot.Axis(upTo: Double(tickCount) * timeline.tickSeconds) { "\(BenchPage.plain($0)) s" },
      y: Plot.Axis(upTo: lines.flatMap { $0.points.map(\.y) }.max() ?? 1) {
        Figure.rate($0)
      }, lines: lines
    ).svg
  }

  private func latencyTable(_ parts: [LoadFigures]) -> String {
    let rows = parts.enumerated().map { index, part in
      let times = part.nanoseconds
      let cells =
        [Figure.count(part.runs), Figure.rate(part.perSecond)]
        + [Int64(times.mean), times.p50, times.p90, times.p99, times.p999, times.longest].map {
          Figure.duration(nanoseconds: $0)
        } + [Figure.count(part.errors), Figure.count(part.unserved)]
      return [Plot.swatch(index) + part.name.escapedForHTML] + cells
    }
    let titles = [
      "query", "runs", "rate", "mean", "p50", "p90", "p99", "p99.9", "max", "errors", "unserved",
    ]
    return table(titles, rows)
  }

  private func workTable(_ queries: [LoadFigures]) -> String {
    let rows = queries.map { query in
      let (mean, most) = (query.perRun, query.most)
      let cells = [
        Figure.tenths(mean.results), Figure.tenths(mean.entries), Figure.count(most.entries),
        Figure.tenths(mean.documents), Figure.count(most.documents), Figure.tenths(mean.seeks),
        Figure.count(most.seeks),
      ]
      return [query.name.escapedForHTML] + cells + [(query.text ?? "").escapedForHTML]
    }
    let titles = [
      "read per run", "results", "entries", "at most", "documents", "at most", "seeks", "at most",
      "query",
    ]
    return table(titles, rows)
  }

  // MARK: All loads

  private var scaling: String {
    guard report.cases.count > 1 else { return "" }
    let cases = report.cases
    let isByRate = Set(cases.map(\.readers)).count == 1
    func load(_ figures: CaseFigures) -> Double {
      isByRate ? figures.rate ?? 0 : Double(figures.readers)
    }
    let loads = Plot.Axis(upTo: cases.map(load).max() ?? 1) {
      isByRate ? Figure.rate($0) : BenchPage.plain($0)
    }
    func line(_ name: String, _ figure: (CaseFigures) -> Double) -> Plot.Line {
      Plot.Line(name: name, points: cases.map { (load($0), figure($0)) })
    }
    let rate = line("operations a second") { $0.total.perSecond }
    let times = [
      line("p50") { Double($0.total.nanoseconds.p50) },
      line("p99") { Double($0.total.nanoseconds.p99) },
    ]
    let by = isByRate ? "rate of arrival" : "readers"
    let throughput = Plot(
      title: "Operations a second by \(by)", x: loads,
      y: Plot.Axis(upTo: rate.points.map(\.y).max() ?? 1) { Figure.rate($0) }, lines: [rate])
    let latency = Plot(
      title: "Latency by \(by)", x: loads,
      y: Plot.Axis(latencies: times.flatMap { $0.points.map(\.y) }), lines: times)
    return "<h2>By load</h2><div class=\"c\">\(throughput.svg)\(latency.svg)</div>\n"
  }

  private var compared: String {
    guard let comparison else { return "" }
    let rows = comparison.changes.map { change in
      let cells = [
        change.figure, change.format(change.then), change.format(change.now),
        Figure.ratio(change.ratio), change.verdict,
      ]
      return ["\(change.query), \(change.load)".escapedForHTML] + cells
    }
    let notes = comparison.notes.map { "<p>Note: \($0.escapedForHTML)</p>" }.joined()
    return "<h2>Beside the saved run</h2>"
      + table(["query", "figure", "then", "now", "ratio", "change"], rows) + notes
  }

  /// Returns up to three digits, without zeros at the end: `2`, `0.5`.
  private static func plain(_ number: Double) -> String {
    var text = Figure.ratio(number)
    guard text.contains(".") else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  /// Returns a table. On a narrow screen each row is a list of its cells with their titles.
  private func table(_ titles: [String], _ rows: [[String]]) -> String {
    guard !rows.isEmpty else { return "" }
    let classes = titles.map { $0.utf8Equal("query") ? " class=q" : "" }
    let heads = zip(titles, classes).map { "<th\($1)>\($0)" }
    let lines = rows.map { cells in
      let columns = zip(cells, zip(titles, classes))
      return "<tr>" + columns.map { "<td\($1.1) data-t=\"\($1.0)\">\($0)" }.joined()
    }
    return "<table><tr>\(heads.joined())\n\(lines.joined(separator: "\n"))</table>\n"
  }

  private static let style = """
    :root{color-scheme:light dark;--l:#8884}
    body{font:15px/1.5 system-ui,sans-serif;max-width:1060px;margin:2em auto;padding:0 1em;\
    overflow-wrap:anywhere}
    h1{font-size:1.5em}h2{font-size:1.15em;margin:2em 0 .5em}
    table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:13px;margin:1em 0}
    td,th{padding:.15em .7em;border-bottom:1px solid var(--l);text-align:right;white-space:nowrap}
    td:first-child,th:first-child,.q{text-align:left}
    .q{font-family:ui-monospace,monospace;white-space:normal}
    td.q:first-child{font-family:inherit}
    i{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.5em}
    .c{display:flex;flex-wrap:wrap;gap:1em}
    figure{margin:0;flex:1 1 min(440px,100%);min-width:0;max-width:520px}
    figcaption{font-size:13px}svg{width:100%;font:11px system-ui,sans-serif;overflow:visible}
    @media(max-width:900px){table,tbody,tr,td{display:block}tr{margin:1em 0}\
    tr:first-child{display:none}\
    td{display:flex;gap:1em;justify-content:space-between;white-space:normal}\
    td::before{content:attr(data-t);opacity:.7}td:first-child{display:block}\
    td:first-child::before{content:none}}
    svg text{fill:currentColor}.g{stroke:var(--l)}.n{font-size:13px;opacity:.75}
    """
}
