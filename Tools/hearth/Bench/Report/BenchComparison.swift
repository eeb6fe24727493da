import Hearth

/// A figure of a run beside the same figure of a saved one.
struct BenchChange: Codable, Sendable {
  var load: String
  var query: String
  var figure: String
  var then: Double
  var now: Double
  /// `slower`, `faster`, `more`, `less`, `same` or `within the spread`; empty if there is no basis
  /// for a verdict.
  var verdict: String

  var ratio: Double { now / then }
}

/// A comparison of a run with a saved one.
struct BenchComparison: Codable, Sendable {
  private(set) var changes: [BenchChange] = []
  /// Reasons why figures can't be compared, or only with care.
  private(set) var notes: [String] = []

  init(_ now: BenchReport, with then: BenchReport) {
    if now.conditions != then.conditions {
      notes.append("the saved run had other settings: --cold, --decode or --no-sync.")
    }
    if now.processors != then.processors {
      notes.append(
        "the saved run had \(Figure.counted(then.processors, "processor")), this one "
          + "\(Figure.count(now.processors)).")
    }
    for figures in now.cases {
      guard let other = then.cases.first(where: { $0.isSameLoad(as: figures) }) else {
        notes.append("the saved run has nothing for \(figures.label).")
        continue
      }
      compare(figures, with: other)
    }
  }

  private mutating func compare(_ now: CaseFigures, with then: CaseFigures) {
    for query in now.queries {
      guard let other = then.queries.first(where: { $0.name.utf8Equal(query.name) }) else {
        notes.append("the saved run has no query \(query.name).")
        continue
      }
      guard (query.text ?? "").utf8Equal(other.text ?? "") else {
        notes.append("the saved run has another query \(query.name): \(other.text ?? "").")
        continue
      }
      compare(query, with: other, load: now.label)
    }
    if let writes = now.writes, let other = then.writes {
      compare(writes, with: other, load: now.label)
    }
  }

  private mutating func compare(_ now: LoadFigures, with then: LoadFigures, load: String) {
    let times = (now.nanoseconds, then.nanoseconds)
    let latencies: [(String, Double, Double)] = [
      ("p50", Double(times.0.p50), Double(times.1.p50)),
      ("p90", Double(times.0.p90), Double(times.1.p90)),
      ("p99", Double(times.0.p99), Double(times.1.p99)),
    ]
    func append(_ figure: String, _ present: Double, _ past: Double, _ verdict: String) {
      changes.append(
        BenchChange(
          load: load, query: now.name, figure: figure, then: past, now: present, verdict: verdict))
    }
    for (figure, present, past) in latencies {
      let verdict = BenchComparison.verdict(
        times.0.spread[figure], beside: times.1.spread[figure])
      append(figure, present, past, verdict)
    }
    append("rate", now.perSecond, then.perSecond, "")
    guard now.text != nil else { return }
    let work: [(String, Double, Double)] = [
      ("entries", now.perRun.entries, then.perRun.entries),
      ("documents", now.perRun.documents, then.perRun.documents),
      ("seeks", now.perRun.seeks, then.perRun.seeks),
    ]
    for (figure, present, past) in work {
      // Compared to a tenth, as it is shown: values that are drawn anew differ a little.
      let isSame = abs(present - past) < 0.05 + past * 0.01
      append(figure, present, past, isSame ? "same" : present > past ? "more" : "less")
    }
  }

  /// Compares two times by the spreads of their runs: the times differ if the spreads don't touch.
  private static func verdict(
    _ now: LoadFigures.Spread?, beside then: LoadFigures.Spread?
  ) -> String {
    guard let now, let then else { return "" }
    if now.low > then.high { return "slower" }
    return now.high < then.low ? "faster" : "within the spread"
  }
}

extension BenchComparison {
  func text(width: Int?) -> String {
    let hasLoads = Set(changes.map(\.load)).count > 1
    var table = TextTable(
      (hasLoads ? [.init("load")] : []) + [
        .init("query"), .init("figure"), .init("then", .right), .init("now", .right),
        .init("ratio", .right), .init("change"),
      ])
    for change in changes {
      table.append(
        (hasLoads ? [change.load] : []) + [
          change.query, change.figure, change.format(change.then), change.format(change.now),
          Figure.ratio(change.ratio), change.verdict,
        ])
    }
    let notes = notes.map { "Note: \($0)\n" }.joined()
    return changes.isEmpty ? notes : table.text(width: width) + notes
  }
}

extension BenchChange {
  func format(_ value: Double) -> String {
    switch figure {
    case "rate": Figure.rate(value)
    case "entries", "documents", "seeks": Figure.tenths(value)
    default: Figure.duration(nanoseconds: value)
    }
  }
}

extension CaseFigures {
  fileprivate func isSameLoad(as other: CaseFigures) -> Bool {
    readers == other.readers && rate == other.rate && writers == other.writers
      && writeRate == other.writeRate
  }
}
