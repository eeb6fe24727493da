import Hearth

extension BenchReport {
  /// Returns the report for a person: a paragraph for each load, and a table of all loads if there
  /// are several.
  ///
  /// - Parameter latencies: the latencies of each load. They are drawn if there is only one query.
  func text(width: Int?, latencies: [LatencyHistogram]) -> String {
    let head = (["hearth \(hearth)"] + (setting?.lines ?? [])).map { $0 + "\n" }.joined()
    let paragraphs = zip(cases, latencies).map { $0.text(width: width, $1) }
    let scaling = cases.count > 1 ? [cases.scalingTable.text(width: width)] : []
    return ([head] + paragraphs + scaling).joined(separator: "\n")
  }
}

extension CaseFigures {
  fileprivate func text(width: Int?, _ latencies: LatencyHistogram) -> String {
    let isPlain = readers == 1 && rate == nil && writers == 0
    let runs = Figure.counted(total.runs, "run")
    let time = Figure.duration(nanoseconds: seconds * 1e9)
    var text = "\(runs) in \(time), \(Figure.rate(total.perSecond))"
    text += isPlain ? "\n" : ", \(label)\n"
    if queries.count == 1, writes == nil {
      text += "\(total.nanoseconds.text)\nper query: \(total.perRun.text)\n\(notes)\n"
      return text + latencies.drawing(width: width ?? 80)
    }
    let parts = queries + (queries.count > 1 ? [total] : []) + (writes.map { [$0] } ?? [])
    text += notes + "\n" + LoadFigures.latencyTable(parts).text(width: width)
    return text + "\n" + LoadFigures.workTable(queries).text(width: width)
  }

  /// Notes about errors and unserved operations.
  private var notes: String {
    ([total] + (writes.map { [$0] } ?? [])).map { figures in
      var notes = ""
      if figures.errors > 0 {
        notes += "\(Figure.counted(figures.errors, "error")) of \(figures.name), the first: "
        notes += "\((figures.firstError ?? "").sentence)\n"
      }
      if figures.unserved > 0 {
        notes += "\(Figure.counted(figures.unserved, "operation")) of \(figures.name) arrived and "
        notes += "were not begun in time: the rate is more than can be served.\n"
      }
      return notes
    }.joined()
  }
}

extension LoadFigures {
  static func latencyTable(_ parts: [LoadFigures]) -> TextTable {
    var table = TextTable([
      .init("query"), .init("runs", .right), .init("rate", .right), .init("p50", .right),
      .init("p90", .right), .init("p99", .right), .init("p99.9", .right), .init("max", .right),
    ])
    for part in parts {
      let times = part.nanoseconds
      table.append(
        [part.name, Figure.count(part.runs), Figure.rate(part.perSecond)]
          + [times.p50, times.p90, times.p99, times.p999, times.longest].map {
            Figure.duration(nanoseconds: $0)
          })
    }
    return table
  }

  static func workTable(_ parts: [LoadFigures]) -> TextTable {
    var table = TextTable([
      .init("per run"), .init("results", .right), .init("entries", .right),
      .init("documents", .right), .init("seeks", .right), .init("most entries", .right),
    ])
    for part in parts {
      let work = part.perRun
      table.append(
        [part.name]
          + [work.results, work.entries, work.documents, work.seeks].map(Figure.tenths)
          + [Figure.count(part.most.entries)])
    }
    return table
  }
}

extension LoadFigures.Latency {
  fileprivate var text: String {
    [("p50", p50), ("p90", p90), ("p99", p99), ("p99.9", p999), ("max", longest)].map {
      "\($0.0) \(Figure.duration(nanoseconds: $0.1))"
    }.joined(separator: "   ")
  }
}

extension LoadFigures.Means {
  fileprivate var text: String {
    [
      (results, "results"), (entries, "index entries"), (documents, "documents"), (seeks, "seeks"),
    ].map { "\(Figure.tenths($0.0)) \($0.1)" }.joined(separator: ", ")
  }
}

extension [CaseFigures] {
  /// A table of the figures by load.
  fileprivate var scalingTable: TextTable {
    var table = TextTable([
      .init("load"), .init("rate", .right), .init("to first", .right), .init("p50", .right),
      .init("p99", .right), .init("max", .right),
    ])
    let base = Swift.max(first?.total.perSecond ?? 0, 1e-9)
    for figures in self {
      let (total, times) = (figures.total, figures.total.nanoseconds)
      table.append(
        [
          figures.label, Figure.rate(total.perSecond), Figure.ratio(total.perSecond / base),
        ] + [times.p50, times.p99, times.longest].map { Figure.duration(nanoseconds: $0) })
    }
    return table
  }
}

extension Figure {
  /// Formats a number with one decimal: `19.9`, `1,234.0`.
  static func tenths(_ number: Double) -> String {
    let tenths = Int64(max(min((number * 10).rounded(), 1e15), 0))
    return "\(count(tenths / 10)).\(tenths % 10)"
  }

  /// Formats a ratio: `1.04`, `0.52`, `12.3`; `-` if there is no figure to compare with.
  static func ratio(_ ratio: Double) -> String {
    guard ratio.isFinite else { return "-" }
    return threeDigits(ratio)
  }
}
